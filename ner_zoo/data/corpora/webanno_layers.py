"""
The layers of a WebAnno TSV file: the header's description of the columns after the token.
"""

from dataclasses import dataclass

from allennlp.common.checks import ConfigurationError

NAMED_ENTITY = "NamedEntity"
KINDS = ("T_SP", "T_CH", "T_RL")
# Columns before the layers: number, offsets, token.
BEFORE = 3


@dataclass(frozen=True)
class Layer:
    """
    kind : T_SP for spans, T_CH for chains, T_RL for relations.
    features : its columns; the last one of a relation layer is `BT_` and its base layer.
    column : index of the selected feature.
    """

    kind: str
    name: str
    features: tuple[str, ...]
    column: int

    @property
    def base_column(self) -> int:
        """For a relation layer, the column of the annotation where the relation starts: the last one."""
        return self.column + self.width - 1

    @property
    def width(self) -> int:
        """The number of columns; a layer without features still has one."""
        return max(2 if self.kind == "T_RL" else 1, len(self.features))


def layers_of_header(
    header: list[str], layer: str | None, feature: str | None, source: str
) -> tuple[Layer, list[Layer]]:
    """The span layer of the entities, and the relation layers on it."""
    layers, column = [], BEFORE
    for line in header:
        kind, _, rest = line.removeprefix("#").partition("=")
        name, *features = rest.rstrip("|").split("|")
        if kind not in KINDS:
            raise ConfigurationError(f"{source}: the header has a layer of an unknown kind: {line[:60]!r}.")
        layers.append(Layer(kind, name, tuple(features), column))
        column += layers[-1].width
    spans = _chosen([found for found in layers if found.kind == "T_SP"], layer, source)
    place = _place(spans, feature, source)
    relations = [found for found in layers if found.kind == "T_RL" and f"BT_{spans.name}" in found.features]
    return Layer(spans.kind, spans.name, spans.features, spans.column + place), relations


def _chosen(layers: list[Layer], wanted: str | None, source: str) -> Layer:
    ending = wanted or NAMED_ENTITY
    fits = [layer for layer in layers if layer.name == ending or layer.name.endswith(f".{ending}")]
    if wanted is None and not fits and len(layers) == 1:
        return layers[0]
    if len(fits) != 1:
        names = ", ".join(layer.name for layer in layers) or "no span layer"
        raise ConfigurationError(f"{source} has the layers {names}. Set `layer` to the layer of the entities.")
    return fits[0]


def _place(layer: Layer, wanted: str | None, source: str) -> int:
    """The index of the feature with the types among the features of the layer."""
    if wanted is None:
        return layer.features.index("value") if "value" in layer.features else 0
    if wanted not in layer.features:
        raise ConfigurationError(f"{source}: {layer.name} has the features {', '.join(layer.features)}, not {wanted}.")
    return layer.features.index(wanted)
