"""The top of a report: the model, the file, the scores and the findings."""

from math import isnan

from ner_zoo.analysis.analysis import Analysis, ComparedModel, Scores, Significance
from ner_zoo.rendering.marks import attribute


def headline(analysis: Analysis) -> str:
    return f'{_what(analysis)}<div class="cards">{"".join(_cards(analysis))}</div>{findings(analysis)}'


def _what(analysis: Analysis) -> str:
    rival = analysis.rival
    models = f"<code>{attribute(analysis.model)}</code>"
    if rival is not None:
        models = f"<b>A</b> {models} compared with <b>B</b> <code>{attribute(rival.model)}</code>"
    sizes = f"{analysis.sentences:,} sentences, {analysis.tokens:,} tokens"
    return f'<p class="what">{models} on <code>{attribute(analysis.file)}</code>: {sizes}.</p>'


def _cards(analysis: Analysis) -> list[str]:
    rival = analysis.rival
    cards = [
        _score("Entity F1", analysis.entities, rival.scores if rival is not None else None),
        card("Boundaries F1", f"{100 * analysis.entities.boundaries.f1:.1f}", "ignoring the type"),
    ]
    if analysis.relations is not None:
        cards.insert(1, _score("Relation F1", analysis.relations, rival.relations if rival is not None else None))
    if not isnan(analysis.calibration.ece):
        after = (
            "" if analysis.tempered is None else f", {100 * analysis.tempered.calibration.ece:.1f} % after calibration"
        )
        cards.append(card("Calibration error", f"{100 * analysis.calibration.ece:.1f} %", f"lower is better{after}"))
    cards.append(card("Noise candidates", f"{len(analysis.noise):,}", "possible annotation errors"))
    if analysis.out_of_reach:
        cards.append(
            card("Out of reach", f"{analysis.out_of_reach:,}", "gold entities that this model cannot represent")
        )
    return cards


def _score(name: str, scores: Scores, rival: Scores | None) -> str:
    strict = scores.strict
    counts = f"{strict.right:,} correct of {strict.predicted:,} predicted and {strict.gold:,} gold"
    details = f"precision {100 * strict.precision:.1f}, recall {100 * strict.recall:.1f}<br>{counts}"
    if rival is not None:
        details = f"B: {100 * rival.strict.f1:.1f}<br>{details}"
    return card(name, f"{100 * strict.f1:.1f}", details, is_main=name == "Entity F1")


def card(name: str, figure: str, details: str, is_main: bool = False) -> str:
    """`details` is HTML that contains only our own figures and words."""
    main = " main" if is_main else ""
    return (
        f'<div class="card{main}"><h3>{name}</h3><p class="figure">{figure}</p><p class="details">{details}</p></div>'
    )


def findings(analysis: Analysis) -> str:
    items = "".join(f"<li>{attribute(finding)}</li>" for finding in analysis.findings)
    return f'<h3 class="small">Key findings</h3><ol class="findings">{items}</ol>' if items else ""


def significance(rival: ComparedModel) -> str:
    """The significance tests in words."""
    return "".join(f"<p>{_in_words(test)}</p>" for test in rival.significance)


def _in_words(test: Significance) -> str:
    verdict = "significant" if test.p_value < 0.05 else "not significant"
    metric = attribute(test.metric[:1].upper() + test.metric[1:])
    return (
        f"{metric}: A {100 * test.first:.2f}, B {100 * test.second:.2f}. The difference of "
        f"<strong>{100 * test.difference:+.2f}</strong> has a 95 % confidence interval of "
        f"{100 * test.low:+.2f} to {100 * test.high:+.2f}, p = {test.p_value:.3g}: {verdict} ({test.samples:,} paired "
        "bootstrap samples of sentences)."
    )
