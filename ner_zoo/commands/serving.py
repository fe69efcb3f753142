"""
Arguments and implementation of `allennlp serve`. Exported models can be served without AllenNLP installed.
"""

import argparse
import errno
import json
import os
import sys

from ner_zoo.commands.explained import add_fields, explained, from_fields
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.extras import missing_packages, require
from ner_zoo.platform.pretrained import model_path
from ner_zoo.service.limits import Limits

DESCRIPTION = """\
Serve models over HTTP: POST /predict, a web page at /, API documentation at /docs, the model card at /model, metrics at
/metrics, and health checks at /healthz and /readyz. Concurrent requests are batched."""

EXAMPLES = """\
examples:
  allennlp serve model.tar.gz --port 8000
  allennlp serve --light model.ner
  allennlp serve --model ner=names.tar.gz --model re=relations.tar.gz
  NER_ZOO_TOKEN=secret allennlp serve model.tar.gz --host 0.0.0.0
  curl localhost:8000/predict -d '{"text": "Ada Lovelace lived in London."}'
"""
# Prefer the environment for a secret: other users of the machine can read the command line.
TOKEN = "NER_ZOO_TOKEN"
SWITCH_INTERVAL = 0.0005


def add_serve(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """The subcommand `serve`."""
    subparser = explained(parser, "serve", "Serve models over HTTP.", DESCRIPTION, EXAMPLES)
    subparser.add_argument(
        "archive_file", nargs="?", type=model_path, help="a model archive, a name such as wnut17, or an export"
    )
    subparser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME=ARCHIVE",
        help="serve a model under a name; repeatable",
    )
    subparser.add_argument(
        "--light", action="store_true", help="all models are exports: start without torch (see `allennlp export`)"
    )
    subparser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: localhost only)")
    subparser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 for any free port")
    subparser.add_argument(
        "--token", default="", help=f"bearer token that clients must send; prefer the variable ${TOKEN}"
    )
    subparser.add_argument(
        "--cors-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="allowed CORS origin (default: same origin only)",
    )
    subparser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="HOST",
        help="allowed Host header, without a port; repeatable (default: any)",
    )
    subparser.add_argument("--cuda-device", type=int, default=-1, help="GPU id (default: CPU)")
    subparser.add_argument(
        "--predictor-args",
        default="{}",
        metavar="JSON",
        help="predictor options, e.g. '{\"max_tokens_per_batch\": 8192}'",
    )
    add_fields(subparser, Limits)
    subparser.set_defaults(func=serve_from_args)
    return subparser


def serve_from_args(arguments: argparse.Namespace) -> None:
    from ner_zoo.light.export_file import is_export

    archives = named_archives(arguments.archive_file, arguments.model)
    exports = {name for name, path in archives.items() if arguments.light or is_export(path)}
    if exports:
        require("onnxruntime", "`allennlp serve` of an export", "light")
    if len(exports) < len(archives):
        from allennlp.common.checks import check_for_gpu

        check_for_gpu(arguments.cuda_device)
    try:
        from ner_zoo.service.monitoring import write_json_logs
        from ner_zoo.service.server import Server
        from ner_zoo.service.service import Service
    except ImportError as error:
        if (error.name or "").startswith("ner_zoo"):
            raise
        raise missing_packages("`allennlp serve`", "serve") from error
    from ner_zoo.service.listening import bound, cannot_listen, page_address
    from ner_zoo.service.served_model import ServedModel

    limits = from_fields(Limits, arguments)
    extra = json.loads(arguments.predictor_args)
    sockets = bound(arguments.host, arguments.port)
    print(f"Loading {', '.join(archives.values())}. The page will be at {page_address(sockets)}", flush=True)
    write_json_logs()
    # The event loop does little work at a time and the model thread much: keep the loop from waiting long for its turn.
    sys.setswitchinterval(SWITCH_INTERVAL)
    models = {
        name: ServedModel.load_export(name, path, extra)
        if name in exports
        else ServedModel.load(name, path, arguments.cuda_device, extra)
        for name, path in archives.items()
    }
    token = arguments.token or os.environ.get(TOKEN, "")
    service = Service(models, limits, token, arguments.cors_origin, arguments.allowed_host)
    try:
        Server(service).run(sockets)
    except OSError as error:
        # Another process may have bound the port in the meantime.
        if error.errno != errno.EADDRINUSE:
            raise
        raise cannot_listen(arguments.host, arguments.port, error) from error


def named_archives(archive: str, named: list[str]) -> dict[str, str]:
    """The archives by name, in the given order; an archive without a name is called `default`."""
    archives = {"default": archive} if archive else {}
    for pair in named:
        name, equals, path = pair.partition("=")
        if not (name and equals and path):
            raise ConfigurationError(f"--model is {pair!r}. Pass NAME=ARCHIVE, e.g. --model ner=model.tar.gz")
        if name in archives:
            raise ConfigurationError(f"Two models are called {name!r}. Give each model a unique name.")
        archives[name] = model_path(path)
    if not archives:
        raise ConfigurationError(
            "No model to serve. Pass an archive, or several with --model, e.g. --model ner=model.tar.gz"
        )
    return archives
