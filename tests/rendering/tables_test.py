from ner_zoo.rendering.markdown import to_html
from ner_zoo.rendering.tables import markdown_table, text_table


def test_columns_of_a_text_table_are_aligned() -> None:
    rows = [["", "read"], ["tokens", "1,024"], ["x", "3", "more"]]
    assert text_table(rows) == ["         read", "tokens  1,024", "x           3  more"]
    assert text_table([["a", "bc"], ["def", "g"]], left_columns=0) == ["  a  bc", "def   g"]


def test_a_markdown_table_can_be_read_as_it_is() -> None:
    assert markdown_table(["config", "F1"], [["nll", "90.12 ± 0.10"], ["focal", ""]]) == (
        "| config | F1           |\n| ------ | -----------: |\n| nll    | 90.12 ± 0.10 |\n| focal  |              |"
    )


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    html = to_html(markdown_table(["a", "path"], [["x|y", "`a|b`"]], left_columns=2))
    assert "<td>x|y</td>" in html and "<td><code>a|b</code></td>" in html
