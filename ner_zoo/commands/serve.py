"""
`allennlp serve model.tar.gz`: a model over HTTP, with a page to try it.
"""

import argparse
import errno
import json
import os
import sys
from dataclasses import fields
from typing import Any

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError, check_for_gpu
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.platform.extras import missing_packages, require
from ner_zoo.platform.pretrained import model_path

DESCRIPTION = """\
Serve models over HTTP: POST /predict, a page at /, documentation at /docs, the model card at /model, metrics at
/metrics, /healthz and /readyz. Requests that arrive together go through the model together."""

EXAMPLES = """\
examples:
  allennlp serve model.tar.gz --port 8000
  allennlp serve --light model.ner
  allennlp serve --model ner=names.tar.gz --model re=relations.tar.gz
  NER_ZOO_TOKEN=secret allennlp serve model.tar.gz --host 0.0.0.0
  curl localhost:8000/predict -d '{"text": "Ada Lovelace lived in London."}'
"""
# The environment is a better place for a secret than the command line, which other users of the machine can read.
TOKEN = "NER_ZOO_TOKEN"
SWITCH_INTERVAL = 0.0005
HELP = {
    "max_body_bytes": "largest body of a request",
    "max_text_characters": "longest text",
    "max_request_characters": "most characters in all texts of one request",
    "max_request_tokens": "most tokens in one request; counted again for each tagging asked for by top_k",
    "max_output_bytes": "largest answer",
    "max_inputs": "most inputs in one request",
    "max_queue": "most inputs that wait for a model; more get status 429",
    "max_queue_characters": "most characters that wait for a model; more get status 429",
    "max_batch": "most inputs that go through a model together",
    "turn_tokens": "tokens of a long request that go through a model before others have their turn",
    "max_wait": "seconds that an input waits for others to join its batch",
    "max_connections": "most connections at once; more get status 503",
    "header_timeout": "seconds that a client has to send the headers of a request",
    "body_timeout": "seconds that a client has to send the body of a request",
    "send_timeout": "seconds that a client has to take its answer",
    "timeout": "seconds until a request is answered, or gets status 504",
    "drain": "seconds that idle connections and half-sent requests have after SIGTERM",
}


@Subcommand.register("serve")
class Serve(Subcommand):
    """Needs the packages of the extra `serve`."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Serve models over HTTP.", DESCRIPTION, EXAMPLES)
        subparser.add_argument(
            "archive_file", nargs="?", type=model_path, help="a model's archive, or a name such as wnut17"
        )
        subparser.add_argument(
            "--model", action="append", default=[], metavar="NAME=ARCHIVE", help="a model by name; may be given again"
        )
        subparser.add_argument(
            "--light", action="store_true", help="the models are exports, run by onnxruntime: see `allennlp export`"
        )
        subparser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
        subparser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 for any that is free")
        subparser.add_argument("--token", default="", help=f"bearer token that clients must send; better: ${TOKEN}")
        subparser.add_argument(
            "--cors-origin",
            action="append",
            default=[],
            metavar="ORIGIN",
            help="origin whose pages may use the service from a browser (default: none but its own)",
        )
        subparser.add_argument(
            "--allowed-host",
            action="append",
            default=[],
            metavar="HOST",
            help="host name that requests may be addressed to, without a port (default: any); may be given again",
        )
        subparser.add_argument("--cuda-device", type=int, default=-1, help="id of a GPU (default: the CPU)")
        subparser.add_argument(
            "--predictor-args", default="{}", metavar="JSON", help="e.g. '{\"max_tokens_per_batch\": 8192}'"
        )
        for name, text in HELP.items():
            kind = float if name.endswith(("wait", "timeout", "drain")) else int
            subparser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=None, help=text)
        subparser.set_defaults(func=serve_from_args)
        return subparser


def serve_from_args(arguments: argparse.Namespace) -> None:
    archives = named_archives(arguments.archive_file, arguments.model)
    check_for_gpu(arguments.cuda_device)
    if arguments.light:
        require("onnxruntime", "`allennlp serve --light`", "light")
    try:
        from ner_zoo.service.monitoring import write_json_logs
        from ner_zoo.service.server import Server
        from ner_zoo.service.service import Service
    except ImportError as error:
        if (error.name or "").startswith("ner_zoo"):
            raise
        raise missing_packages("`allennlp serve`", "serve") from error
    from ner_zoo.service.limits import Limits
    from ner_zoo.service.listening import bound, cannot_listen, page_address
    from ner_zoo.service.served_model import ServedModel

    given: dict[str, Any] = {field.name: getattr(arguments, field.name) for field in fields(Limits)}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})
    extra = json.loads(arguments.predictor_args)
    sockets = bound(arguments.host, arguments.port)
    print(f"Loading {', '.join(archives.values())}. The page will be at {page_address(sockets)}", flush=True)
    write_json_logs()
    # The event loop does little at a time, the model's thread much: the loop must not wait long for its turn.
    sys.setswitchinterval(SWITCH_INTERVAL)
    if arguments.light:
        models = {name: ServedModel.load_export(name, path, extra) for name, path in archives.items()}
    else:
        models = {name: ServedModel.load(name, path, arguments.cuda_device, extra) for name, path in archives.items()}
    token = arguments.token or os.environ.get(TOKEN, "")
    service = Service(models, limits, token, arguments.cors_origin, arguments.allowed_host)
    try:
        Server(service).run(sockets)
    except OSError as error:
        # Another process may have begun to listen there in the meantime.
        if error.errno != errno.EADDRINUSE:
            raise
        raise cannot_listen(arguments.host, arguments.port, error) from error


def named_archives(archive: str, named: list[str]) -> dict[str, str]:
    """The archives by name, in the order given; one without a name is called `default`."""
    archives = {"default": archive} if archive else {}
    for pair in named:
        name, equals, path = pair.partition("=")
        if not (name and equals and path):
            raise ConfigurationError(f"--model is {pair!r}. Give a name and an archive: --model ner=model.tar.gz")
        if name in archives:
            raise ConfigurationError(f"Two models are called {name!r}. Give each its own name.")
        archives[name] = model_path(path)
    if not archives:
        raise ConfigurationError("There is no model to serve. Give an archive, or several: --model ner=model.tar.gz")
    return archives
