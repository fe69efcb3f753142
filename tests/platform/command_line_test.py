from allennlp import commands

import ner_zoo  # noqa: F401


def test_help_states_a_default_once() -> None:
    parser = commands.ArgumentParserWithDefaults(prog="command")
    parser.add_argument("--workers", type=int, default=2, help="number of processes (default: one per core)")
    parser.add_argument("--seed", type=int, default=5, help="random seed")
    text = " ".join(parser.format_help().split())
    assert "number of processes (default: one per core) --seed" in text and "random seed (default = 5)" in text
