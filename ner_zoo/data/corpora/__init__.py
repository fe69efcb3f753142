"""
Readers of corpus files, one module per format. Importing the package registers every module in this folder.
"""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
