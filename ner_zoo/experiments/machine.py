"""
Describes where a comparison was run: command line, versions, hardware; nothing that identifies the machine or its
folders.
"""

import os
import platform
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from ner_zoo.experiments.scores import relative
from ner_zoo.platform.extras import installed_versions
from ner_zoo.platform.threads import cores

PACKAGES = ("ner_zoo", "allennlp", "allennlp-models", "torch", "numpy", "numba", "transformers")


def describe(jobs: int, threads: int, arguments: list[str] | None = None) -> dict[str, Any]:
    given = sys.argv[1:] if arguments is None else arguments
    shown = [relative(Path(one)) if one.startswith("/") else one for one in given]
    return {
        "command": shlex.join(["allennlp", *shown]),
        "versions": {"python": platform.python_version(), **installed_versions(PACKAGES)},
        "hardware": {
            "processor": processor(),
            "cores": cores(),
            "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
            "system": platform.system(),
        },
        "jobs": jobs,
        "threads": threads,
    }


def processor() -> str:
    """The name of the processor as reported by the system."""
    info = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE) if info.exists() else []
    return names[0].strip() if names else platform.processor() or platform.machine()
