"""Handcrafted malicious archives do no harm, and broken ones are reported in one error."""

import io
import json
import os
import tarfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model, load_archive
from allennlp.nn import Activation
from allennlp.nn.initializers import PretrainedModelInitializer

from ner_zoo.platform.archives import archive_config, copy_archive

Members = dict[str, bytes]


def members_of(archive: Path) -> Members:
    with tarfile.open(archive) as opened:
        return {member.name: opened.extractfile(member).read() for member in opened if member.isreg()}  # type: ignore


def pack(path: Path, members: Members, extra: tarfile.TarInfo | None = None, content: bytes = b"") -> Path:
    with tarfile.open(path, "w:gz") as archive:
        if extra is not None:
            extra.size = len(content)
            archive.addfile(extra, io.BytesIO(content))
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = link
    return info


@pytest.fixture
def members(stock_run: Path) -> Members:
    return members_of(stock_run / "model.tar.gz")


def changed_config(members: Members, change: Callable[[dict[str, Any]], None]) -> Members:
    config = json.loads(members["config.json"])
    change(config)
    return {**members, "config.json": json.dumps(config).encode()}


def test_a_good_archive_opens(members: Members, tmp_path: Path, stock_run: Path) -> None:
    archive = load_archive(pack(tmp_path / "good.tar.gz", members))
    weights = torch.load(stock_run / "best.th", weights_only=True)
    assert torch.equal(
        archive.model.state_dict()["tag_projection_layer._module.weight"],
        weights["tag_projection_layer._module.weight"],
    )


def test_the_folder_of_a_run_opens(stock_run: Path) -> None:
    assert isinstance(load_archive(stock_run).model, Model)


@pytest.mark.parametrize(
    "evil",
    [
        member("../escaped.txt"),
        member("vocabulary/../../escaped.txt"),
        member("{folder}/escaped.txt"),
        member("link", tarfile.SYMTYPE, "{folder}"),
        member("inner", tarfile.SYMTYPE, "config.json"),
        member("hard", tarfile.LNKTYPE, "../escaped.txt"),
        member("device", tarfile.CHRTYPE),
        member("pipe", tarfile.FIFOTYPE),
    ],
    ids=lambda info: info.name,
)
def test_nothing_is_unpacked_outside_of_the_folder(
    evil: tarfile.TarInfo, members: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    temporary = outside / "temporary"
    temporary.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    evil.name = evil.name.format(folder=outside)
    evil.linkname = evil.linkname.format(folder=outside)
    archive = pack(tmp_path / "evil.tar.gz", members, evil, b"harm" if evil.isreg() else b"")
    with pytest.raises(ConfigurationError, match="evil.tar.gz is refused"):
        load_archive(archive)
    assert [path.name for path in outside.rglob("*")] == ["temporary"]


def test_nothing_is_written_through_a_link(members: Members, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    archive = pack(
        tmp_path / "evil.tar.gz", {"link/escaped.txt": b"harm", **members}, member("link", tarfile.SYMTYPE, str(victim))
    )
    with pytest.raises(ConfigurationError, match="a link, a device"):
        load_archive(archive)
    assert not list(victim.iterdir())


class Harmful:
    def __init__(self, trace: str) -> None:
        self.trace = trace

    def __reduce__(self) -> Any:
        return os.mkdir, (self.trace,)


@pytest.mark.parametrize("environment", [None, "1"])
def test_weights_cannot_run_code(
    environment: str | None, members: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if environment is not None:
        monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", environment)
    buffer = io.BytesIO()
    torch.save({"weight": Harmful(str(tmp_path / "harm"))}, buffer)
    archive = pack(tmp_path / "evil.tar.gz", {**members, "weights.th": buffer.getvalue()})
    with pytest.raises(ConfigurationError, match="evil.tar.gz are refused.*could run code"):
        load_archive(archive)
    assert not (tmp_path / "harm").exists()
    assert os.environ.get("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD") == environment


def test_a_config_cannot_call_any_class(members: Members, tmp_path: Path) -> None:
    harm = {"type": "subprocess.Popen", "args": ["mkdir", "harm"]}
    for change in (lambda config: config.update(model=harm), lambda config: config.update(dataset_reader=harm)):
        archive = pack(tmp_path / "evil.tar.gz", changed_config(members, change))
        with pytest.raises(ConfigurationError, match="is 'subprocess.Popen', which is not a registered part"):
            load_archive(archive)
    assert not (tmp_path / "harm").exists()


def test_a_class_may_be_given_by_its_full_name_if_the_user_names_its_package(
    members: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_name = "allennlp_models.tagging.models.crf_tagger.CrfTagger"
    archive = pack(
        tmp_path / "good.tar.gz", changed_config(members, lambda config: config["model"].update(type=full_name))
    )
    with pytest.raises(ConfigurationError, match="--include-package allennlp_models"):
        load_archive(archive)
    monkeypatch.setattr("ner_zoo.platform.archive_allowlist._packages_of_user", {"allennlp_models"})
    assert type(load_archive(archive).model).__name__ == "CrfTagger"


def test_the_user_may_name_any_class(tmp_path: Path) -> None:
    assert isinstance(Activation.by_name("torch.nn.GELU")(), torch.nn.GELU)


def test_a_config_cannot_trust_remote_code(members: Members, tmp_path: Path) -> None:
    def change(config: dict[str, Any]) -> None:
        config["dataset_reader"]["token_indexers"]["t"] = {"tokenizer_kwargs": {"trust_remote_code": True}}

    archive = pack(tmp_path / "evil.tar.gz", changed_config(members, change))
    with pytest.raises(ConfigurationError, match=r"dataset_reader.token_indexers.t.tokenizer_kwargs.trust_remote_code"):
        load_archive(archive)


def test_a_config_cannot_read_other_files(members: Members, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    program = f"{{model: importstr '{tmp_path}/secret'}}".encode()
    with pytest.raises(ConfigurationError, match="config.json in .* is not valid JSON") as caught:
        load_archive(pack(tmp_path / "evil.tar.gz", {**members, "config.json": program}))
    assert "secret'" not in str(caught.value)


@pytest.mark.parametrize("name", ["config.json", "weights.th", "vocabulary"])
def test_a_missing_member_is_named(name: str, members: Members, tmp_path: Path) -> None:
    rest = {key: value for key, value in members.items() if not key.startswith(name)}
    with pytest.raises(ConfigurationError, match=f"part.tar.gz has no {name}.*again"):
        load_archive(pack(tmp_path / "part.tar.gz", rest))


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_an_archive_that_was_cut_off_is_named(share: float, stock_run: Path, tmp_path: Path) -> None:
    whole = (stock_run / "model.tar.gz").read_bytes()
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(ConfigurationError, match="cut.tar.gz is not a complete .tar.gz file.*again"):
        load_archive(cut)


def test_a_byte_that_was_changed_is_noticed(stock_run: Path, tmp_path: Path) -> None:
    content = bytearray((stock_run / "model.tar.gz").read_bytes())
    content[len(content) // 2] ^= 0xFF
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(content)
    with pytest.raises(ConfigurationError, match="broken.tar.gz"):
        load_archive(broken)


def test_a_file_that_is_not_an_archive_is_reported(tmp_path: Path) -> None:
    (tmp_path / "text.tar.gz").write_bytes(b"no archive at all")
    with pytest.raises(ConfigurationError, match="text.tar.gz is not a complete .tar.gz file"):
        load_archive(tmp_path / "text.tar.gz")


def test_an_empty_file_is_called_empty_whatever_it_was_meant_to_be(tmp_path: Path) -> None:
    (tmp_path / "model.ner").write_bytes(b"")
    with pytest.raises(ConfigurationError, match="model.ner is empty. Copy or download it again.$"):
        load_archive(tmp_path / "model.ner")
    with pytest.raises(ConfigurationError, match="model.ner is empty. Copy or download it again.$"):
        archive_config(tmp_path / "model.ner")


@pytest.mark.parametrize("weights", [b"", b"nonsense", None], ids=["empty", "nonsense", "cut"])
def test_a_file_that_is_not_weights_is_reported(weights: bytes | None, members: Members, tmp_path: Path) -> None:
    if weights is None:
        weights = members["weights.th"][: len(members["weights.th"]) // 2]
    with pytest.raises(ConfigurationError, match="weights in .*bad.tar.gz.*again"):
        load_archive(pack(tmp_path / "bad.tar.gz", {**members, "weights.th": weights}))


def test_weights_of_another_model_are_named(members: Members, tmp_path: Path) -> None:
    other = changed_config(members, lambda config: config["model"]["encoder"].update(hidden_size=5))
    with pytest.raises(ConfigurationError, match="weights in .*other.tar.gz do not match"):
        load_archive(pack(tmp_path / "other.tar.gz", other))


def test_a_missing_archive_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no archive .*nowhere.tar.gz"):
        load_archive(tmp_path / "nowhere.tar.gz")


def test_an_initializer_opens_archives_as_safely(members: Members, tmp_path: Path) -> None:
    archive = pack(tmp_path / "evil.tar.gz", members, member("../escaped.txt"), b"harm")
    with pytest.raises(ConfigurationError, match="evil.tar.gz is refused"):
        PretrainedModelInitializer(str(archive))


def test_no_temporary_folder_is_left(members: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    load_archive(pack(tmp_path / "good.tar.gz", members))
    with pytest.raises(ConfigurationError):
        load_archive(pack(tmp_path / "evil.tar.gz", members, member("../escaped.txt"), b"harm"))
    assert not list((tmp_path / "temporary").iterdir())


def test_an_archive_is_copied_with_another_config(stock_run: Path, tmp_path: Path) -> None:
    config = archive_config(stock_run / "model.tar.gz")
    assert config == archive_config(stock_run) and config["model"]["dropout"] == 0.3
    config["model"]["dropout"] = 0.0
    copy_archive(stock_run / "model.tar.gz", tmp_path / "new" / "copy.tar.gz", config)
    copied = load_archive(tmp_path / "new" / "copy.tar.gz")
    assert copied.config["model"]["dropout"] == 0.0
    weights = load_archive(stock_run / "model.tar.gz").model.state_dict()
    assert all(torch.equal(value, weights[name]) for name, value in copied.model.state_dict().items())
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["copy.tar.gz"]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused(number: float, members: Members, tmp_path: Path) -> None:
    weights = torch.load(io.BytesIO(members["weights.th"]), weights_only=True)
    name = "tag_projection_layer._module.weight"
    weights[name][0, 0] = number
    buffer = io.BytesIO()
    torch.save(weights, buffer)
    with pytest.raises(ConfigurationError, match=f"bad.tar.gz are refused: {name} contains infinite"):
        load_archive(pack(tmp_path / "bad.tar.gz", {**members, "weights.th": buffer.getvalue()}))


def test_archives_are_opened_in_threads_at_once(members: Members, tmp_path: Path) -> None:
    """Another thread, which opens no archive, may unpickle its own data."""
    buffer = io.BytesIO()
    torch.save({"weight": Harmful(str(tmp_path / "harm"))}, buffer)
    good = pack(tmp_path / "good.tar.gz", members)
    evil = pack(tmp_path / "evil.tar.gz", {**members, "weights.th": buffer.getvalue()})
    own = tmp_path / "own.th"
    torch.save(Fraction(1, 3), own)
    environment = dict(os.environ)

    def work(number: int) -> Any:
        if number % 3 == 0:
            return type(load_archive(good).model).__name__
        if number % 3 == 1:
            return torch.load(own, weights_only=False)
        with pytest.raises(ConfigurationError, match="evil.tar.gz are refused"):
            load_archive(evil)
        return "refused"

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(work, range(18)))
    assert done == ["CrfTagger", Fraction(1, 3), "refused"] * 6
    assert dict(os.environ) == environment and not (tmp_path / "harm").exists()


def test_a_path_that_the_user_overrides_is_the_users(members: Members, tmp_path: Path) -> None:
    place = "dataset_reader.token_indexers.tokens.namespace"
    good = pack(tmp_path / "good.tar.gz", members)
    assert load_archive(good, overrides=json.dumps({place: "/of/user"})).config["dataset_reader"]
    tokens = {"type": "single_id", "namespace": "/of/stranger"}
    evil = changed_config(members, lambda config: config["dataset_reader"]["token_indexers"].update(tokens=tokens))
    with pytest.raises(ConfigurationError, match=f"{place} names /of/stranger, which is outside"):
        load_archive(pack(tmp_path / "evil.tar.gz", evil), overrides='{"model.dropout": 0.1}')
