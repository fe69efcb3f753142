"""
In distributed training every process validates the whole of its share.

AllenNLP stops all processes as soon as one has no batch left, and what the others still had counts for nothing. It has
to, for the metrics of some models talk to the other processes at every batch. Models whose metrics add up at the end
(`counts_alone`) are validated by each process for itself, without the wrapper that keeps processes in step.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from allennlp.training import GradientDescentTrainer


@contextmanager
def independent_validation(trainer: GradientDescentTrainer) -> Iterator[None]:
    """Within it, a validation pass of this process does not wait for the others, nor stop with them."""
    if not trainer._distributed or not getattr(trainer.model, "counts_alone", False):
        yield
        return
    wrapped = trainer._ddp_wrapped_model
    trainer._distributed, trainer._ddp_wrapped_model = False, None
    try:
        yield
    finally:
        trainer._distributed, trainer._ddp_wrapped_model = True, wrapped
