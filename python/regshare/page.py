# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparison as one HTML page that needs nothing from elsewhere: the data,
the style and the script that draws are in it."""

import json
import os
import pathlib

from . import records, table

PARTS = pathlib.Path(__file__).parent / "page"


def figures(kernel):
    """Of a kernel or of a run's total, what the page shows."""
    kept = {k: v for k, v in kernel.items() if k not in ("profile", "demangled")}
    return kept | {"scheduler": table.schedulers(kernel)}


def run_data(record):
    return {
        "label": records.label(record["configuration"]),
        "scheme": record["configuration"]["scheme"],
        "isBaseline": records.is_baseline(record["configuration"]),
        "outcome": record["outcome"],
        "why": record["why"],
        "total": record["total"] and figures(record["total"]),
        "kernels": {k["name"]: figures(k) for k in record["kernels"]},
    }


def kernel_data(runs, name):
    """What holds for a kernel under every scheme: its profile is that of the
    code before one is applied."""
    kernel = table.kernel_names(runs)[name]
    return {
        "name": name,
        "short": table.short_name(kernel),
        "demangled": kernel["demangled"],
        "heading": table.heading(kernel),
        "profile": kernel["profile"],
    }


def page_data(runs, summaries):
    configuration = runs[0]["configuration"]
    return {
        "program": configuration["program"]["name"],
        "arguments": " ".join(configuration["arguments"]),
        "version": configuration["regshare"],
        "summaries": summaries,
        "devices": [
            {
                "name": device,
                "kernels": [kernel_data(group, k) for k in table.kernel_names(group)],
                "notes": list(table.notes(group)),
                "runs": [run_data(record) for record in group],
            }
            for device, group in table.by_device(runs).items()
        ],
        "configurations": [record["configuration"] for record in runs],
    }


def embedded(data):
    """JSON that may stand in a script element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def read(name):
    return (PARTS / name).read_text(encoding="utf-8")


def head():
    """What a page's <head> begins with: nothing is loaded, and a phone shows it as well."""
    return f"""<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>
{read("page.css")}</style>
"""


def render(runs, summaries):
    parts = {
        "HEAD": head(),
        "SCRIPT": read("page.js"),
        "DATA": embedded(page_data(runs, summaries)),
    }
    text = read("page.html")
    first, *rest = text.split("{{")
    pieces = [first]
    for each in rest:
        name, tail = each.split("}}", 1)
        pieces += [parts[name], tail]
    return "".join(pieces)


def write(path, runs, summaries):
    """Replaces the file when the page is complete."""
    new = pathlib.Path(path).with_suffix(".new")
    new.write_text(render(runs, summaries), encoding="utf-8")
    os.replace(new, path)
