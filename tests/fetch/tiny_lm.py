"""Tiny language models with untrained weights, made on the spot and saved as models are published.

What matters is their tokenizers: WordPiece in lower case, byte-level BPE, whose tokens hold the
space before them, and SentencePiece, whose tokens hold a mark for it.
"""

import json
import warnings

CORPUS = ['He said: "I am tired."', 'She said: "I am tired."', "The man said", "The woman said"]
CORPUS += ['"I am tired.", he said.', '"I am tired.", she said.', "the man said", "the woman said"]
CORPUS += ["Jsem unavený.", "Jsem unavená.", "I am a nurse."]
#: Positions of the tiny models.
POSITIONS = 48

_SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
_SIZES |= {"intermediate_size": 64, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def _bpe(words):
    """(vocabulary, merges) of a byte-level BPE in which `words` are tokens, spaces in front."""
    from tokenizers import ByteLevelBPETokenizer

    learned = ByteLevelBPETokenizer()
    learned.train_from_iterator(
        [word for word in words for _ in range(20)], vocab_size=2000, min_frequency=2,
        show_progress=False,
    )  # fmt: skip
    model = json.loads(learned._tokenizer.to_str())["model"]
    return model["vocab"], [tuple(merge) for merge in model["merges"]]


def _save(folder, tokenizer, network):
    folder.mkdir(parents=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what their libraries say is not ours to mend
        tokenizer.save_pretrained(folder)
        network.save_pretrained(folder)
    return folder


def _seeded(build, config):
    import torch

    torch.manual_seed(11)
    network = build(config)
    with torch.no_grad():  # larger weights than those of a fresh model, so that scores differ
        for parameter in network.parameters():
            parameter.mul_(4.0)
    return network.eval()


WORDS = "he she the man woman said i am tired a nurse jsem una ##ven ##y ##a".split()


def bert(folder, *, without=(), head=True):
    """A BERT in lower case."""
    from transformers import BertConfig, BertForMaskedLM, BertModel, BertTokenizer

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = list("abcdefghijklmnopqrstuvwxyz") + list('.,:"')
    words = [*special, *letters, *(f"##{letter}" for letter in letters[:26]), *WORDS]
    vocabulary = {
        word: n for n, word in enumerate(dict.fromkeys(w for w in words if w not in without))
    }
    tokenizer = BertTokenizer(vocab=vocabulary, do_lower_case=True, model_max_length=POSITIONS)
    config = BertConfig(
        vocab_size=len(vocabulary), max_position_embeddings=POSITIONS, pad_token_id=0, **_SIZES
    )
    return _save(folder, tokenizer, _seeded(BertForMaskedLM if head else BertModel, config))


def roberta(folder, words=CORPUS):
    """A RoBERTa: its positions are counted from behind the padding, and `<mask>` takes a space."""
    from transformers import RobertaConfig, RobertaForMaskedLM, RobertaTokenizer

    learned, merges = _bpe(words)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    vocabulary = {word: n for n, word in enumerate([*special, *learned])}
    tokenizer = RobertaTokenizer(vocab=vocabulary, merges=merges, model_max_length=POSITIONS)
    config = RobertaConfig(
        vocab_size=len(vocabulary), max_position_embeddings=POSITIONS + 2, pad_token_id=1,
        bos_token_id=0, eos_token_id=2, type_vocab_size=1, **_SIZES,
    )  # fmt: skip
    return _save(folder, tokenizer, _seeded(RobertaForMaskedLM, config))


def xlm_roberta(folder):
    """An XLM-RoBERTa: SentencePiece, whose tokens begin with a mark for the space."""
    from transformers import XLMRobertaConfig, XLMRobertaForMaskedLM, XLMRobertaTokenizer

    words = "He She he she The the man woman said I am tired Jsem una".split()
    pieces = [*(f"▁{word}" for word in words), "▁", "vený", "vená", "ven", "ý", "á"]
    letters = sorted({letter for text in CORPUS for letter in text} - {" "})
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    scored = [(piece, 0.0 if piece in special else -1.0) for piece in special + pieces]
    scored += [(letter, -9.0) for letter in letters if letter not in pieces]
    scored += [('▁"', -2.0), (":", -2.0), ("<mask>", 0.0)]
    known = dict(reversed(scored))
    vocabulary = [(piece, known[piece]) for piece in dict.fromkeys(p for p, _ in scored)]
    tokenizer = XLMRobertaTokenizer(vocab=vocabulary, model_max_length=POSITIONS)
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer), max_position_embeddings=POSITIONS + 2, pad_token_id=1,
        bos_token_id=0, eos_token_id=2, type_vocab_size=1, **_SIZES,
    )  # fmt: skip
    return _save(folder, tokenizer, _seeded(XLMRobertaForMaskedLM, config))


def gpt2(folder, words=CORPUS):
    """A GPT-2."""
    from transformers import GPT2Config, GPT2LMHeadModel, GPT2Tokenizer

    learned, merges = _bpe(words)
    vocabulary = {word: n for n, word in enumerate([*learned, "<|endoftext|>"])}
    tokenizer = GPT2Tokenizer(vocab=vocabulary, merges=merges, model_max_length=POSITIONS)
    end = vocabulary["<|endoftext|>"]
    config = GPT2Config(
        vocab_size=len(vocabulary), n_positions=POSITIONS, n_embd=32, n_layer=2, n_head=2,
        bos_token_id=end, eos_token_id=end, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
    )  # fmt: skip
    return _save(folder, tokenizer, _seeded(GPT2LMHeadModel, config))
