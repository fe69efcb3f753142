"""The report in a real browser: headless Chromium without a network."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ner_zoo.analysis.analysis import Analysis
from ner_zoo.analysis.report import write_report
from ner_zoo.analysis.report.examples import MOST_ERRORS, MOST_NOISE, spread
from ner_zoo.analysis.report.page import page as written
from ner_zoo.analysis.report.versus import excerpt
from tests.analysis.examples import empty_example, example

CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
DRIVER = shutil.which("chromedriver")
ATTACK = "<script>document.title = 'gone'</script><img src=x onerror=\"document.title='gone'\">"
needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no Chromium with its driver here: apt-get install chromium chromium-driver"
)


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """With relations, a second model, and a text, a type and a file name that contain HTML."""
    analysis = example(4, has_relations=True, has_rival=True, is_calibrated=True, sentences=60)
    analysis.file = ATTACK
    analysis.findings.append(ATTACK)
    first = analysis.errors.examples[0]
    first.update(text=f"{ATTACK} {first['text']}", source=ATTACK)
    for side in ("gold", "predicted"):
        if first[side]:
            first[side] = moved(first[side], len(ATTACK) + 1)
    return analysis


def moved(mention: dict[str, Any], by: int) -> dict[str, Any]:
    fragments = [[start + by, end + by] for start, end in mention["fragments"]]
    return {**mention, "fragments": fragments, "start": fragments[0][0], "end": fragments[-1][1]}


@pytest.fixture(scope="module")
def folder(analysis: Analysis, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("analysis") / "report"
    write_report(folder, analysis)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-prefers-reduced-motion"):
        options.add_argument(argument)
    options.add_argument("--window-size=1200,900")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, folder: Path) -> Any:
    browser.get((folder / "report.html").as_uri())
    return browser


def shown(page: Any, list_name: str) -> list[Any]:
    return [item for item in page.find_elements("css selector", f"#{list_name} .examples > li") if item.is_displayed()]


def choose(page: Any, list_name: str, key: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(page.find_element("css selector", f'#{list_name} select[data-key="{key}"]')).select_by_value(value)


def test_what_a_temperature_does_is_said_as_far_as_it_is_known() -> None:
    analysis = example(2, is_calibrated=True, sentences=20)
    tempered = analysis.tempered
    assert tempered is not None and "The predictions stay the same" in written(analysis, [])
    changed = written(replace(analysis, tempered=replace(tempered, changed=3)), [])
    assert "The predictions change in 3 of 20 sentences" in changed
    of_nothing = written(replace(empty_example(), tempered=tempered), [])
    assert "raises the mean log-likelihood" in of_nothing and "nan %" not in of_nothing


@needs_browser
def test_it_opens_without_errors_and_asks_the_network_for_nothing(page: Any) -> None:
    assert not page.get_log("browser")
    asked = [
        entry["message"] for entry in page.get_log("performance") if "Network.requestWillBeSent" in entry["message"]
    ]
    addresses = {address for message in asked for address in re.findall(r'"url":"([a-z]+:)', message)}
    assert addresses <= {"file:", "data:"}


@needs_browser
def test_text_that_is_html_stays_text(page: Any) -> None:
    assert page.title.startswith("Analysis of") and page.title.endswith(ATTACK)
    assert ATTACK in page.find_element("css selector", ".what").text
    assert ATTACK in page.find_element("css selector", ".findings").text
    assert len(page.find_elements("css selector", "script")) == 1
    assert not page.find_elements("css selector", 'img[src="x"]')


@needs_browser
def test_a_click_sorts_a_table_and_another_turns_it_round(page: Any) -> None:
    headers = page.find_elements("css selector", "#types thead button")
    column = [header.text for header in headers].index("F1")

    def values() -> list[float]:
        cells = page.find_elements("css selector", f"#types tbody td:nth-child({column + 1})")
        return [float(cell.get_attribute("data-value")) for cell in cells]

    headers[column].click()
    assert values() == sorted(values(), reverse=True) and len(values()) == 4
    headers[column].click()
    assert values() == sorted(values())
    # Names by keyboard.
    page.execute_script("arguments[0].focus()", headers[0])
    headers[0].send_keys("\ue007")
    names = [cell.get_attribute("data-value") for cell in page.find_elements("css selector", "#types tbody th")]
    assert names == sorted(names)


@needs_browser
def test_examples_are_filtered_by_class_type_and_words(page: Any, analysis: Analysis) -> None:
    wanted = [one for one in analysis.errors.examples if one["class"] == "missed"]
    choose(page, "error-list", "class", "missed")
    assert {item.get_attribute("data-class") for item in shown(page, "error-list")} == {"missed"}
    assert (
        f"{len(wanted)} of {len(analysis.errors.examples)}"
        == page.find_element("css selector", "#error-list output").text
    )
    choose(page, "error-list", "type", wanted[0]["gold"]["type"])
    of_type = [one for one in wanted if one["gold"]["type"] == wanted[0]["gold"]["type"]]
    assert page.find_element("css selector", "#error-list output").text.startswith(f"{len(of_type)} of")
    choose(page, "error-list", "class", "")
    choose(page, "error-list", "type", "")
    page.find_element("css selector", "#error-list [data-search]").send_keys("document.title")
    assert len(shown(page, "error-list")) == 1 and ATTACK in shown(page, "error-list")[0].text


@needs_browser
def test_more_examples_are_shown_on_request(page: Any) -> None:
    before = len(shown(page, "error-list"))
    page.execute_script("document.querySelector('#error-list .more').click()")
    assert len(shown(page, "error-list")) == 2 * before


@needs_browser
def test_pictures_and_background_follow_the_system_and_the_switch(page: Any) -> None:
    def visible() -> list[str]:
        images = page.find_elements("css selector", "#picture-by_type img")
        return [image.get_attribute("class") for image in images if image.is_displayed()]

    assert visible() == ["on-light"]
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    assert visible() == ["on-dark"]
    page.find_element("id", "theme").click()
    assert visible() == ["on-light"]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    page.execute_script("localStorage.clear()")


@needs_browser
def test_a_narrow_window_needs_no_scrolling_sideways(page: Any) -> None:
    size = {"width": 380, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 380
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@needs_browser
def test_relations_of_the_worst_sentences_are_arcs(page: Any) -> None:
    assert page.find_elements("css selector", "#worst .nz-arcs path")


def test_pictures_are_next_to_the_report(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert {"report.html", "by_type.png", "confusion.png", "pca.png", "agreement.png", "loss_curve.png"} <= names


def test_noise_comes_before_types_and_errors(folder: Path) -> None:
    html = (folder / "report.html").read_text(encoding="utf-8")
    order = re.findall(r'<section id="(\w+)"', html)
    assert order.index("noise") < order.index("types") < order.index("errors") < order.index("worst")


def test_a_report_of_nothing_is_written(tmp_path: Path) -> None:
    write_report(tmp_path, empty_example())
    assert "The file has no entities" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_large_corpus_makes_no_large_report(analysis: Analysis) -> None:
    import copy

    large = copy.copy(analysis)
    large.errors = copy.copy(analysis.errors)
    large.errors.examples = analysis.errors.examples * 200
    large.noise = analysis.noise * 200
    html = written(large, [])
    assert len(html) < 3_000_000
    assert f"{MOST_ERRORS:,} of {len(large.errors.examples):,} errors" in html and "errors.jsonl" in html
    assert f"{MOST_NOISE:,} of {len(large.noise):,} candidates" in html


def test_a_cut_list_of_errors_keeps_rare_classes() -> None:
    common = {"class": "missed", "gold": {"type": "PER"}, "predicted": None}
    rare = {"class": "spurious", "gold": None, "predicted": {"type": "LOC"}}
    kept = spread([common] * 50 + [rare], 10)
    assert kept == [common] * 9 + [rare]
    assert spread([common, rare], 10) == [common, rare]


def test_an_excerpt_keeps_what_it_is_about_and_its_place() -> None:
    text = " ".join(f"word{number}" for number in range(100))
    start = text.index("word50")
    mention = {"type": "PER", "start": start, "end": start + 6, "fragments": [[start, start + 6]]}
    kept, sides = excerpt(text, {"gold": [mention], "model": []})
    (place,) = sides["gold"][0]["fragments"]
    assert kept[place[0] : place[1]] == "word50" and kept.startswith("… word") and kept.endswith(" …")
    assert len(kept) < 200 and sides["model"] == []
    assert excerpt("Ada", {"gold": []}) == ("Ada", {"gold": []})


def test_the_page_names_no_address_outside_itself(folder: Path) -> None:
    html = (folder / "report.html").read_text(encoding="utf-8")
    # The SVG namespace is only a name and is never requested.
    assert set(re.findall(r"https?://[^\"' ]+", html)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in html
