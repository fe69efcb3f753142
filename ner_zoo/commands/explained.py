"""
The parser of a subcommand whose help shows a description and examples verbatim.
"""

import argparse


def explained(
    parser: argparse._SubParsersAction, name: str, help: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """help : the one-line summary in the list of commands."""
    return parser.add_parser(
        name,
        help=help,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
