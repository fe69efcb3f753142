"""`allennlp corpus` with a local HTTP server that serves files at the paths of their repositories."""

import hashlib
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data import download
from ner_zoo.data.catalogue import CorpusFile, catalogue, find
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.download import fetch
from tests.real_corpora import DATA, needs_corpora


class Repository(ThreadingHTTPServer):
    """Serves `files`, path to content; closes the connection after `cut_after` bytes per answer."""

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Answer)
        self.files = files
        self.cut_after = None
        self.requests = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        path = unquote(self.path).lstrip("/")
        self.server.requests.append((path, self.headers.get("Range")))
        if path not in self.server.files:
            self.send_error(404)
            return
        content = self.server.files[path]
        first = int(self.headers["Range"].removeprefix("bytes=").rstrip("-")) if self.headers.get("Range") else 0
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(content) - first))
        self.end_headers()
        self.wfile.write(content[first:][: self.server.cut_after])

    def log_message(self, *arguments):
        pass


def file_of(content, path="zoo/train.txt"):
    return CorpusFile(path, (f"someone/zoo/abc/{path}",), hashlib.sha256(content).hexdigest())


@pytest.fixture
def server(monkeypatch):
    server = Repository({})
    monkeypatch.setenv(download.HOST_VARIABLE, server.address)
    monkeypatch.setattr(download, "SECONDS_BETWEEN_ATTEMPTS", 0.01)
    yield server
    server.shutdown()
    server.server_close()


def everything_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_file_is_downloaded_once_and_kept_afterwards(server, tmp_path):
    file = file_of(b"one two\n")
    server.files[file.sources[0]] = b"one two\n"
    assert list(fetch([file], tmp_path)) == ["fetched"]
    assert list(fetch([file], tmp_path)) == ["already there"]
    assert (tmp_path / "zoo/train.txt").read_bytes() == b"one two\n"
    assert len(server.requests) == 1


def test_a_wrong_checksum_is_refused_and_leaves_nothing_behind(server, tmp_path):
    file = file_of(b"what was published")
    server.files[file.sources[0]] = b"something else"
    with pytest.raises(ConfigurationError, match=r"zoo/train\.txt .* wrong checksum"):
        list(fetch([file], tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_broken_connection_is_continued_where_it_broke(server, tmp_path):
    content = bytes(range(256)) * 40
    file = file_of(content)
    server.files[file.sources[0]], server.cut_after = content, 4000
    assert list(fetch([file], tmp_path)) == ["fetched"]
    assert (tmp_path / file.path).read_bytes() == content
    assert [range for _, range in server.requests] == [None, "bytes=4000-", "bytes=8000-"]


def test_a_connection_that_always_breaks_leaves_nothing_behind_and_the_next_call_continues(server, tmp_path):
    whole, broken = file_of(b"short"), file_of(b"x" * 100_000, "zoo/dev.txt")
    server.files = {whole.sources[0]: b"short", broken.sources[0]: b"x" * 100_000}
    server.cut_after = 1000
    with pytest.raises(ConfigurationError, match=r"dev\.txt could not be downloaded"):
        list(fetch([whole, broken], tmp_path))
    assert everything_below(tmp_path) == ["zoo/train.txt"]
    server.cut_after = None
    assert list(fetch([whole, broken], tmp_path)) == ["already there", "fetched"]


def test_a_different_file_is_not_overwritten_unless_forced(server, tmp_path):
    file = file_of(b"published")
    server.files[file.sources[0]] = b"published"
    (tmp_path / "zoo").mkdir()
    (tmp_path / file.path).write_bytes(b"mine")
    with pytest.raises(ConfigurationError, match="--force"):
        list(fetch([file], tmp_path))
    assert (tmp_path / file.path).read_bytes() == b"mine"
    assert list(fetch([file], tmp_path, overwrite=True)) == ["fetched"]


def test_a_file_may_be_at_the_second_of_its_places(server, tmp_path):
    file = CorpusFile("zoo/a", ("someone/zoo/1/old/a", "someone/zoo/1/new/a"), hashlib.sha256(b"a").hexdigest())
    server.files["someone/zoo/1/new/a"] = b"a"
    assert list(fetch([file], tmp_path)) == ["fetched"]
    server.files.clear()
    (tmp_path / "zoo/a").unlink()
    with pytest.raises(ConfigurationError, match="does not have zoo/a"):
        list(fetch([file], tmp_path))


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(ConfigurationError, match="Did you mean wnut17"):
        find("wnut_17")


def test_every_corpus_has_a_reader_and_says_how_to_get_it():
    for entry in catalogue().values():
        assert entry.reader in Corpus.list_available()
        assert entry.parts or (entry.where and entry.layout)


@needs_corpora
@pytest.mark.parametrize("name", [name for name, entry in catalogue().items() if entry.parts])
def test_the_catalogue_downloads_the_real_files(name, server, tmp_path):
    files = list(find(name).files())
    server.files = {file.sources[-1]: (DATA / file.path).read_bytes() for file in files}
    assert set(fetch(files, tmp_path)) == {"fetched"}
    assert everything_below(tmp_path) == sorted(file.path for file in files)


@needs_corpora
def test_the_command_lists_downloads_and_says_where_to_apply(server, tmp_path):
    files = list(find("wnut17").files())
    server.files = {file.sources[0]: (DATA / file.path).read_bytes() for file in files}
    command = [Path(sys.executable).with_name("allennlp"), "corpus"]
    listed = subprocess.run([*command, "list", "--json"], capture_output=True, text=True, check=True).stdout
    assert {json.loads(line)["name"] for line in listed.splitlines()} == set(catalogue())
    got = subprocess.run(
        [*command, "get", "wnut17", "ontonotes", "--data", tmp_path], capture_output=True, text=True, check=False
    )
    assert got.returncode == 1
    assert "CC BY 4.0" in got.stdout and "3 files downloaded" in got.stdout
    assert "LDC2013T19" in got.stderr and "Traceback" not in got.stderr
    assert (tmp_path / "wnut17/wnut17train.conll").exists()
