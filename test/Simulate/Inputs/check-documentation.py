"""Fails on what the page about --simulate does not mention.

check-documentation.py PAGE.md HELP.txt RUN.json
"""

import json
import pathlib
import re
import sys

page = open(sys.argv[1]).read()
# Settings of schemes are in a page of their own, which is generated.
schemes = pathlib.Path(sys.argv[1]).with_name("schemes.md").read_text()
text = open(sys.argv[2]).read()
start = text.index("Options of --simulate:")
section = text[start : text.index("\nRegShare options:", start)]
options = re.findall(r"^  --([a-z-]+)", section, re.M)
assert len(options) > 10, options
missing = [f"--{name}" for name in options if f"--{name}" not in page + schemes]

grammar = text[text.index("Arguments of a kernel") :]
forms = re.findall(r"\b(hex|buf|ref|freed|iota|fill|random|null)\b", grammar)
missing += [form for form in forms if form not in page]


def keys(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            # Causes of lost slots are those of docs/timing.md, events those of
            # docs/energy.md.
            if key not in ("uses", "per_sm", "stall_cycles", "parts", "events"):
                yield from keys(inner)
            yield key
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


fields = set(keys(json.load(open(sys.argv[3]))))
assert "dram_busy_cycles" in fields and "ipc" in fields, fields
missing += [f"`{field}`" for field in sorted(fields) if f"`{field}`" not in page]
if missing:
    sys.exit(f"{sys.argv[1]} does not mention: {', '.join(missing)}")
