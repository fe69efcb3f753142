"""
Blocks network connections, subprocesses and unpickling while an archive is being opened.

This is the last line of defence, independent of which part of AllenNLP, transformers or spaCy a config reaches. Python
raises an audit event before each such action, and an exception in the hook stops it. The hook is installed when the
first archive is opened, and checks only events from the context that is opening one.
"""

import functools
import importlib
import os
import sys
import threading
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.archive_allowlist import is_named_by_user
from ner_zoo.platform.archive_guard import Guard, building_guard, current_guard, downloads_are_allowed, is_opening
from ner_zoo.platform.changes import CHANGES_FOR_ARCHIVES
from ner_zoo.platform.import_hook import make

CONNECTIONS = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"})
PROGRAMS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"})
WATCHED = CONNECTIONS | PROGRAMS | {"pickle.find_class", "import", "exec", "builtins.input"}
OUR_FOLDER = str(Path(__file__).parent.parent)
REFUSED = "The archive {} is refused: opening it would {}."


class ConnectionRefused(ConfigurationError, ConnectionError):
    """Also a `ConnectionError`, so that transformers falls back to files it has already downloaded."""


class HookState(threading.local):
    """Whether the hook itself is running: imports and files it opens itself are not checked."""

    hook = False


_inside = HookState()


def hook(event: str, arguments: Any) -> None:
    if event not in WATCHED or _inside.hook:
        return
    guard = building_guard()
    if guard is None:
        return
    _inside.hook = True
    try:
        check_event(event, arguments, guard)
    finally:
        _inside.hook = False


def check_event(event: str, arguments: Any, guard: Guard) -> None:
    if event in CONNECTIONS and not is_of_this_machine(event, arguments) and not downloads_are_allowed():
        problem = f"connect to {address(event, arguments)}. Pass --allow-downloads to permit this"
        raise ConnectionRefused(REFUSED.format(guard.archive, problem))
    if event in PROGRAMS and not downloads_are_allowed() and not looks_for_library(event, arguments):
        what = " ".join(map(str, arguments[1])) if event == "subprocess.Popen" else str(arguments[0])
        problem = f"start the program `{what[:200]}`. Pass --allow-downloads if this is a download you want"
        raise ConfigurationError(REFUSED.format(guard.archive, problem))
    if event == "pickle.find_class" and is_opening():
        raise ConfigurationError(REFUSED.format(guard.archive, f"unpickle {arguments[0]}.{arguments[1]}"))
    if event in ("import", "exec") and is_opening():
        path = arguments[1] if event == "import" else getattr(arguments[0], "co_filename", None)
        if is_of_current_folder(path):
            raise ConfigurationError(REFUSED.format(guard.archive, f"run {path}, which is in the current folder"))
    if event == "builtins.input" and is_opening():
        raise ConfigurationError(REFUSED.format(guard.archive, "run code that comes with an encoder"))


def looks_for_library(event: str, arguments: Any) -> bool:
    """Recognises Python's own search for system libraries, which imported packages may trigger."""
    program, command = arguments[:2] if event == "subprocess.Popen" else ("", "")
    return program == "/sbin/ldconfig" and list(command) == ["/sbin/ldconfig", "-p"]


def is_of_this_machine(event: str, arguments: Any) -> bool:
    """Recognises Unix domain sockets, which the processes of one program use to communicate."""
    return event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], (str, bytes))


def address(event: str, arguments: Any) -> str:
    where = arguments[1] if event in ("socket.connect", "socket.sendto") else arguments[:2]
    return ":".join(str(part) for part in where[:2] if part) if isinstance(where, tuple) else str(where)


def is_of_current_folder(path: Any) -> bool:
    """Whether code is in the current folder rather than where packages are installed."""
    folder = os.getcwd()
    if not isinstance(path, str) or not path.startswith(os.path.join(folder, "")):
        return False
    package = Path(path).relative_to(folder).parts[0].partition(".")[0]
    is_installed = path.startswith((os.path.join(sys.prefix, ""), os.path.join(OUR_FOLDER, "")))
    return not is_installed and not is_named_by_user(package)


def load_weights_only(torch: Any) -> None:
    """Makes torch load only weights from an archive, whatever its arguments or the environment say."""
    original = torch.load

    @functools.wraps(original)
    def load(*arguments: Any, **options: Any) -> Any:
        guard = current_guard()
        if guard is None:
            return original(*arguments, **options)
        safe: dict[str, Any] = {**options, "weights_only": True, "pickle_module": None}
        return original(*arguments[:2], **safe)

    torch.load = load


def use_only_downloaded_encoders(constants: Any) -> None:
    """Makes transformers use only files it has already downloaded, and report missing ones immediately."""
    original = constants.is_offline_mode

    def is_offline_mode() -> bool:
        return original() or (building_guard() is not None and not downloads_are_allowed())

    constants.is_offline_mode = is_offline_mode


_lock = threading.Lock()
_watched: list[bool] = []


def watch() -> None:
    """Installs the audit hook and makes the changes for archives, once per process."""
    with _lock:
        if not _watched:
            sys.addaudithook(hook)
            for change in CHANGES_FOR_ARCHIVES:
                importlib.import_module(change.module)
                make(change)
            _watched.append(True)
