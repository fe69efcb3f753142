"""
ONNX graphs, ready to run.
"""

from collections.abc import Mapping

from numpy import ndarray

from ner_zoo.light.export_file import AGAIN
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.extras import require

# Warnings of onnxruntime are about graphs, which users cannot change.
ERRORS_ONLY = 3


class Graph:
    """
    name, content : of the graph in the export.
    threads : number of threads.
    """

    def __init__(self, name: str, content: bytes, threads: int = 1) -> None:
        require("onnxruntime", "An exported model", "light")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS_ONLY
        # Waiting threads would keep a core busy.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ConfigurationError(
                f"onnxruntime {onnxruntime.__version__} cannot open the graph {name!r} of the export: {error}. {AGAIN}"
            ) from error
        self._outputs = [output.name for output in self._session.get_outputs()]
        self._inputs = {one.name for one in self._session.get_inputs()}

    def __call__(self, inputs: Mapping[str, ndarray]) -> dict[str, ndarray]:
        """The outputs by name. Inputs that the graph does not use are left out."""
        used = {name: value for name, value in inputs.items() if name in self._inputs}
        return dict(zip(self._outputs, self._session.run(self._outputs, used)))
