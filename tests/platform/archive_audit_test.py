import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.archive_audit import check_event
from ner_zoo.platform.archive_guard import Guard

LISTING = ["/sbin/ldconfig", "-p"]


def test_an_import_may_look_for_a_library_of_the_system():
    check_event("subprocess.Popen", ("/sbin/ldconfig", LISTING, None, None), Guard("model.tar.gz"))


@pytest.mark.parametrize("program", [("/sbin/ldconfig", ["/sbin/ldconfig"]), ("/bin/sh", LISTING)])
def test_no_other_program_is_started(program):
    with pytest.raises(ConfigurationError, match=r"model.tar.gz is refused: opening it would start the program"):
        check_event("subprocess.Popen", (*program, None, None), Guard("model.tar.gz"))
