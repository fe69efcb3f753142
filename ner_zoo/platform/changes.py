"""
The one list of what is changed in AllenNLP for everybody, and why.

`import_hook` makes each change right after the module was loaded. The functions are in the files beside this one, and
take the module.
"""

from typing import NamedTuple


class Change(NamedTuple):
    module: str
    function: str
    reason: str


CHANGES = (
    # AllenNLP on today's Python, torch and transformers
    Change(
        "allennlp.common.from_params",
        "python_today.understand_new_unions",
        "Python 3.10 writes `Part | None`, which AllenNLP takes for no annotation, and hands on the bare dict.",
    ),
    Change(
        "allennlp.data",
        "python_today.lock_workers_in_their_own_context",
        "Python 3.11.5 refuses to hand a lock of one start method to a process of another.",
    ),
    Change(
        "allennlp.common.cached_transformers",
        "transformers_today.load_encoders",
        "transformers 4.44 refuses an argument of AllenNLP's, 5.0 dropped two methods that it calls, and without a "
        "connection it takes a minute to say that it cannot find an encoder.",
    ),
    Change(
        "allennlp.common.file_utils",
        "torch_today.cache_tensors_that_load",
        "torch 2.6 does not read back what `TensorCache` writes.",
    ),
    Change(
        "allennlp.training.learning_rate_schedulers",
        "torch_today.reduce_on_plateau_in_silence",
        "torch 2.7 dropped `verbose`, which a config may still say.",
    ),
    *(
        Change(
            module,
            "torch_today.clip_sparse_gradients",
            "torch 2.0 clips dense gradients only, and those of an embedding with `sparse: true` are not.",
        )
        for module in (
            "allennlp.nn.parallel.ddp_accelerator",
            "allennlp.training.gradient_descent_trainer",
            "allennlp.training.util",
        )
    ),
    *(
        Change(
            module,
            "torch_today.cast_without_warning",
            "torch 2.4 warns, from every process, that `torch.cuda.amp` has moved.",
        )
        for module in ("allennlp.nn.parallel.ddp_accelerator", "allennlp.training.gradient_descent_trainer")
    ),
    Change(
        "allennlp.common.checks",
        "configuration_error.share_error",
        "Exported models run without AllenNLP and raise its error for what a user can fix: both are one class.",
    ),
    Change(
        "allennlp.common.checks",
        "devices.report_missing_gpus",
        "torch refuses the number of a GPU that does not exist with an error that AllenNLP does not expect.",
    ),
    # Parts are loaded when they are asked for
    Change(
        "allennlp.common.registrable",
        "registry.load_parts_by_name",
        "Loading every part of AllenNLP and ner_zoo at each start takes longer than most commands.",
    ),
    Change(
        "allennlp.common.plugins",
        "registry.make_ner_zoo_a_plugin",
        "`allennlp` knows our parts and commands in every folder, without --include-package.",
    ),
    Change(
        "allennlp.common.params",
        "config_parts.import_parts_from_anywhere",
        "A config imports ner_zoo's parts from any folder, also from an installed wheel.",
    ),
    # The command line and its screen
    Change(
        "allennlp.commands",
        "command_line.improve_commands",
        "The screen is for progress, results and warnings (`-v` brings the log to it); user errors are reported "
        "in a few lines, without the stack; and archives are guarded to the end of a command.",
    ),
    Change(
        "allennlp.common.logging",
        "screen.be_quiet_in_training",
        "The log of a run is in its out.log.",
    ),
    Change(
        "allennlp.common.tqdm",
        "screen.show_progress_on_terminals",
        "Bars are for terminals, and vanish when they are done.",
    ),
    # Wrong configs and broken archives
    Change(
        "allennlp.common.params",
        "config_files.explain_what_does_not_evaluate",
        "An error in a Jsonnet file is reported as a user error, and a missing NER_ZOO_DATA with its purpose.",
    ),
    Change(
        "allennlp.common.from_params",
        "config_files.check_keys",
        "A key that nothing reads is an error, not silence.",
    ),
    Change(
        "allennlp.commands.train",
        "training_start.check_before_training",
        "A wrong config is reported before any data is read, and a missing file with the key that names it; a run "
        "without a pretrained encoder has one thread, because a second one costs much on a busy machine.",
    ),
    Change(
        "allennlp.training.util",
        "run_folders.reuse_folders_of_failed_runs",
        "The folder of a run that failed at once need not be deleted by hand.",
    ),
    Change(
        "allennlp.commands.train",
        "errors.blame_values_on_the_config",
        "What a constructor raises for a value of the config is reported as an error in the config.",
    ),
    Change(
        "allennlp.data",
        "errors.refuse_empty_corpora",
        "A file without a single instance is an error, not a run that learns nothing.",
    ),
    Change(
        "allennlp.common.from_params",
        "archive_params.guard_what_is_built",
        "What is built from an archive's config is guarded, also after the archive was opened.",
    ),
    Change(
        "allennlp.common.lazy",
        "archive_params.guard_what_is_built_later",
        "So are parts of it that are built later.",
    ),
    Change(
        "allennlp.common.plugins",
        "archive_commands.remember_plugins",
        "An archive may name the parts of the user's plugins.",
    ),
    Change(
        "allennlp.common.util",
        "archive_commands.remember_packages",
        "An archive may name the parts of packages that the user has imported with everything in them.",
    ),
    Change(
        "allennlp.models.archival",
        "archive_opening.complete_archives",
        "An archive holds the card and the scores of its model, and a signature: the user's own archives may name "
        "paths of this machine. Packing the weights of an encoder takes seconds.",
    ),
    Change(
        "allennlp.models.archival",
        "archive_opening.open_safely",
        "An archive from a stranger cannot run code or write outside of its folder; a broken one says what is wrong.",
    ),
    # An interrupted run resumes exactly
    Change(
        "allennlp.training",
        "resume.make_training_resumable",
        "After --recover a run ends as if it had never been killed.",
    ),
    Change(
        "allennlp.data",
        "loader_position.remember_positions",
        "A loader with `batches_per_epoch` resumes where it stopped.",
    ),
    Change(
        "allennlp.training.optimizers",
        "fused_adam.fuse_adam",
        "On the CPU Adam is one operation for each parameter.",
    ),
    Change(
        "allennlp.training.gradient_descent_trainer",
        "default_callbacks.extend_default_callbacks",
        "Every run has the callbacks of that list, whether its config names them or not.",
    ),
    # Not AllenNLP's, but heard by its users
    Change(
        "numba",
        "compiling.announce_compiling",
        "The first training on a machine compiles for some seconds, which should not look like a standstill.",
    ),
)
