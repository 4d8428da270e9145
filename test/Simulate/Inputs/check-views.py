"""Holds the views of one run against each other.

check-views.py STATS.json CPI.csv TIMELINE.json
"""

import csv
import json
import sys

stats = json.load(open(sys.argv[1]))
rows = {row.pop("sm"): row for row in csv.DictReader(open(sys.argv[2]))}
events = json.load(open(sys.argv[3]))["traceEvents"]

assert stats["version"] == 1, stats["version"]
launches = stats["launches"]
assert len(launches) == 2, len(launches)
for launch in launches:
    timing = launch["timing"]
    slots = timing["issue_slots"]
    total = timing["cycles"] * timing["sms"] * slots["per_sm_cycle"]
    assert sum(slots["uses"].values()) == slots["total"] == total
    for use, count in slots["uses"].items():
        assert count == sum(sm[use] for sm in slots["per_sm"]), use
    assert slots["uses"]["issued"] == launch["warp_instructions"]

# The table is that of the last launch.
uses = launches[-1]["timing"]["issue_slots"]["uses"]
assert {use: int(count) for use, count in rows["all"].items()} == uses

# Begin and end nest on every track, and time does not run backwards.
stacks, last, begun = {}, {}, {"kernel": 0, "CTA": 0, "warp": 0, "barrier": 0}
for event in events:
    if event["ph"] not in "BE":
        continue
    track = event["pid"], event["tid"]
    stack = stacks.setdefault(track, [])
    assert event["ts"] >= last.get(track, 0), event
    last[track] = event["ts"]
    if event["ph"] == "E":
        stack.pop()
        continue
    name = event["name"]
    kind = (
        "barrier"
        if name == "barrier"
        else "warp" if " warp " in name else "CTA" if "CTA" in name else "kernel"
    )
    begun[kind] += 1
    assert [k for k, _ in stack] == (["warp"] if kind == "barrier" else []), event
    stack.append((kind, name))
assert not any(stacks.values()), stacks
assert begun["kernel"] == 2 and begun["CTA"] == 16 and begun["warp"] == 64, begun
assert begun["barrier"] > 0, begun
