from ner_zoo.rendering.markdown import inline, to_html

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
    assert "<h1>Card</h1>" in html and "<p>Some <code>code</code> and\n<strong>more</strong>.</p>" in html
    assert "<ul>\n<li>one</li>\n<li>two</li>\n</ul>" in html
    assert "<th>a</th>" in html and "<td>2</td>" in html and "---" not in html
    assert '<pre><code class="language-json">{}\n</code></pre>' in html


def test_html_in_a_card_stays_text() -> None:
    html = to_html("# <script>x</script>\n\n`<b>` | <i>\n\n```\n<u>\n```\n\n<div onclick=alert(1)>\n\nx <svg/onload=y>")
    assert not any(tag in html for tag in ("<script", "<b>", "<i>", "<u>", "<div", "<svg"))


def test_links_run_no_script_and_images_are_not_loaded() -> None:
    assert "href" not in to_html("[a](javascript:alert(1)) [b](vbscript:x) [c](data:text/html;base64,PHg+)")
    assert "<img" not in to_html("![a](http://example.org/a.png) ![b][c]\n\n[c]: http://example.org/b.png")
    assert '<a href="https://example.org">' in to_html("[paper](https://example.org)")


def test_an_unfinished_block_is_shown_to_the_end() -> None:
    assert to_html("```\nopen") == "<pre><code>open</code></pre>\n"


def test_an_unpaired_surrogate_can_be_written_to_a_file() -> None:
    assert to_html("a\ud800b").encode("utf-8") and inline("a\ud800b") == "a\ufffdb"


def test_inline_text_gets_no_paragraph_of_its_own() -> None:
    assert inline("a `b` <c>") == "a <code>b</code> &lt;c&gt;"
