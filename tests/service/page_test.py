"""The page in a real browser: headless Chromium."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
DRIVER = shutil.which("chromedriver")
TEXT = "Edda Abernathy of Meridian Systems lives in Port Ellery. <script>document.title = 'gone'</script>"

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no Chromium with its driver here: apt-get install chromium chromium-driver"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,900"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(tmp_path_factory.mktemp("downloads"))})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, address: str) -> Any:
    """The page with an annotated text."""
    from selenium.webdriver.common.keys import Keys

    browser.get(address)
    box = browser.find_element("id", "text")
    box.send_keys(TEXT)
    box.send_keys(Keys.CONTROL, Keys.ENTER)
    until(browser, lambda: browser.find_elements("css selector", "#marked .nz-text"))
    return browser


def until(browser: Any, condition: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 30).until(lambda _: condition())


def shown(page: Any) -> list[str]:
    """The visible entities, without their labels."""
    marks = page.find_elements("css selector", "#marked .nz-e:not(.nz-off)")
    return [page.execute_script("return arguments[0].firstChild.textContent", mark) for mark in marks]


def slide(page: Any, value: str) -> None:
    script = (
        "const s = document.getElementById('threshold'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))"
    )
    page.execute_script(script, value)


def test_entities_and_arcs_are_seen(page: Any) -> None:
    assert "Edda Abernathy" in shown(page) and "Meridian Systems" in shown(page)
    labels = [text.text for text in page.find_elements("css selector", ".nz-arcs text")]
    assert "works_for" in labels
    assert page.find_element("css selector", ".nz-legend").text
    assert "entities" in page.find_element("id", "summary").text


def test_a_script_in_the_text_stays_text(page: Any) -> None:
    assert page.title == "ner_zoo"
    assert "<script>document.title = 'gone'</script>" in page.execute_script(
        "const c = document.querySelector('.nz-text').cloneNode(true);"
        "c.querySelectorAll('.nz-label, svg').forEach((e) => e.remove()); return c.textContent"
    )
    assert not page.find_elements("css selector", "#marked script")
    assert not [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"]


def test_the_slider_filters_without_a_new_request(page: Any) -> None:
    requests = "return performance.getEntriesByType('resource').length"
    before = page.execute_script(requests)
    slide(page, "1")
    assert shown(page) == [] and not page.find_elements("css selector", ".nz-arcs text")
    assert page.find_element("id", "threshold-value").text == "100%"
    slide(page, "0")
    assert "Edda Abernathy" in shown(page) and page.find_elements("css selector", ".nz-arcs text")
    assert page.execute_script(requests) == before


def test_a_type_is_hidden_and_shown_from_the_keyboard(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    key = page.find_element("css selector", '.nz-key[data-type="PER"]')
    key.send_keys(Keys.ENTER)
    assert "Edda Abernathy" not in shown(page) and key.get_attribute("aria-pressed") == "false"
    key.send_keys(Keys.SPACE)
    assert "Edda Abernathy" in shown(page)


def test_the_score_of_an_entity_is_shown_on_focus(page: Any) -> None:
    page.execute_script("document.querySelector('#marked .nz-e').focus()")
    tip = page.find_element("id", "tip")
    assert tip.is_displayed() and "PER" in tip.text and "%" in tip.text


def test_the_json_is_what_is_shown(page: Any) -> None:
    import json

    slide(page, "1")
    page.find_element("id", "tab-json").click()
    text = page.find_element("id", "json").text
    assert json.loads(text)["entities"] == [] and json.loads(text)["text"] == TEXT
    page.find_element("id", "copy").click()
    until(page, lambda: page.find_element("id", "copy").text == "Copied")


def test_files_are_saved(page: Any, tmp_path: Path) -> None:
    page.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    for button, name in (("save-html", "annotated.html"), ("save-conll", "annotated.conll")):
        page.find_element("id", button).click()
        until(page, lambda name=name: (tmp_path / name).exists())
    assert "<figure" in (tmp_path / "annotated.html").read_text()
    assert "Abernathy\tI-PER" in (tmp_path / "annotated.conll").read_text()


def test_dark_follows_the_system_and_the_switch(page: Any) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = page.execute_script(ground)
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    assert page.execute_script(ground) != light
    page.find_element("id", "theme").click()
    assert page.execute_script(ground) == light
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    page.execute_script("localStorage.clear(); delete document.documentElement.dataset.theme")


def test_the_model_card_opens_and_models_can_be_chosen(page: Any) -> None:
    page.find_element("id", "card").click()
    until(page, lambda: "Model card: demo_joint" in page.find_element("id", "card-body").text)
    assert [option.text for option in page.find_elements("css selector", "#model option")] == ["re", "ner"]
