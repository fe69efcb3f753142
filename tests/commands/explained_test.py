from argparse import ArgumentParser
from dataclasses import fields

import pytest

from ner_zoo.commands.explained import add_fields, from_fields
from ner_zoo.pretraining.settings import Settings
from ner_zoo.service.limits import Limits


@pytest.mark.parametrize("settings", [Limits, Settings])
def test_every_field_has_an_option_with_its_explanation_type_and_default(settings):
    parser = ArgumentParser()
    add_fields(parser, settings)
    assert from_fields(settings, parser.parse_args([])) == settings()
    shown = {action.dest: action.help for action in parser._actions}
    for field in fields(settings):
        text, _, default = shown[field.name].rpartition(" (default: ")
        assert len(text.split()) > 1 and default == f"{field.default})"
    first = fields(settings)[0]
    given = parser.parse_args([f"--{first.name.replace('_', '-')}", "7"])
    assert getattr(from_fields(settings, given), first.name) == 7
