"""
Loads a predictor from an archive.
"""

import functools
import gc
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.common.plugins import import_plugins
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor

from ner_zoo.platform.archive_problems import named_errors
from ner_zoo.predictors.ner_zoo import NerZooPredictor
from ner_zoo.predictors.options import Options

# It would inspect every module of every plugin, even those already imported.
import_plugins_once = functools.cache(import_plugins)

WARM_UP = "Ada Lovelace lived in London, and she knew Charles Babbage. He did not."


def load_predictor(
    archive: str, cuda_device: int = -1, predictor_args: dict[str, Any] | None = None
) -> NerZooPredictor:
    """
    Loads and warms up a predictor, so that the first prediction does not have to compile anything.

    predictor_args : additional arguments of the predictor.
    """
    predictor = open_predictor(archive, cuda_device, predictor_args)
    top_k = 2 if predictor.labels.has_taggings else 0
    with named_errors(archive):
        predictor.predict_all([{"text": WARM_UP}] * 2, [Options(), Options(top_k=top_k)])
    # Loaded objects stay: spare the garbage collector from scanning them repeatedly.
    gc.collect()
    gc.freeze()
    return predictor


def open_predictor(
    archive: str, cuda_device: int = -1, predictor_args: dict[str, Any] | None = None
) -> NerZooPredictor:
    """Like `load_predictor`, but without warm-up."""
    import_plugins_once()
    loaded = load_archive(archive, cuda_device=cuda_device)
    if not hasattr(loaded.validation_dataset_reader, "sentence_splitter"):
        name = loaded.config["model"].get("type", "?")
        raise ConfigurationError(
            f"{archive} contains the model `{name}` with a reader of AllenNLP. The predictor needs a reader of "
            f"ner_zoo, which includes a tokenizer. Train with one of them, e.g. `conll`."
        )
    predictor = Predictor.from_archive(loaded, "ner_zoo", extra_args=predictor_args or {})
    assert isinstance(predictor, NerZooPredictor)
    return predictor
