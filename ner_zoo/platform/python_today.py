"""AllenNLP 2.10.1 on current Python: one function per incompatibility."""

from collections.abc import Callable
from types import ModuleType, UnionType
from typing import Any, Union


def understand_new_unions(from_params: ModuleType) -> None:
    """
    Supports annotations of the form `Part | None` (Python 3.10), which AllenNLP ignores, passing on the bare
    dict.
    """
    original = from_params.remove_optional

    def remove_optional(annotation: Any) -> Any:
        return original(Union[annotation.__args__] if isinstance(annotation, UnionType) else annotation)  # noqa: UP007

    from_params.remove_optional = remove_optional  # type: ignore[attr-defined]


def lock_workers_in_their_own_context(data: ModuleType) -> None:
    """
    Python 3.11.5 refuses to pass a lock of one start method to a process of another. AllenNLP passes a fork lock to the
    workers of its data loader even if `start_method` is "spawn".
    """
    from allennlp.common import Tqdm

    def start(work: Callable[..., None], count: int, queue: Any, context: Any) -> tuple[list[Any], list[Any]]:
        Tqdm.set_lock(context.RLock())
        workers, senders = [], []
        for worker_id in range(count):
            receiver, sender = context.Pipe(duplex=False)
            arguments = (worker_id, queue, Tqdm.get_lock(), receiver)
            worker = context.Process(target=work, args=arguments, daemon=True)
            worker.start()
            workers.append(worker)
            senders.append(sender)
        return workers, senders

    def start_instance_workers(self: Any, queue: Any, ctx: Any) -> tuple[list[Any], list[Any]]:
        return start(self._instance_worker, self.num_workers, queue, ctx)

    def start_batch_workers(self: Any, queue: Any, ctx: Any) -> tuple[list[Any], list[Any]]:
        return start(self._batch_worker, self.num_workers, queue, ctx)

    data.data_loaders.MultiProcessDataLoader._start_instance_workers = start_instance_workers
    data.data_loaders.MultiProcessDataLoader._start_batch_workers = start_batch_workers
