"""
Runs exported models without torch, AllenNLP or spaCy: they only need onnxruntime, numpy and regex.

    from ner_zoo.light import load
    model = load("model.ner")
    model("Ada Lovelace lived in London.").entities

`allennlp export model.tar.gz -o model.ner` writes the file. Read `predictor` first, then `export_file`.
"""

from ner_zoo.light.predictor import load, load_predictor

__all__ = ["load", "load_predictor"]
