"""Runs translation models with Transformers, from a folder and never from the network."""

from pathlib import Path
from typing import Any

from monitor.fetch.backends import _model_files, _translating
from monitor.model import canonical_json

_WANTED = {
    "config.json": "config.json",
    "*.safetensors": "its weights (model.safetensors; other formats can run code and are refused)",
}


def _folder(model: str, models: Path) -> Path:
    return _model_files.model_folder(model, models, "transformers", _WANTED)


def check(model: str, models: Path) -> None:
    """Raise MissingPart unless the libraries and the model are here."""
    _model_files.require_packages("torch", "transformers", "sentencepiece")
    _folder(model, models)


def _network(place: Path) -> Any:  # noqa: ANN401 - the library has no types
    import torch  # noqa: PLC0415 - optional library
    from transformers import AutoModelForSeq2SeqLM  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    bars: Any = logging
    bars.disable_progress_bar()  # a pool's processes share the terminal with the run
    torch.set_num_threads(1)  # one process per core; and sums keep their order
    network = AutoModelForSeq2SeqLM.from_pretrained(
        str(place),
        local_files_only=True,
        trust_remote_code=False,
        use_safetensors=True,
        dtype=torch.float32,
    )
    network.eval()
    # many Marian models are told to end at the limit as if they had come to an end
    network.generation_config.forced_eos_token_id = None
    return network


def _generator(network: Any, coder: _translating.Coder, most: int) -> _translating.Generate:  # noqa: ANN401
    import torch  # noqa: PLC0415 - optional library

    ends = network.generation_config.eos_token_id
    end_numbers = set(ends) if isinstance(ends, list) else {ends}

    def generate(
        numbers: list[int], asked: _translating.TranslationOptions
    ) -> tuple[list[int], bool]:
        forced = coder.forced_token(asked)
        with torch.inference_mode():
            output = network.generate(
                input_ids=torch.tensor([numbers]),
                attention_mask=torch.ones(1, len(numbers), dtype=torch.long),
                do_sample=False,
                num_beams=asked.beams,
                num_return_sequences=1,
                max_new_tokens=min(asked.max_output, most - 1),
                forced_bos_token_id=forced[1] if forced else None,
            )
        numbers_made = output[0].tolist()[1:]  # the first is what every translation begins with
        end = next((n for n, number in enumerate(numbers_made) if number in end_numbers), None)
        return numbers_made[:end], end is not None

    return generate


def load(model: str, models: Path) -> tuple[_model_files.Run, tuple[tuple[str, str], ...]]:
    """(run, what answers)."""
    check(model, models)
    _model_files.set_offline()
    import torch  # noqa: PLC0415 - optional library

    path = _folder(model, models)
    coder, network = _translating.Coder(path), _network(path)
    facts = {
        "arithmetic": f"float32 {torch.backends.cpu.get_cpu_capability()}",
        "generation": canonical_json(network.generation_config.to_diff_dict()),
        "torch_version": str(torch.__version__),
    }
    most = min(coder.max_tokens, int(network.config.max_position_embeddings))
    run = _translating.one_at_a_time(coder, _generator(network, coder, most), most)
    return run, _model_files.identify_model_folder("transformers", path, (), facts)
