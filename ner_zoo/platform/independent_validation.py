"""
In distributed training, every process validates all of its own data.

AllenNLP stops all processes as soon as one has no batches left, and ignores the rest of the others' data. It must,
because the metrics of some models communicate between processes at every batch. Models whose metrics are summed at the
end (`counts_alone`) are validated by each process independently, without the DDP wrapper.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from allennlp.training import GradientDescentTrainer


@contextmanager
def independent_validation(trainer: GradientDescentTrainer) -> Iterator[None]:
    """Context in which a validation pass of this process neither waits for the others nor stops with them."""
    if not trainer._distributed or not getattr(trainer.model, "counts_alone", False):
        yield
        return
    wrapped = trainer._ddp_wrapped_model
    trainer._distributed, trainer._ddp_wrapped_model = False, None
    try:
        yield
    finally:
        trainer._distributed, trainer._ddp_wrapped_model = True, wrapped
