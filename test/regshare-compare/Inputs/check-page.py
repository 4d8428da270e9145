"""Looks at a comparison's page in a browser: at the widths of a phone and of a
desktop, light and dark, on every device and kernel.

Usage: check-page.py FOLDER"""

import pathlib
import sys

import browser
from regshare import records

folder = pathlib.Path(sys.argv[1])
url = (folder / "index.html").resolve().as_uri()
ORDER = ("baseline", "ideal", "regmutex", "expars", "ltrf")
made = sorted(
    records.read(folder / "records.jsonl"),
    key=lambda record: ORDER.index(record["configuration"]["scheme"]),
)
CHARTS = ("speedup", "occupancy", "cpi", "energy", "utilisation", "cost")

# Text of an element that lies beyond what shows of it, or over other text.
CUT = """
[...document.querySelectorAll('svg')].flatMap((svg) => {
  const room = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map(
    (text) => [text.textContent, text.getBoundingClientRect()]);
  const cut = texts.filter(([, r]) =>
    r.left < room.left - 1 || r.right > room.right + 1 || r.bottom > room.bottom + 1);
  const over = texts.filter(([, a], n) => texts.some(([, b], m) => m > n &&
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2));
  return [...cut, ...over].map(([text]) => svg.parentElement.id + ': ' + text);
})
"""


def cells(page):
    return page.evaluate(
        "[...document.querySelectorAll('#table tbody tr')].map((row) => "
        "[...row.cells].map((cell) => cell.textContent))"
    )


def choose(page, device, kernel):
    page.evaluate(
        f"for (const [id, value] of [['device', '{device}'], ['kernel', '{kernel}']]) {{"
        "  const box = document.getElementById(id); box.value = value;"
        "  box.dispatchEvent(new Event('change')); }"
    )


def check_layout(page, width):
    assert page.evaluate("innerWidth") == width
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, f"{wide} pixels in a window of {width}"
    assert page.evaluate(CUT) == [], page.evaluate(CUT)
    small = page.evaluate(
        "[...document.querySelectorAll('svg text, td, p, pre')].filter((e) =>"
        " e.textContent && e.getClientRects().length && e.getBoundingClientRect().height < 10).length"
    )
    assert small == 0, f"{small} texts are too small to read"


def widths_of_bars(page, chart):
    return page.evaluate(
        f"[...document.querySelectorAll('#{chart} rect.bar')].map((bar) => bar.width.baseVal.value)"
    )


def check_table(page, runs):
    rows = cells(page)
    assert [row[0] for row in rows] == [records.label(r["configuration"]) for r in runs]
    for row, run in zip(rows, runs):
        if run["outcome"] == "finished":
            assert len(row) == 12 and row[4], row
        else:
            assert row[1] == f"{run['outcome']}: {run['why']}", row
    return rows


def check_all_kernels(page, runs):
    rows = check_table(page, runs)
    for row, run in zip(rows, runs):
        if run["total"]:
            assert row[4] == f"{run['total']['cycles']:,}", row


def check_kernel(page, runs, number):
    rows = [row for row in check_table(page, runs) if len(row) == 12]
    finished = [run for run in runs if run["total"]]
    figures = [run["kernels"][number] for run in finished]
    has_base = finished[0]["configuration"]["scheme"] == "baseline"
    base = figures[0] if has_base else None
    for row, kernel in zip(rows, figures):
        assert row[1] == str(kernel["occupancy"]["ctas"]), row
        assert row[4] == f"{kernel['cycles']:,}", row
        if base:
            assert row[5] == f"{base['cycles'] / kernel['cycles']:.2f}×", row
    for chart in CHARTS:
        # Speedup and energy are against Baseline, if that ran.
        drawn = len(widths_of_bars(page, chart))
        expected = len(figures) if base or chart not in ("speedup", "energy") else 0
        assert drawn >= expected and (drawn > 0) == (expected > 0), (chart, drawn)
    if base:
        bars = widths_of_bars(page, "speedup")
        for bar, kernel in zip(bars, figures):
            assert abs(bar / bars[0] - base["cycles"] / kernel["cycles"]) < 0.01
    lines = page.evaluate("document.querySelectorAll('#profile .code > div').length")
    assert lines == len(figures[0]["profile"]["lines"]), lines


with browser.Browser(browser.find()) as page:
    colors = set()
    for width in (390, 1280):
        for dark in (False, True):
            page.open(url, width, dark=dark)
            colors.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            for device in ("gtx480", "gtx480,registers=6144"):
                runs = [r for r in made if records.device_name(r["configuration"]) == device]
                number = page.evaluate(
                    "[...document.getElementById('device').options]"
                    f".findIndex((option) => option.text === '{device}')"
                )
                choose(page, number, "all")
                check_all_kernels(page, runs)
                check_layout(page, width)
                for kernel in (0, 1):
                    choose(page, number, kernel)
                    check_kernel(page, runs, kernel)
                    check_layout(page, width)
    assert len(colors) == 2, colors
    # A window that changes is drawn anew.
    box = "document.querySelector('#occupancy svg').viewBox.baseVal.width"
    before = page.evaluate(box)
    page.resize(700)
    page.evaluate("new Promise((done) => setTimeout(done, 400))")
    assert page.evaluate(box) not in (before, None)
    check_layout(page, 700)
    assert page.console == [], page.console
    assert set(page.requests) == {url}, page.requests
