"""
Use models from Python:

    from ner_zoo import load
    model = load("model.tar.gz")
    doc = model("Ada Lovelace lived in London.")
    doc.entities
"""

from ner_zoo.annotator import AnnotatedText, Annotator, FoundEntity, FoundRelation, GivenEntity
from ner_zoo.platform.pretrained import model_path
from ner_zoo.predictors.loading import load_predictor

__all__ = ["AnnotatedText", "Annotator", "FoundEntity", "FoundRelation", "GivenEntity", "load"]


def load(archive: str, cuda_device: int = -1, precision: str = "float") -> Annotator:
    """
    Loads a model from an archive or by the name of a model that ships with ner_zoo (`wnut17`), on the CPU or a GPU.

    precision : precision of a pretrained encoder: float, bf16, auto (whichever of the two is faster here) or int8.
    """
    arguments = {"strict": True, "precision": precision}
    return Annotator(load_predictor(model_path(archive), cuda_device, arguments), archive)
