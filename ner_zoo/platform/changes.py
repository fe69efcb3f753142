"""
The list of all changes to AllenNLP and to the libraries below it, with the reason for each.

`import_hook` applies each change right after the module has been loaded. The functions are in the neighbouring files
and take the module.
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
        "AllenNLP ignores annotations of the form `Part | None` (Python 3.10) and passes on the bare dict.",
    ),
    Change(
        "allennlp.data",
        "python_today.lock_workers_in_their_own_context",
        "Python 3.11.5 refuses to pass a lock of one start method to a process of another.",
    ),
    Change(
        "allennlp.common.cached_transformers",
        "transformers_today.load_encoders",
        "transformers 4.44 rejects an argument that AllenNLP passes, 5.0 dropped two methods that it calls, and "
        "without a connection it takes a minute to report a missing encoder.",
    ),
    Change(
        "allennlp.common.file_utils",
        "torch_today.cache_tensors_that_load",
        "torch 2.6 cannot read what `TensorCache` writes.",
    ),
    Change(
        "allennlp.training.learning_rate_schedulers",
        "torch_today.reduce_on_plateau_in_silence",
        "torch 2.7 dropped `verbose`, which configs may still set.",
    ),
    *(
        Change(
            module,
            "torch_today.clip_sparse_gradients",
            "torch 2.0 clips dense gradients only, but an embedding with `sparse: true` has sparse ones.",
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
        "Exported models run without AllenNLP but raise the same ConfigurationError: both must be one class.",
    ),
    Change(
        "allennlp.common.checks",
        "devices.report_missing_gpus",
        "torch reports a missing GPU with an error that AllenNLP does not expect.",
    ),
    # Parts are loaded on demand
    Change(
        "allennlp.common.registrable",
        "registry.load_parts_by_name",
        "Loading every part of AllenNLP and ner_zoo at each start takes longer than most commands.",
    ),
    Change(
        "allennlp.common.plugins",
        "registry.make_ner_zoo_a_plugin",
        "`allennlp` finds ner_zoo's parts and commands in every folder, without --include-package.",
    ),
    Change(
        "allennlp.common.params",
        "config_parts.import_parts_from_anywhere",
        "Configs can import ner_zoo's parts from any folder, including from an installed wheel.",
    ),
    # The command line and its screen
    Change(
        "allennlp.commands",
        "command_line.improve_commands",
        "The screen shows progress, results and warnings (`-v` adds the log); user errors are reported "
        "in a few lines, without a traceback; and archives are guarded to the end of a command.",
    ),
    Change(
        "allennlp.common.logging",
        "screen.log_training_to_file",
        "The log of a run goes to its out.log.",
    ),
    Change(
        "allennlp.common.tqdm",
        "screen.show_progress_on_terminals",
        "Progress bars are shown on terminals only, and disappear when done.",
    ),
    # Wrong configs and broken archives
    Change(
        "allennlp.common.params",
        "config_files.explain_what_does_not_evaluate",
        "An error in a Jsonnet file is reported as a user error, and a missing NER_ZOO_DATA with an explanation.",
    ),
    Change(
        "allennlp.common.from_params",
        "config_files.check_keys",
        "An unknown key is an error instead of being ignored.",
    ),
    Change(
        "allennlp.commands.train",
        "training_start.check_before_training",
        "A wrong config is reported before any data is read, and a missing file with the key that names it. A run "
        "without a pretrained encoder uses one thread, because a second one is expensive on a busy machine.",
    ),
    Change(
        "allennlp.training.util",
        "run_folders.reuse_folders_of_failed_runs",
        "The folder of a run that failed immediately does not have to be deleted by hand.",
    ),
    Change(
        "allennlp.commands.train",
        "errors.blame_values_on_the_config",
        "An exception from a constructor about a config value is reported as an error in the config.",
    ),
    Change(
        "allennlp.data",
        "errors.refuse_empty_corpora",
        "A file without instances is an error, instead of a run that learns nothing.",
    ),
    Change(
        "allennlp.common.from_params",
        "archive_params.guard_what_is_built",
        "Everything built from an archive's config is guarded, even after the archive was opened.",
    ),
    Change(
        "allennlp.common.lazy",
        "archive_params.guard_what_is_built_later",
        "Parts of an archive that are built later are guarded too.",
    ),
    Change(
        "allennlp.common.plugins",
        "archive_commands.remember_plugins",
        "An archive may name the parts of the user's plugins.",
    ),
    Change(
        "allennlp.common.util",
        "archive_commands.remember_packages",
        "An archive may name the parts of packages that the user has imported completely.",
    ),
    Change(
        "allennlp.models.archival",
        "archive_opening.complete_archives",
        "An archive contains the model card and the scores, and a signature: the user's own archives may name paths "
        "on this machine. Packing the weights of an encoder takes seconds.",
    ),
    Change(
        "allennlp.models.archival",
        "archive_opening.open_safely",
        "An untrusted archive cannot run code or write outside its folder; a broken one is explained.",
    ),
    # An interrupted run resumes exactly
    Change(
        "allennlp.training",
        "resume.make_training_resumable",
        "A run resumed with --recover produces exactly the same result.",
    ),
    Change(
        "allennlp.data",
        "loader_position.remember_positions",
        "A loader with `batches_per_epoch` resumes where it stopped.",
    ),
    Change(
        "allennlp.training.optimizers",
        "fused_adam.fuse_adam",
        "On the CPU, Adam runs as one operation per parameter.",
    ),
    Change(
        "allennlp.training.gradient_descent_trainer",
        "default_callbacks.extend_default_callbacks",
        "Every run gets the default callbacks, whether its config names them or not.",
    ),
    # Not changes to AllenNLP itself, but visible to its users
    Change(
        "numba",
        "compiling.announce_compiling",
        "The first training on a machine compiles for some seconds, which should not look like a hang.",
    ),
)

# Made when the first archive is opened, by `archive_audit`: a program that opens none keeps the originals.
CHANGES_FOR_ARCHIVES = (
    Change(
        "torch",
        "archive_audit.load_weights_only",
        "Objects that torch unpickles could run code: while an archive is open, it loads only weights from files.",
    ),
    Change(
        "huggingface_hub.constants",
        "archive_audit.use_only_downloaded_encoders",
        "An archive cannot start downloads that the user did not allow.",
    ),
)
