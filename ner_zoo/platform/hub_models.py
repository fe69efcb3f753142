"""
Looks up an encoder on the Hugging Face Hub once, with a short timeout.

Without a connection, transformers retries each file for a minute and ends with a long traceback. Here the Hub is
queried for the name first: if it does not respond, the encoder is taken from the local cache, or an error is raised.
"""

import functools
import os
from typing import Any

from ner_zoo.platform.archive_guard import Guard, building_guard, downloads_are_allowed

SECONDS = 5
ADVICE = "use.encoder('FOLDER') in the config, or -o \"use.encoder('FOLDER')\"."


def where_to_look(model_name: Any) -> dict[str, Any]:
    """Arguments for transformers that say where to find an encoder."""
    guard = building_guard()
    if guard is not None and not downloads_are_allowed():
        check_is_here(str(model_name), guard)
        return {"local_files_only": True}
    return {} if is_answered(str(model_name)) else {"local_files_only": True}


def check_is_here(name: str, guard: Guard) -> None:
    """Refuses an archive that names an encoder that is not on this machine."""
    from allennlp.common.checks import ConfigurationError
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        is_here = os.path.isdir(name) or isinstance(try_to_load_from_cache(name, "config.json"), str)
    except HFValidationError:
        is_here = False
    if not is_here:
        raise ConfigurationError(
            f"The archive {guard.archive} is refused: it needs the encoder {name!r}, which is not on this machine. "
            "Pass --allow-downloads to download it."
        )


@functools.cache
def is_answered(name: str) -> bool:
    """Whether an encoder is available from its folder or the Hub; if not, it is in the local cache."""
    from allennlp.common.checks import ConfigurationError
    from httpx import HTTPError
    from huggingface_hub import HfApi, constants, try_to_load_from_cache
    from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError

    if os.path.isdir(name):
        return True
    try:
        HfApi().model_info(name, timeout=SECONDS)
    except GatedRepoError:
        return True  # transformers explains how to log in
    except (HFValidationError, RepositoryNotFoundError) as error:
        raise ConfigurationError(
            f"There is no folder {name}, and no model of that name on {constants.ENDPOINT}. Pass a folder that "
            f"contains the encoder, or its name on the Hub: {ADVICE}"
        ) from error
    except (HTTPError, OSError) as error:
        if isinstance(try_to_load_from_cache(name, "config.json"), str):
            return False
        raise ConfigurationError(
            f"There is no folder {name}, the encoder is not in the local cache, and {constants.ENDPOINT} does not "
            f"respond ({str(error).splitlines()[0]}). Pass a folder that contains the encoder: {ADVICE}"
        ) from error
    return True
