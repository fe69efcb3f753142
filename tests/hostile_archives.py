"""Malicious archives for the tests that open them: each takes the files of a good model and changes something."""

import gzip
import io
import json
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import spacy
import torch

Members = dict[str, bytes]
Config = dict[str, Any]

ENCODER = Path("fixtures/tiny_encoder").absolute()
EVIL_CODE = "import os\nos.mkdir({harm!r})\nclass X:\n    def __init__(self, **kwargs): pass\n"


class Harmful:
    """Creates a folder when it is unpickled."""

    def __init__(self, trace: str) -> None:
        self.trace = trace

    def __reduce__(self) -> Any:
        return os.mkdir, (self.trace,)


class Scene(NamedTuple):
    """
    members : the files of a good archive.
    folder : for files that the archive needs; also the current folder when the archive is opened.
    harm : a folder that only code of the archive would create.
    """

    members: Members
    folder: Path
    harm: str

    @property
    def archive(self) -> Path:
        return self.folder / "evil.tar.gz"

    def with_config(self, change: Callable[[Config], Any]) -> Path:
        config = json.loads(self.members["config.json"])
        change(config)
        return pack(self.archive, {**self.members, "config.json": json.dumps(config).encode()})

    def pickle(self) -> bytes:
        buffer = io.BytesIO()
        torch.save({"weight": Harmful(self.harm)}, buffer)
        return buffer.getvalue()

    def encoder(self, has_pickle: bool = False, **settings: Any) -> str:
        """The folder of an encoder that is not what it seems."""
        folder = self.folder / "encoder"
        shutil.copytree(ENCODER, folder)
        if has_pickle:
            (folder / "model.safetensors").unlink()
            (folder / "pytorch_model.bin").write_bytes(self.pickle())
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, **settings}))
        (folder / "evil_code.py").write_text(EVIL_CODE.format(harm=self.harm))
        return str(folder)

    def module(self) -> str:
        """The name of a class in a module of the current folder."""
        (self.folder / "evilmod.py").write_text(EVIL_CODE.format(harm=self.harm))
        return "evilmod.X"


def members_of(archive: Path) -> Members:
    with tarfile.open(archive) as opened:
        return {member.name: opened.extractfile(member).read() for member in opened if member.isreg()}  # type: ignore


def pack(path: Path, members: Members, *first: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT, compresslevel=1) as archive:
        for member in first:
            archive.addfile(member, io.BytesIO(bytes(member.size)))
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def embedder(**arguments: Any) -> Callable[[Config], Any]:
    """Adds an embedder and its indexer to a config."""

    def change(config: Config) -> None:
        config["model"]["embedder"]["token_embedders"]["evil"] = arguments
        indexers = config["dataset_reader"].setdefault("token_indexers", {})
        indexers["evil"] = {"type": "single_id"}

    return change


def pickle_for_the_data_loader(scene: Scene) -> Path:
    part = {
        "type": "allennlp.modules.token_embedders.PretrainedTransformerEmbedder",
        "model_name": scene.encoder(has_pickle=True),
        "transformer_kwargs": {"weights_only": False},
    }
    return scene.with_config(lambda config: config.update(validation_data_loader=part))


def pickle_for_an_encoder(scene: Scene) -> Path:
    name = scene.encoder(has_pickle=True)
    kwargs = {"weights_only": False, "use_safetensors": False}
    return scene.with_config(embedder(type="pretrained_transformer", model_name=name, transformer_kwargs=kwargs))


def pickle_for_an_encoder_without_asking(scene: Scene) -> Path:
    return scene.with_config(embedder(type="pretrained_transformer", model_name=scene.encoder(has_pickle=True)))


def pickle_that_overrides_an_encoder(scene: Scene) -> Path:
    (scene.folder / "weights.bin").write_bytes(scene.pickle())
    change = embedder(
        type="pretrained_transformer",
        model_name=scene.encoder(),
        override_weights_file=str(scene.folder / "weights.bin"),
    )
    return scene.with_config(change)


def pickle_as_weights(scene: Scene) -> Path:
    return pack(scene.archive, {**scene.members, "weights.th": scene.pickle()})


def pickle_in_an_archive_it_goes_on_from(scene: Scene) -> Path:
    inner = pack(scene.folder / "inner.tar.gz", {**scene.members, "weights.th": scene.pickle()})
    return scene.with_config(lambda config: config.update(model={"type": "from_archive", "archive_file": str(inner)}))


def pickle_in_an_archive_of_a_module(scene: Scene) -> Path:
    inner = pack(scene.folder / "inner.tar.gz", {**scene.members, "weights.th": scene.pickle()})
    part = {"_pretrained": {"archive_file": str(inner), "module_path": "encoder"}}
    return scene.with_config(lambda config: config["model"].update(encoder=part))


def code_beside_an_encoder(scene: Scene) -> Path:
    name = scene.encoder(auto_map={"AutoModel": "evil_code.X", "AutoConfig": "evil_code.X"}, model_type="evil")
    change = embedder(type="pretrained_transformer", model_name=name, transformer_kwargs={"trust_remote_code": True})
    return scene.with_config(change)


def code_beside_an_encoder_without_asking(scene: Scene) -> Path:
    name = scene.encoder(auto_map={"AutoModel": "evil_code.X", "AutoConfig": "evil_code.X"}, model_type="evil")
    return scene.with_config(embedder(type="pretrained_transformer", model_name=name))


def code_for_the_tokenizer(scene: Scene) -> Path:
    name = scene.encoder(auto_map={"AutoTokenizer": ["evil_code.X", None]})
    indexer = {"type": "word_pieces", "model_name": name, "tokenizer_kwargs": {"trust_remote_code": True}}
    return scene.with_config(lambda config: config["dataset_reader"].update(token_indexers={"evil": indexer}))


def program(key: str) -> Callable[[Scene], Path]:
    def build(scene: Scene) -> Path:
        part = {"type": "subprocess.Popen", "args": ["mkdir", scene.harm]}
        return scene.with_config(lambda config: config.update({key: part}))

    return build


def module_of_current_folder(key: str) -> Callable[[Scene], Path]:
    def build(scene: Scene) -> Path:
        name = scene.module()
        return scene.with_config(lambda config: config.update({key: {"type": name}}))

    return build


def module_as_a_bare_name(scene: Scene) -> Path:
    name = scene.module()
    return scene.with_config(lambda config: config.update(validation_data_loader={"batch_sampler": name}))


def module_as_a_loss(scene: Scene) -> Path:
    name = scene.module()
    return scene.with_config(lambda config: config["model"].update(loss=name))


def module_as_a_pipeline_of_spacy(scene: Scene) -> Path:
    scene.module()
    metadata = scene.folder / "evilmod-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: evilmod\nVersion: 1.0\n")
    part = {"type": "spacy", "language": "evilmod"}
    return scene.with_config(lambda config: config["dataset_reader"].update(tokenizer=part))


def pipeline_of_spacy_to_download(scene: Scene) -> Path:
    part = {"type": "spacy", "language": "en_core_web_nothing"}
    return scene.with_config(lambda config: config["dataset_reader"].update(tokenizer=part))


def url_of_elmo(scene: Scene) -> Path:
    files = {name: f"http://127.0.0.1:9/{name}" for name in ("options_file", "weight_file")}
    return scene.with_config(embedder(type="elmo_token_embedder", **files))


def url_of_an_archive(scene: Scene) -> Path:
    part = {"type": "from_archive", "archive_file": "http://127.0.0.1:9/model.tar.gz"}
    return scene.with_config(lambda config: config.update(model=part))


def name_on_the_hub(scene: Scene) -> Path:
    return scene.with_config(embedder(type="pretrained_transformer", model_name="nobody/nothing"))


def path_outside(scene: Scene) -> Path:
    return scene.with_config(embedder(type="elmo_token_embedder", options_file="/etc/passwd", weight_file="/etc/hosts"))


def path_in_the_current_folder(scene: Scene) -> Path:
    (scene.folder / "private.json").write_text("{}")
    change = embedder(type="elmo_token_embedder", options_file="private.json", weight_file="private.json")
    return scene.with_config(change)


def encoder_of_this_machine(scene: Scene) -> Path:
    return scene.with_config(embedder(type="pretrained_transformer", model_name=str(ENCODER)))


def encoder_in_the_current_folder(scene: Scene) -> Path:
    name = Path(scene.encoder()).name
    return scene.with_config(embedder(type="pretrained_transformer", model_name=name))


def pipeline_of_spacy_in_the_current_folder(scene: Scene) -> Path:
    spacy.blank("en").to_disk(scene.folder / "pipeline")
    part = {"type": "spacy", "language": "pipeline"}
    return scene.with_config(lambda config: config["dataset_reader"].update(tokenizer=part))


def command_of_a_metric(scene: Scene) -> Path:
    """AllenNLP passes the folder of EVALB to a shell when the first batch is scored."""
    part = {
        "type": "constituency_parser",
        "text_field_embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 2}}},
        "span_extractor": {"type": "endpoint", "input_dim": 2},
        "encoder": {"type": "pass_through", "input_dim": 2},
        "evalb_directory_path": f".; mkdir {scene.harm}; true",
    }
    return scene.with_config(lambda config: config.update(model=part))


def folder_for_a_cache(scene: Scene) -> Path:
    part = {
        "type": "vqav2",
        "image_dir": ".",
        "feature_cache_dir": "features/new",
        "run_image_feature_extraction": False,
    }
    return scene.with_config(lambda config: config.update(dataset_reader=part))


def many_processes(scene: Scene) -> Path:
    part = {"batch_size": 2, "num_workers": 100_000}
    return scene.with_config(lambda config: config.update(validation_data_loader=part))


def archive_that_names_itself(scene: Scene) -> Path:
    part = {"type": "from_archive", "archive_file": str(scene.archive)}
    return scene.with_config(lambda config: config.update(model=part))


def many_bytes(scene: Scene) -> Path:
    """64 megabytes of zeros in a few hundred kilobytes, repeatedly: the end of a gzip file may be repeated."""
    member = tarfile.TarInfo("zeros")
    member.size = 1 << 40
    zeros = gzip.compress(bytes(1 << 26), compresslevel=9)
    scene.archive.write_bytes(gzip.compress(member.tobuf()) + zeros * 4)
    return scene.archive


def many_holes(scene: Scene) -> Path:
    """A sparse file: a terabyte of which two bytes are stored."""
    member = tarfile.TarInfo("holes")
    member.size = 2
    member.pax_headers = {"GNU.sparse.map": f"0,1,{1 << 40},1", "GNU.sparse.size": str((1 << 40) + 1)}
    return pack(scene.archive, scene.members, member)


def long_header(scene: Scene) -> Path:
    member = tarfile.TarInfo("header")
    member.pax_headers = {"comment": "a" * (1 << 24)}
    return pack(scene.archive, scene.members, member)


def many_members(scene: Scene) -> Path:
    return pack(scene.archive, scene.members, *(tarfile.TarInfo(f"vocabulary/{n}.txt") for n in range(1_100)))


def deep_folders(scene: Scene) -> Path:
    """Nested folders, so deep that Python cannot delete them."""
    folders = [tarfile.TarInfo("/".join(["f"] * depth)) for depth in range(400, 2000, 400)]
    for folder in folders:
        folder.type = tarfile.DIRTYPE
    return pack(scene.archive, scene.members, *folders)


def large_config(scene: Scene) -> Path:
    config = scene.members["config.json"].rstrip().removesuffix(b"}") + b" " * (1 << 25) + b"}"
    return pack(scene.archive, {**scene.members, "config.json": config})


def compressed_weights(scene: Scene) -> Path:
    """A zip file in the gzip file: the limits on unpacking do not see it, and torch would unpack it to memory."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(scene.members["weights.th"])) as stored,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as compressed,
    ):
        for name in stored.namelist():
            compressed.writestr(name, stored.read(name))
    return pack(scene.archive, {**scene.members, "weights.th": buffer.getvalue()})


def member_outside(scene: Scene) -> Path:
    member = tarfile.TarInfo("../escaped")
    member.size = 4
    return pack(scene.archive, scene.members, member)


def link_to_a_file(scene: Scene) -> Path:
    member = tarfile.TarInfo("link")
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return pack(scene.archive, scene.members, member)


HOSTILE: list[Callable[[Scene], Path]] = [
    pickle_for_the_data_loader,
    pickle_for_an_encoder,
    pickle_for_an_encoder_without_asking,
    pickle_that_overrides_an_encoder,
    pickle_as_weights,
    pickle_in_an_archive_it_goes_on_from,
    pickle_in_an_archive_of_a_module,
    code_beside_an_encoder,
    code_beside_an_encoder_without_asking,
    code_for_the_tokenizer,
    *map(program, ("model", "dataset_reader", "validation_data_loader", "evaluation")),
    *map(module_of_current_folder, ("model", "dataset_reader", "validation_data_loader", "evaluation", "vocabulary")),
    module_as_a_bare_name,
    module_as_a_loss,
    module_as_a_pipeline_of_spacy,
    pipeline_of_spacy_to_download,
    url_of_elmo,
    url_of_an_archive,
    name_on_the_hub,
    path_outside,
    path_in_the_current_folder,
    encoder_of_this_machine,
    encoder_in_the_current_folder,
    pipeline_of_spacy_in_the_current_folder,
    command_of_a_metric,
    folder_for_a_cache,
    many_processes,
    archive_that_names_itself,
    many_bytes,
    many_holes,
    long_header,
    many_members,
    deep_folders,
    large_config,
    compressed_weights,
    member_outside,
    link_to_a_file,
]
# Only `evaluate` builds the malicious parts of these.
ONLY_EVALUATED = ("module_as_a_bare_name",)


def name_of(build: Any) -> str:
    closure = [cell.cell_contents for cell in build.__closure__ or ()]
    return " ".join([build.__qualname__.partition(".")[0], *map(str, closure)])
