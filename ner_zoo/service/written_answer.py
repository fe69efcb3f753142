"""
Writes the response to one input as JSON while the rest of the input is still being processed.

The response to a long text is long as well: writing it at once would block other requests.
"""

from ner_zoo.annotation import Sentence
from ner_zoo.labels.prediction import Prediction
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.document_text import COMPACT
from ner_zoo.predictors.options import Options
from ner_zoo.service.responses import to_bytes


class WrittenAnswer:
    """
    text : text of the input.
    options : which predictions to return.
    size : number of bytes written so far. entities : number of entities in them.
    """

    def __init__(self, text: str, options: Options) -> None:
        self.options = options
        self.size = len(text)
        self.entities = 0
        self._unwritten = Document(text)
        names = ("tokens", "sentences", "entities", "relations", *(("taggings",) if options.top_k else ()))
        self._written: dict[str, list[bytes]] = {name: [] for name in names}
        self._error: Exception | None = None

    def add(self, sentence: Sentence, prediction: Prediction) -> None:
        """Adds the next sentence of the text."""
        self._unwritten.sentences.append(sentence)
        self._unwritten.predictions.append(prediction)

    def fail(self, error: Exception) -> None:
        """Records that the model failed on a sentence: there is no output."""
        self._error = error

    def write(self) -> None:
        """Writes what was added. Taggings apply to the whole text, and are written at the end."""
        if not self.options.top_k and self._unwritten.sentences:
            self._write()

    def written(self) -> tuple[bytes, bool]:
        """The JSON, and whether it is an error."""
        if self._error is not None:
            return to_bytes({"error": _message(self._error)}), True
        self._write()
        lists = (b'"%s":[%s]' % (name.encode(), b",".join(items)) for name, items in self._written.items())
        content = b'{"text":%s,%s}' % (to_bytes(self._unwritten.text), b",".join(lists))
        self.size = len(content)
        return content, False

    def _write(self) -> None:
        part = self._unwritten.without_tokens(self.options)
        for relation in part["relations"]:
            relation["head"] += self.entities
            relation["tail"] += self.entities
        self.entities += len(part["entities"])
        for name, items in self._written.items():
            content = COMPACT.tokens(self._unwritten).encode() if name == "tokens" else to_bytes(part[name])
            if content != b"[]":
                items.append(content[1:-1])
                self.size += len(items[-1])
        self._unwritten = Document(self._unwritten.text)


def _message(error: Exception) -> str:
    return error.message if isinstance(error, ConfigurationError) else f"{type(error).__name__}: {error}"
