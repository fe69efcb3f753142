"""
AllenNLP 2.10.1 on today's Python, torch and transformers: one small function per thing that broke.

Each function says what broke and since when, looks whether it is so here, and changes AllenNLP alone: torch,
transformers and the other libraries stay as they are for everybody else, but for two methods that transformers'
tokenizers get back. `apply` runs them all, once, before anything else of AllenNLP is imported.
"""

import functools
import importlib
import importlib.util
import inspect
from types import SimpleNamespace, UnionType
from typing import Any, Callable, ContextManager, Iterable, List, Optional, Set, Tuple, Union

import torch
from torch import Tensor

from ner_zoo.platform.config_parts import import_parts_from_anywhere
from ner_zoo.platform.stand_ins import AdamW, refusing, stand_in_for_module, stand_ins_for_names, stand_ins_for_packages


def without_vision_and_sharding() -> ContextManager[None]:
    """
    AllenNLP imports torchvision and fairscale whether or not they are used. torchvision's wheel on the registry does
    not load beside a CPU build of torch. fairscale has no wheel at all: it is built on the user's machine against the
    torch that is there, for nothing but `fairscale_fsdp` on several GPUs, so it is not among the requirements.
    """
    # transformers asks for torchvision once and remembers the answer, which must not be that of a stand-in.
    importlib.import_module("transformers.utils").is_torchvision_available()
    return stand_ins_for_packages("torchvision", "fairscale")


def without_publishing() -> ContextManager[None]:
    """huggingface_hub 1.0 dropped `HfFolder` and `Repository`, which `allennlp push-to-hf` is made of."""
    remedy = "huggingface_hub dropped it in 1.0: publish the archive with the command `hf upload`."
    names = {name: refusing(f"huggingface_hub.{name}", remedy) for name in ("HfFolder", "Repository")}
    return stand_ins_for_names(importlib.import_module("huggingface_hub"), names)


def without_loading_bert() -> ContextManager[None]:
    """
    transformers 5 takes seconds to load its BERT, and torch's compiler with it. AllenNLP does so at every start, for a
    table of activation functions; it gets one that is loaded when it is used.
    """

    class ActivationFunctions:
        def __getitem__(self, name: str) -> Any:
            return importlib.import_module("transformers.activations").ACT2FN[name]

    return stand_in_for_module("transformers.models.bert.modeling_bert", {"ACT2FN": ActivationFunctions()})


def import_modules() -> None:
    """All of AllenNLP that imports one of the above."""
    with without_vision_and_sharding(), without_publishing(), without_loading_bert():
        for name in ("nn.parallel", "nn.checkpoint", "modules.vision", "modules.transformer"):
            importlib.import_module(f"allennlp.{name}")


def import_optimizers() -> None:
    """transformers 4.50 dropped its `AdamW`, of which AllenNLP's `huggingface_adamw` is a subclass."""
    for name in ("data.data_collator", "optimization", "models"):
        # Loading more of transformers may rebuild the lazy package, which then forgets what was put into it.
        importlib.import_module(f"transformers.{name}")
    with stand_ins_for_names(importlib.import_module("transformers"), {"AdamW": AdamW}):
        importlib.import_module("allennlp.training.optimizers")


def keep_special_tokens_from_tokenizers() -> None:
    """
    AllenNLP tells `from_pretrained` to `add_special_tokens`, which transformers refuses since 4.44: it is the name of
    a method. The argument was only ever heard by `encode`, to which AllenNLP passes it each time as well.
    """
    from allennlp.data.tokenizers import PretrainedTransformerTokenizer

    original_init = PretrainedTransformerTokenizer.__init__

    @functools.cache
    def patch_loading() -> None:
        from allennlp.common import cached_transformers  # loads transformers' models: only when they are wanted

        original = cached_transformers.get_tokenizer

        def get_tokenizer(model_name: str, add_special_tokens: Optional[bool] = None, **kwargs: Any) -> Any:
            return original(model_name, **kwargs)

        cached_transformers.get_tokenizer = get_tokenizer

    @functools.wraps(original_init)
    def init(self: PretrainedTransformerTokenizer, *arguments: Any, **options: Any) -> None:
        patch_loading()
        original_init(self, *arguments, **options)

    PretrainedTransformerTokenizer.__init__ = init


def give_tokenizers_back_their_methods() -> None:
    """transformers 5.0 dropped `encode_plus`, the same as calling, and `build_inputs_with_special_tokens`."""
    from transformers import PreTrainedTokenizerBase

    def build_inputs_with_special_tokens(self: Any, token_ids_0: List[int]) -> List[int]:
        is_special = self("a", return_special_tokens_mask=True)["special_tokens_mask"]
        start = is_special.index(0)
        end = len(is_special) - is_special[::-1].index(0)
        frame = self("a")["input_ids"]
        return frame[:start] + list(token_ids_0) + frame[end:]

    if not hasattr(PreTrainedTokenizerBase, "encode_plus"):
        PreTrainedTokenizerBase.encode_plus = PreTrainedTokenizerBase.__call__
    if not hasattr(PreTrainedTokenizerBase, "build_inputs_with_special_tokens"):
        PreTrainedTokenizerBase.build_inputs_with_special_tokens = build_inputs_with_special_tokens


def load_training_state() -> None:
    """
    torch 2.6 loads weights only, unless told otherwise. A training state is no weights: it holds whatever the
    schedulers and callbacks of the run want to keep. It is read from the user's own run, while weights, which travel,
    stay weights only.
    """
    from allennlp.nn.util import device_mapping
    from allennlp.training.checkpointer import Checkpointer
    from allennlp.training.trainer import TrainerCheckpoint

    def load_checkpoint(self: Checkpointer) -> Optional[TrainerCheckpoint]:
        latest = self.find_latest_checkpoint()
        if latest is None:
            return None
        model_path, training_path = latest
        model_state = torch.load(model_path, map_location=device_mapping(-1), weights_only=True)
        training_state = torch.load(training_path, map_location=device_mapping(-1), weights_only=False)
        return TrainerCheckpoint(model_state, training_state)

    Checkpointer.load_checkpoint = load_checkpoint


def cache_tensors_that_load() -> None:
    """AllenNLP's `TensorCache` writes with the newest pickle protocol; since torch 2.6 only protocol 2 is read back."""
    from allennlp.common import file_utils

    class TensorCache(file_utils.TensorCache):
        def __setitem__(self, key: str, tensor: Tensor) -> None:
            if self.read_only:
                raise ValueError("cannot write to a read-only cache")
            tensor = tensor.detach().cpu().clone()
            buffer = file_utils.io.BytesIO()
            torch.save(tensor, buffer)
            with self.lmdb_env.begin(write=True) as transaction:
                transaction.put(key.encode(), buffer.getbuffer())
            self.cache_cache[key] = tensor

    file_utils.TensorCache.__setitem__ = TensorCache.__setitem__


def reduce_on_plateau_in_silence() -> None:
    """torch 2.7 dropped `verbose` from its learning rate schedulers; a config may still say it."""
    from allennlp.training.learning_rate_schedulers import ReduceOnPlateauLearningRateScheduler, pytorch_lr_schedulers

    if "verbose" in inspect.signature(torch.optim.lr_scheduler.ReduceLROnPlateau).parameters:
        return

    def init(
        self: Any,
        optimizer: pytorch_lr_schedulers.Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        threshold_mode: str = "rel",
        threshold: float = 1e-4,
        cooldown: int = 0,
        min_lr: Union[float, List[float]] = 0,
        eps: float = 1e-8,
    ) -> None:
        self.lr_scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(
            optimizer, mode, factor, patience, threshold, threshold_mode, cooldown, min_lr, eps
        )

    ReduceOnPlateauLearningRateScheduler.__init__ = init


def clip_sparse_gradients() -> None:
    """
    torch's clipping, by norm and by value, is written for dense gradients since 2.0. The gradient of an embedding
    with `sparse: true` is clipped through its values: the entries that it does not hold are zero, and stay so.
    """
    from allennlp.nn.parallel import ddp_accelerator
    from allennlp.training import gradient_descent_trainer, util

    def with_dense_gradient(parameter: Tensor) -> Tensor:
        if parameter.grad is None or not parameter.grad.is_sparse:
            return parameter
        parameter.grad = parameter.grad.coalesce()
        values = parameter.grad._values()
        stand_in = torch.empty_like(values)
        stand_in.grad = values
        return stand_in

    def clip_grad_norm_(parameters: Iterable[Tensor], max_norm: float) -> Tensor:
        return torch.nn.utils.clip_grad_norm_([with_dense_gradient(p) for p in parameters], max_norm)

    def clip_gradient(self: Any) -> None:
        if self._grad_clipping is None:
            return
        if self._scaler is not None:
            stage = self._scaler._per_optimizer_states[id(self.optimizer)]["stage"]
            if stage is not gradient_descent_trainer.OptState.UNSCALED:
                self._scaler.unscale_(self.optimizer)
        parameters = [with_dense_gradient(p) for p in self.model.parameters() if p.grad is not None]
        torch.nn.utils.clip_grad_value_(parameters, self._grad_clipping)

    for module in (gradient_descent_trainer, ddp_accelerator, util):
        module.clip_grad_norm_ = clip_grad_norm_
    gradient_descent_trainer.GradientDescentTrainer.clip_gradient = clip_gradient


def cast_without_warning() -> None:
    """`torch.cuda.amp` warns since torch 2.4, from every training process, that it has moved to `torch.amp`."""
    from allennlp.nn.parallel import ddp_accelerator
    from allennlp.training import gradient_descent_trainer

    def autocast(enabled: bool) -> torch.autocast:
        return torch.autocast("cuda" if torch.cuda.is_available() else "cpu", enabled=enabled)

    for module in (gradient_descent_trainer, ddp_accelerator):
        module.amp = SimpleNamespace(autocast=autocast, GradScaler=torch.amp.GradScaler)


def lock_workers_in_their_own_context() -> None:
    """
    Python 3.11.5 refuses to hand a lock of one start method to a process of another; AllenNLP hands a forking lock to
    the workers of its data loader even where `start_method` is "spawn".
    """
    from allennlp.common import Tqdm
    from allennlp.data.data_loaders.multiprocess_data_loader import MultiProcessDataLoader

    def start(work: Callable[..., None], count: int, queue: Any, context: Any) -> Tuple[List[Any], List[Any]]:
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

    def start_instance_workers(self: Any, queue: Any, ctx: Any) -> Tuple[List[Any], List[Any]]:
        return start(self._instance_worker, self.num_workers, queue, ctx)

    def start_batch_workers(self: Any, queue: Any, ctx: Any) -> Tuple[List[Any], List[Any]]:
        return start(self._batch_worker, self.num_workers, queue, ctx)

    MultiProcessDataLoader._start_instance_workers = start_instance_workers
    MultiProcessDataLoader._start_batch_workers = start_batch_workers


def understand_new_unions() -> None:
    """Python 3.10 writes `Part | None`, which AllenNLP does not take for an annotation, and hands on the bare dict."""
    from allennlp.common import from_params

    original = from_params.remove_optional

    def remove_optional(annotation: Any) -> Any:
        return original(Union[annotation.__args__] if isinstance(annotation, UnionType) else annotation)

    from_params.remove_optional = remove_optional


def make_ner_zoo_a_plugin() -> None:
    """
    AllenNLP imports its default plugins by itself, with everything in them. Of allennlp-models it cannot, where a
    package is missing that one part needs (ftfy, conllu, word2number): it is asked for what belongs to NER. Of ner_zoo
    it need not, as the package itself registers its parts, and leaves alone what takes long to load. Nor need it load
    the module in which it keeps transformers' models, which takes seconds.
    """
    from allennlp.common import plugins

    names = list(plugins.DEFAULT_PLUGINS)
    if not all(importlib.util.find_spec(name) for name in ("ftfy", "conllu", "word2number")):
        names[names.index("allennlp_models")] = "allennlp_models.tagging"
    plugins.DEFAULT_PLUGINS = (*names, "ner_zoo")

    original = plugins.import_module_and_submodules

    def import_module_and_submodules(package_name: str, exclude: Optional[Set[str]] = None) -> None:
        if package_name == "ner_zoo":
            importlib.import_module(package_name)
        else:
            original(package_name, (exclude or set()) | {"allennlp.common.cached_transformers"})

    plugins.import_module_and_submodules = import_module_and_submodules


PATCHES = (
    import_modules,
    import_optimizers,
    keep_special_tokens_from_tokenizers,
    give_tokenizers_back_their_methods,
    load_training_state,
    cache_tensors_that_load,
    reduce_on_plateau_in_silence,
    clip_sparse_gradients,
    cast_without_warning,
    lock_workers_in_their_own_context,
    understand_new_unions,
    import_parts_from_anywhere,
    make_ner_zoo_a_plugin,
)


@functools.cache
def apply() -> None:
    """Runs every patch, in this order: the first two make AllenNLP importable."""
    for patch in PATCHES:
        patch()
