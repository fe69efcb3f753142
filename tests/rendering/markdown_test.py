from ner_zoo.rendering.markdown import to_html

CARD = """# Card

Some `code` and
**more**.

- one
- two

| a | b |
| --- | --- |
| 1 | 2 |

```json
{}
```
"""


def test_headings_lists_tables_and_code_are_understood() -> None:
    html = to_html(CARD)
    assert "<h1>Card</h1>" in html and "<p>Some <code>code</code> and <strong>more</strong>.</p>" in html
    assert "<ul><li>one</li><li>two</li></ul>" in html
    assert "<th>a</th>" in html and "<td>2</td>" in html and "---" not in html
    assert "<pre><code>{}</code></pre>" in html


def test_html_in_a_card_stays_text() -> None:
    html = to_html("# <script>x</script>\n\n`<b>` | <i>\n\n```\n<u>\n```")
    assert not any(tag in html for tag in ("<script", "<b>", "<i>", "<u>"))


def test_an_unfinished_block_is_shown_to_the_end() -> None:
    assert to_html("```\nopen") == "<pre><code>open</code></pre>"
