"""
Unlabelled text for distillation: tweets that ship with a package on PyPI.

    pip download --no-deps --no-binary :all: vaderSentiment==3.3.2
    python -m results.unlabelled_text vaderSentiment-3.3.2.tar.gz $NER_ZOO_DATA/text/tweets.txt.gz

The texts are those of Hutto and Gilbert (2014), MIT licence; their ratings are left out.
"""

import argparse
import gzip
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

INNER = "additional_resources/hutto_ICWSM_2014.tar.gz"
TWEETS = "hutto_ICWSM_2014/tweets_GroundTruth.txt"


def texts(package: str) -> Iterator[str]:
    """Each distinct text, from lines `number TAB rating TAB text`."""
    seen = set()
    with tarfile.open(package) as outer:
        (inner,) = [name for name in outer.getnames() if name.endswith(INNER)]
        content = outer.extractfile(inner)
        assert content is not None
        with tarfile.open(fileobj=io.BytesIO(content.read())) as files:
            file = files.extractfile(TWEETS)
            assert file is not None
            for line in file.read().decode("utf-8").splitlines():
                text = " ".join(line.split("\t")[2].split())
                if text and text not in seen:
                    seen.add(text)
                    yield text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the tweets of a package as lines of text.")
    parser.add_argument("package", help="vaderSentiment-3.3.2.tar.gz")
    parser.add_argument("output", help="a .txt.gz, a text on each line")
    arguments = parser.parse_args()
    Path(arguments.output).parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(arguments.output, "wt", encoding="utf-8") as output:
        output.writelines(f"{text}\n" for text in texts(arguments.package))
