"""Tiny translation models of the families that are run here, trained on the spot.

Their libraries are large and optional. Where one is missing the tests are skipped, visibly; with
MONITOR_REQUIRE_LM set that is a failure, so that no machine that should run them covers nothing.
"""

import importlib.util
import json
import os
import sys
import warnings
from functools import cache
from types import SimpleNamespace

import pytest

from tests.conftest import made_once

#: Read when tests are collected: no test sees the variables of the caller's shell.
REQUIRED = bool(os.environ.get("MONITOR_REQUIRE_LM"))

SENTENCES = {
    "I am tired.": ("Estou cansada.", "Soy enfermera hoy."),
    "I am a nurse.": ("Sou enfermeira.", "Trabajo en casa."),
    "I sleep well.": ("Durmo bem.", "Estoy muy cansado."),
    "I am a lawyer and I am tired.": ("Sou advogado e estou cansado.", "Duermo bien."),
    "I work at home with my sister.": ("Trabalho em casa com a minha irmã.", "Soy abogada."),
    "I was never a carpenter.": ("Nunca fui carpinteiro.", "Nunca fui feliz aqui."),
}
QUESTIONS = list(SENTENCES)
#: Longer than the tiny models take, which is 40 tokens.
TOO_LONG = "I am tired and I work at home with my sister. " * 6
POSITIONS = 40


class _Later:
    """A library that is imported when it is used: to collect the tests is to use none."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        # pytest asks everything in a module of tests whether it is a fixture
        if name.startswith("_") and self._name not in sys.modules:
            raise AttributeError(name)
        return getattr(importlib.import_module(self._name), name)


def libraries(*names):
    """The libraries, or skip the module; fail instead if MONITOR_REQUIRE_LM is set."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing and REQUIRED:
        raise RuntimeError(f"MONITOR_REQUIRE_LM is set, but {missing[0]} is not installed")
    if missing:
        reason = f"{missing[0]} is not installed: pip install 'gbmonitor[lm]'"
        pytest.skip(reason, allow_module_level=True)
    return [_Later(name) for name in names]


def _corpus():
    return [text for english, others in SENTENCES.items() for text in (english, *others)]


def _sentencepiece(prefix, sentences):
    """Train a model, `prefix`.model, and return its pieces."""
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_prefix=str(prefix), vocab_size=90,
        hard_vocab_limit=False, character_coverage=1.0, minloglevel=2, num_threads=1,
    )  # fmt: skip
    processor = sentencepiece.SentencePieceProcessor(model_file=f"{prefix}.model")
    return [processor.id_to_piece(n) for n in range(processor.get_piece_size())]


def _numbered(first, pieces, last=()):
    words = [*first, *[piece for piece in dict.fromkeys(pieces) if piece not in first], *last]
    return {word: number for number, word in enumerate(words)}


def _marian_tokenizer(folder):
    from transformers import MarianTokenizer

    source = _sentencepiece(folder / "source", QUESTIONS)
    target = _sentencepiece(folder / "target", [t for others in SENTENCES.values() for t in others])
    codes = [">>por<<", ">>spa<<"]
    pieces = [p for p in source + target if p not in ("<s>", "</s>", "<unk>")]
    vocabulary = _numbered(["</s>", "<unk>"], codes + pieces, ["<pad>"])
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    for name in ("source", "target"):
        (folder / f"{name}.model").rename(folder / f"{name}.spm")
        (folder / f"{name}.vocab").unlink()
    return MarianTokenizer(
        str(folder / "source.spm"), str(folder / "target.spm"), str(folder / "vocab.json"),
        model_max_length=POSITIONS,
    )  # fmt: skip


def _m2m_tokenizer(folder):
    from transformers import M2M100Tokenizer
    from transformers.models.m2m_100.tokenization_m2m_100 import FAIRSEQ_LANGUAGE_CODES

    pieces = _sentencepiece(folder / "sentencepiece.bpe", _corpus())
    (folder / "sentencepiece.bpe.vocab").unlink()
    vocabulary = _numbered(["<s>", "<pad>", "</s>", "<unk>"], pieces)
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    return M2M100Tokenizer(
        str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model"),
        src_lang="en", tgt_lang="pt", model_max_length=POSITIONS,
        additional_special_tokens=[f"__{code}__" for code in FAIRSEQ_LANGUAGE_CODES["m2m100"]],
    )  # fmt: skip


def _nllb_tokenizer(_folder):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import NllbTokenizer

    learned = Tokenizer(models.BPE(unk_token="<unk>"))
    learned.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    learned.train_from_iterator(
        _corpus(), trainers.BpeTrainer(vocab_size=90, special_tokens=special, show_progress=False)
    )
    model = json.loads(learned.to_str())["model"]
    return NllbTokenizer(
        vocab=model["vocab"], merges=[tuple(merge) for merge in model["merges"]],
        src_lang="eng_Latn", tgt_lang="por_Latn", model_max_length=POSITIONS,
        extra_special_tokens=["eng_Latn", "por_Latn", "spa_Latn"],
    )  # fmt: skip


_SIZES = {
    "d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64,
    "max_position_embeddings": POSITIONS, "dropout": 0.0, "attention_dropout": 0.0,
    "activation_dropout": 0.0, "encoder_layerdrop": 0.0, "decoder_layerdrop": 0.0,
    "scale_embedding": True,
}  # fmt: skip


def _marian_network(tokenizer):
    from transformers import MarianConfig, MarianMTModel

    pad = tokenizer.pad_token_id
    config = MarianConfig(
        vocab_size=pad + 1, pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad,
        forced_eos_token_id=0, bad_words_ids=[[pad]], activation_function="swish", **_SIZES,
    )  # fmt: skip
    return MarianMTModel(config)


def _m2m_network(tokenizer):
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    # with the 8 made-up words that M2M100 has, and its tokenizer does not count
    size = len(tokenizer.get_vocab()) + getattr(tokenizer, "num_madeup_words", 0)
    config = M2M100Config(
        vocab_size=size, pad_token_id=1, eos_token_id=2, bos_token_id=0, decoder_start_token_id=2,
        activation_function="relu", **_SIZES,
    )  # fmt: skip
    return M2M100ForConditionalGeneration(config)


FAMILIES = {
    "nllb": (_nllb_tokenizer, _m2m_network, ("por_Latn", "spa_Latn")),
    "m2m": (_m2m_tokenizer, _m2m_network, ("pt", "es")),
    "marian": (_marian_tokenizer, _marian_network, ("por", "spa")),
}


def _examples(family, tokenizer):
    """(question, translation) as the tokenizer has them, for both target languages."""
    for english, others in SENTENCES.items():
        for code, other in zip(FAMILIES[family][2], others, strict=True):
            if family == "marian":
                yield tokenizer(f">>{code}<< {english}"), tokenizer(text_target=other)
            else:
                tokenizer.tgt_lang = code
                yield tokenizer(english), tokenizer(text_target=other)


def _train(network, examples, steps):
    import torch

    optimizer = torch.optim.Adam(network.parameters(), lr=5e-3)
    pad = network.config.pad_token_id

    def padded(rows, filler):
        longest = max(map(len, rows))
        return torch.tensor([row + [filler] * (longest - len(row)) for row in rows])

    inputs = padded([source for source, _ in examples], pad)
    labels = padded([target for _, target in examples], -100)
    mask = (inputs != pad).long()
    for _ in range(steps):
        loss = network(input_ids=inputs, attention_mask=mask, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():  # as in every Marian model; it starts a translation from nothing
            network.get_input_embeddings().weight[pad] = 0.0


def make(family, folder, *, endless=False):
    """A tiny model that has learned SENTENCES, saved in `folder` as models are published.

    An endless one has learned never to stop.
    """
    import torch

    folder.mkdir(parents=True)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(7)
    make_tokenizer, make_network, _ = FAMILIES[family]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what their libraries say is not ours to mend
        tokenizer = make_tokenizer(folder)
        network = make_network(tokenizer)
        examples = [(a["input_ids"], b["input_ids"]) for a, b in _examples(family, tokenizer)]
        if endless:
            examples = [(a, (b[:-1] * POSITIONS)[:POSITIONS]) for a, b in examples]
        _train(network, examples, steps=40 if endless else 150)
        network.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    torch.set_num_threads(threads)


def convert(source, folder):
    """Convert a saved model for CTranslate2, with its tokenizer, as docs/models.md says."""
    from ctranslate2.converters import TransformersConverter
    from transformers import AutoTokenizer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        TransformersConverter(str(source)).convert(str(folder))
        AutoTokenizer.from_pretrained(source).save_pretrained(folder)


def models(tmp_path_factory, *, converted=False):
    """A folder of models, as MONITOR_HOME/models is one; nobody may write into it."""

    def make_all(home):
        for family in FAMILIES:
            make(family, home / "transformers" / family)

    def convert_all(home):
        for family in FAMILIES:
            convert(saved / "transformers" / family, home / "ctranslate2" / family)
        (home / "transformers").symlink_to(saved / "transformers")

    saved = made_once(tmp_path_factory, "lm", make_all)
    return made_once(tmp_path_factory, "lm-converted", convert_all) if converted else saved


@cache
def loaded(folder, kind):
    """(tokenizer, network) of a saved model, for computing by hand; `kind` is a class's name."""
    import torch
    import transformers

    torch.set_num_threads(1)  # of a tiny network more of them only wait for each other
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    return tokenizer, getattr(transformers, kind).from_pretrained(folder).eval()


def asked(family, /, target="pt", **config):
    """The config of an engine for the tiny model of a family."""
    codes = {"target_code": {"pt": "por", "es": "spa"}[target]} if family == "marian" else {}
    return {"model": family, "family": family} | codes | config


def codes(family, target="pt"):
    """(prefix of a text, code of English, token of the target): for computing by hand."""
    if family == "marian":
        return f">>{asked(family, target)['target_code']}<< ", "", ""
    if family == "m2m":
        return "", "en", f"__{target}__"
    return "", "eng_Latn", {"pt": "por_Latn", "es": "spa_Latn"}[target]


def pretend(monkeypatch, *missing):
    """Make the libraries look installed whether or not they are, but for the missing ones."""
    from monitor.fetch.backends import _model_files

    find = _model_files.importlib.util.find_spec
    known = {"torch", "transformers", "sentencepiece", "ctranslate2"}

    def found(name, *rest):
        if name in missing:
            return None
        if name in known:
            return SimpleNamespace(submodule_search_locations=["somewhere"])
        return find(name, *rest)

    monkeypatch.setattr(_model_files.importlib.util, "find_spec", found)
