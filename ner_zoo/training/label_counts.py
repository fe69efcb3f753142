"""
Counts the labels of the training data before training, for heads that need the counts.

The vocabulary's own counts are not suitable: they include the development data, and are missing in distributed
training, where workers read the vocabulary from files and each see a share of the data. A callback has access to the
trainer's loader, which contains only the training data; the shares are summed. This is one of the default callbacks,
does not have to be configured, and does nothing for other heads. A resumed run keeps the counts of its checkpoint.
"""

from collections import Counter, defaultdict

from allennlp.data import DataLoader
from allennlp.data.fields import TextField
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides

from ner_zoo.modules.label_aware_crf import LabelAwareCrf
from ner_zoo.platform.distributed import sum_over_processes
from ner_zoo.platform.run_callback import RunCallback


@TrainerCallback.register("label_counts")
class LabelCounts(RunCallback):
    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        heads = [module for module in trainer.model.modules() if isinstance(module, LabelAwareCrf)]
        waiting = [head for head in heads if not head.is_counted()]
        if waiting:
            counts = sum_over_processes(count_labels(trainer.data_loader))
            for head in waiting:
                head.count(counts.get(head.namespace, Counter()))


def count_labels(loader: DataLoader) -> dict[str, Counter]:
    """How often each label occurs in the loader's instances, by namespace; words are not counted."""
    counts: dict[str, Counter] = defaultdict(Counter)
    for instance in loader.iter_instances():
        for field in instance.fields.values():
            if not isinstance(field, TextField):
                field.count_vocab_items(counts)
    return dict(counts)
