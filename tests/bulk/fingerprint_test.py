from pathlib import Path

from ner_zoo.bulk.fingerprint import fingerprint


def test_a_file_is_recognised_by_its_content_alone(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "b").write_bytes(b"one")
    assert fingerprint(str(tmp_path / "a")) == fingerprint(str(tmp_path / "b"))
    (tmp_path / "b").write_bytes(b"two")
    assert fingerprint(str(tmp_path / "a")) != fingerprint(str(tmp_path / "b"))


def test_a_folder_is_identified_by_the_names_and_contents_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "vocabulary").mkdir()
    (tmp_path / "vocabulary" / "labels.txt").write_text("PER")
    seen = {fingerprint(str(tmp_path))}
    (tmp_path / "vocabulary" / "labels.txt").write_text("LOC")
    seen.add(fingerprint(str(tmp_path)))
    (tmp_path / "vocabulary" / "labels.txt").rename(tmp_path / "labels.txt")
    seen.add(fingerprint(str(tmp_path)))
    assert len(seen) == 3
