"""The web page in headless Chromium, used as a person uses it; skipped where there is no Chromium."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import Select, WebDriverWait

from headwater.clients.static_model import StaticModel
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.web.server import WebServer
from support.small_index import SmallIndex

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER),
    reason="needs Chromium: apt-get install -y --no-install-recommends chromium chromium-driver",
)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--window-size=1360,900"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
)
NAMELESS = """
return [...document.querySelectorAll('button, input, select, a, [tabindex="0"]')]
  .filter(e => e.checkVisibility() && !(e.innerText.trim() || e.getAttribute('aria-label') || e.labels?.length))
  .map(e => e.outerHTML)
"""
MANY = "".join(f"def caller_{n}():\n    return write({n})\n\n\n" for n in range(60))
FILES = {
    "shop/store.py": (
        "class Store:\n"
        "    def save(self, order):\n"
        '        """Write the <b>order</b> to disk."""\n'
        "        return write(order)\n\n\n"
        "def write(x):\n    return x\n"
    ),
    "far.py": f"def reach(x):\n    return x\n\n\ndef far():\n    return ({', '.join(map(str, range(80)))}, reach(1))\n",
    "many.py": f"from shop.store import write\n\n\n{MANY}",
}
MODEL = StaticModel()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    folder = Path(tempfile.mkdtemp())
    index = SmallIndex(folder, MODEL)
    index.commit(FILES)
    index.commit({"lib.go": "package lib\n\nfunc Open(name string) error {\n\treturn nil\n}\n"}, repo="tools")
    engine = Engine(Parts(reader=index.catalog, vectors=VectorSide(index.model, index.vectors)))
    with WebServer(engine, "127.0.0.1:0") as server:
        yield f"http://127.0.0.1:{server.port}/"
    engine.close()
    index.close()
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield opened
    assert opened.get_log("browser") == []  # no violation of the policy, no failed request, no script error
    opened.quit()


class Page:
    """What a person sees and does."""

    def __init__(self, browser: WebDriver, url: str) -> None:
        self.browser = browser
        browser.get(url)
        self.wait(lambda: self.texts("#views tbody tr") or self.texts(".result"))

    def wait(self, until: object) -> None:
        assert callable(until)
        WebDriverWait(self.browser, 20).until(lambda _: until())

    def texts(self, selector: str) -> list[str]:
        script = (
            "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).map(e => e.innerText)"
        )
        found: list[str] = self.browser.execute_script(script, selector)
        return found

    def press(self, *keys: str) -> None:
        for key in keys:
            webdriver.ActionChains(self.browser).send_keys(key).perform()

    def ask(self, query: str) -> None:
        self.press(Keys.ESCAPE, "/")
        box = self.browser.find_element(By.ID, "query")
        box.clear()
        box.send_keys(query, Keys.ENTER)
        self.wait(lambda: self.browser.title.startswith(query) and self.texts("#status:not(.busy)") != [])

    def click(self, selector: str, text: str) -> None:
        self.wait(lambda: text in self.texts(selector))
        next(e for e in self.browser.find_elements(By.CSS_SELECTOR, selector) if e.text == text).click()


@pytest.fixture
def page(browser: WebDriver, url: str) -> Page:
    return Page(browser, url)


def test_the_start_page_lists_what_is_indexed(page: Page) -> None:
    rows = page.texts("#views tbody tr")
    assert [row.split()[0] for row in rows] == ["shop", "tools"]
    assert all("proven" in row for row in rows)


def test_a_name_is_found_and_code_stays_text(page: Page) -> None:
    page.ask("Store.save")
    assert "read by name" in page.texts("#status")[0]
    assert page.texts(".result .symbol")[0] == "Store.save"
    assert "<b>order</b>" in page.texts(".result .code")[0]
    assert "Store.save" in page.browser.title


def test_click_on_an_identifier_opens_definition_and_usages(page: Page) -> None:
    page.ask("Store.save")
    page.click(".result .code .id", "write")
    page.wait(lambda: "complete" in page.texts("#panel .badge"))
    assert page.texts("#panel-title") == ["write"]
    assert any(text.startswith("shop/store.py:7") for text in page.texts("#panel .path"))
    assert any("60 uses" in text or "61 uses" in text for text in page.texts("#panel .path"))
    page.press(Keys.ESCAPE)
    assert page.texts("#panel") == []


def test_a_use_at_the_end_of_a_long_line_is_in_sight(page: Page) -> None:
    page.ask("reach")
    page.click(".result .code .id", "reach")
    page.wait(lambda: "complete" in page.texts("#panel .badge"))
    seen = """
      const mark = document.querySelector('#panel mark').getBoundingClientRect();
      return mark.right <= document.querySelector('#panel').getBoundingClientRect().right;
    """
    page.wait(lambda: page.browser.execute_script(seen))


def test_everything_works_by_keyboard(page: Page) -> None:
    page.ask("caller")
    page.press(Keys.ESCAPE, "j", "j", "k")
    assert (
        page.browser.execute_script(
            "return [...document.querySelectorAll('.result')].findIndex(e => e.matches('.selected'))"
        )
        == 0
    )
    page.press(Keys.ENTER)
    page.wait(lambda: page.texts("#panel h3"))
    assert page.browser.switch_to.active_element.get_attribute("id") == "panel-title"
    page.press(Keys.ESCAPE)
    assert "selected" in str(page.browser.switch_to.active_element.get_attribute("class"))
    page.press("/")
    assert page.browser.switch_to.active_element.get_attribute("id") == "query"


def test_further_pages_and_views(page: Page) -> None:
    page.ask('"return write"')
    assert len(page.texts(".result")) == 20
    page.click("#more", "More results")
    page.wait(lambda: len(page.texts(".result")) == 40)
    view = Select(page.browser.find_element(By.ID, "view"))
    view.select_by_visible_text("tools · main")
    page.wait(lambda: page.texts(".empty"))
    assert "view=tools" in page.browser.current_url
    page.ask("Open")
    assert page.texts(".result .path") == ["lib.go:3–5"]


def test_the_address_holds_the_question(page: Page, url: str) -> None:
    page.browser.get(f"{url}?q=Store.save")
    page.wait(lambda: page.texts(".result"))
    page.ask("write")
    page.browser.back()
    page.wait(lambda: page.texts(".result .symbol")[:1] == ["Store.save"])


def test_controls_have_names_and_nothing_leaves_the_site(page: Page, url: str) -> None:
    page.ask("Store.save")
    nameless = page.browser.execute_script(NAMELESS)
    assert nameless == []
    asked = page.browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert asked
    assert all(name.startswith(url) for name in asked)
