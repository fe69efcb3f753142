"""
The whole report, with its sections in the order of typical questions.

    how good is it, what to look at → is the annotation right → which types → which errors → examples → how reliable is
    it
"""

from collections.abc import Iterator, Sequence
from math import isnan

from ner_zoo.analysis.analysis import Analysis, ComparedModel, Tempered
from ner_zoo.analysis.pictures.type_colours import entity_types
from ner_zoo.analysis.report.document import Section, document, footer
from ner_zoo.analysis.report.examples import error_list, rival_list, suspect_list, worst_list
from ner_zoo.analysis.report.headline import headline, significance
from ner_zoo.analysis.report.picture import Embedded, pictures_of
from ner_zoo.analysis.report.table import scores_table
from ner_zoo.rendering.marks import attribute
from ner_zoo.rendering.palette import colours


def page(analysis: Analysis, pictures: Sequence[Embedded]) -> str:
    title = f"Analysis of {analysis.model} on {analysis.file}"
    files = "Next to this file: the pictures as PNG, metrics.json, errors.jsonl and noise.jsonl."
    return document(title, "Analysis", list(sections(analysis, pictures)), footer(analysis.command, files))


def sections(analysis: Analysis, pictures: Sequence[Embedded]) -> Iterator[Section]:
    chosen = colours(entity_types(analysis))
    rival = analysis.rival
    yield Section("summary", "Summary", headline(analysis))
    if rival is not None:
        yield Section("rival", "A against B", _rival(rival, pictures, chosen))
    yield Section("noise", "Is the annotation right?", _noise(analysis, chosen))
    types = scores_table(analysis.entities, chosen, rival)
    yield Section("types", "Types", pictures_of("types", pictures) + (types if analysis.entities.by_type else ""))
    errors = error_list("error-list", analysis.errors.examples, chosen)
    yield Section("errors", "Errors", f"{pictures_of('errors', pictures)}<h3>Examples</h3>{errors}")
    yield Section("relations", "Relations", _relations(analysis, pictures, chosen))
    yield Section("worst", "Worst sentences", worst_list(analysis.worst, chosen) if analysis.worst else "")
    yield Section("calibration", "Calibration", _calibration(analysis) + pictures_of("calibration", pictures))
    yield Section("outputs", "Outputs", _outputs(analysis) + pictures_of("outputs", pictures))
    yield Section("training", "Training", pictures_of("training", pictures))


def _noise(analysis: Analysis, chosen: dict[str, int]) -> str:
    words = (
        "<p>Annotations where the model considers something else more probable than gold. A good model is often "
        "right: look here first if the annotation is noisy or incomplete. For training data use <code>allennlp "
        "clean</code>.</p>"
    )
    return words + suspect_list(analysis.noise, chosen, "noise.jsonl")


def _relations(analysis: Analysis, pictures: Sequence[Embedded], chosen: dict[str, int]) -> str:
    if analysis.relations is None:
        return ""
    html = pictures_of("relations", pictures) + scores_table(analysis.relations, {})
    if analysis.relation_errors is not None:
        html += "<h3>Examples</h3>" + error_list("relation-list", analysis.relation_errors.examples, chosen)
    return html


def _calibration(analysis: Analysis) -> str:
    tempered = analysis.tempered
    if tempered is None:
        return ""
    return (
        f"<p>A temperature of <strong>{tempered.temperature:.3g}</strong>, fitted on "
        f"<code>{attribute(tempered.fitted_on)}</code>, raises the mean log-likelihood of a sentence there from "
        f"{tempered.likelihood_before:.3f} to {tempered.likelihood_after:.3f}{_change_of_error(analysis, tempered)}. "
        f"The calibrated model is <code>{attribute(tempered.archive)}</code>.</p>"
    )


def _change_of_error(analysis: Analysis, tempered: Tempered) -> str:
    """The effect on predictions, if there are any."""
    before, after = analysis.calibration.ece, tempered.calibration.ece
    if isnan(before) or isnan(after):
        return ""
    stays = "The predictions stay the same"
    if tempered.changed:
        stays = f"The predictions change in {tempered.changed:,} of {analysis.sentences:,} sentences"
    return f", and changes the calibration error here from {100 * before:.1f} % to {100 * after:.1f} %. {stays}"


def _outputs(analysis: Analysis) -> str:
    kept, total = len(analysis.label_probabilities.gold), analysis.label_probabilities.total
    sample = f" The pictures show a sample of {kept:,} of {total:,}." if kept < total else ""
    return f"<p>The model's probabilities on the words of each gold entity, whether it was found or not.{sample}</p>"


def _rival(rival: ComparedModel, pictures: Sequence[Embedded], chosen: dict[str, int]) -> str:
    html = significance(rival) + pictures_of("rival", pictures)
    for name, examples in (("A", rival.only_first), ("B", rival.only_second)):
        html += f"<h3>Found only by {name}</h3>{rival_list(f'rival-{name.lower()}', examples, chosen)}"
    return html
