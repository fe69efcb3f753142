"""
Whoever imports `allennlp` in this environment gets `ner_zoo` with it.

AllenNLP 2.10.1 does not import on today's torch without the help of `ner_zoo.compat`, and the help must be there in every
process: the `allennlp` command, `python -m allennlp`, a notebook, workers that are spawned for training or loading. So
`ner_zoo_hook.pth` imports this file when Python starts. It registers a finder that looks at nothing but the name
`allennlp`; a program that never imports AllenNLP pays for this one small file only.

The package `allennlp` itself holds next to nothing; what breaks is in its submodules. Therefore `ner_zoo` is imported
right after `allennlp/__init__.py` has run, and before anything else of AllenNLP is.
"""

import importlib
import importlib.util
import sys


class _AllenNLPFinder:
    """Finds `allennlp` as the other finders do, and makes its loader import `ner_zoo` afterwards."""

    def find_spec(self, name, path=None, target=None):
        if name != "allennlp":
            return None
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        if spec is not None and spec.loader is not None:
            spec.loader = _LoaderWithNerZoo(spec.loader)
        return spec


class _LoaderWithNerZoo:
    def __init__(self, loader):
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        importlib.import_module("ner_zoo")


if not any(isinstance(finder, _AllenNLPFinder) for finder in sys.meta_path):
    sys.meta_path.insert(0, _AllenNLPFinder())
