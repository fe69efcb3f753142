"""
An encoder that is given by its name on the Hugging Face hub is looked for once, with a short time limit.

Without a connection transformers tries each file of it again and again, for a minute, and ends with a long stack. Here
the hub is asked for the name first: if it does not answer, the encoder comes from the local cache or is refused.
"""

import functools
import os
from typing import Any

from ner_zoo.platform.archive_guard import Guard, building_guard, downloads_are_allowed

SECONDS = 5


def where_to_look(model_name: Any) -> dict[str, Any]:
    """What to tell transformers about where an encoder is."""
    guard = building_guard()
    if guard is not None and not downloads_are_allowed():
        check_is_here(str(model_name), guard)
        return {"local_files_only": True}
    return {} if is_answered(str(model_name)) else {"local_files_only": True}


def check_is_here(name: str, guard: Guard) -> None:
    """Refuses an archive that names an encoder which is not on this machine."""
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
            "Give --allow-downloads to fetch it."
        )


@functools.cache
def is_answered(name: str) -> bool:
    """Whether an encoder can be had from its folder or from the hub; if not, it is in the local cache."""
    from allennlp.common.checks import ConfigurationError
    from httpx import HTTPError
    from huggingface_hub import HfApi, constants, try_to_load_from_cache
    from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError

    if os.path.isdir(name):
        return True
    try:
        HfApi().model_info(name, timeout=SECONDS)
    except GatedRepoError:
        return True  # transformers says how to log in
    except (HFValidationError, RepositoryNotFoundError) as error:
        raise ConfigurationError(
            f"There is no folder {name}, and no model of that name on {constants.ENDPOINT}. Give a folder that holds "
            f"the encoder, or its name on the hub: {advice()}"
        ) from error
    except (HTTPError, OSError) as error:
        if isinstance(try_to_load_from_cache(name, "config.json"), str):
            return False
        raise ConfigurationError(
            f"There is no folder {name}, the encoder is not in the local cache, and {constants.ENDPOINT} does not "
            f"answer ({str(error).splitlines()[0]}). Give a folder that holds it: {advice()}"
        ) from error
    return True


def advice() -> str:
    return "use.encoder('FOLDER') in the config, or -o \"use.encoder('FOLDER')\"."
