"""Checks records.jsonl of run.test against reports of the runtime itself.

Usage: check-run.py RECORDS REPORT..."""

import json
import sys

from regshare import records

made = records.read(sys.argv[1])
assert len(made) == 10, len(made)
assert [r["outcome"] for r in made] == ["finished"] * 10
by_run = {
    (records.device_name(r["configuration"]), records.label(r["configuration"])): r
    for r in made
}
assert len(by_run) == 10, by_run.keys()

for path in sys.argv[2:]:
    report = json.load(open(path))
    settings = report["settings"]
    scheme, tau = report["scheme"], settings["REGSHARE_TAU"]
    label = scheme if tau == "0.8" else f"{scheme} tau={tau}"
    record = by_run[settings["REGSHARE_DEVICE"], label]
    launches = report["launches"]
    assert [k["launches"] for k in record["kernels"]] == [2, 1]
    for kernel in record["kernels"]:
        mine = [l["stats"] for l in launches if l["kernel"] == kernel["name"]]
        assert kernel["cycles"] == sum(s["cycles"] for s in mine)
        assert kernel["scheduler"] == mine[0]["scheduler"]
        slots = kernel["issue_slots"]
        assert sum(slots.values()) == sum(s["issue_slots"]["total"] for s in mine)
        assert slots["issued"] == kernel["warp_instructions"]
        energy = kernel["energy"]
        assert abs(sum(energy["parts"].values()) / energy["total"] - 1) < 1e-9
    total = record["total"]
    assert total["cycles"] == sum(l["stats"]["cycles"] for l in launches)
    for name, value in record["configuration"]["settings"].items():
        assert settings[name] == value, name

for record in made:
    many, few = record["kernels"]
    lines = many["profile"]["lines"]
    texts = {line["text"].strip(): line for line in lines}
    assert texts["Sum += Values[J] * Values[23 - J];"]["live"] >= 24, texts
    assert max(l["live"] for l in few["profile"]["lines"]) < 8

regmutex = by_run["gtx480", "regmutex es=8"]
base = by_run["gtx480", "baseline"]
assert regmutex["kernels"][0]["split"]["extended"] == 8
assert regmutex["configuration"]["given"] == {"REGSHARE_ES": "8"}
# Acquires and releases, and nothing in the kernel that is too small for a set.
added = [
    r["code"]["instructions"] - b["code"]["instructions"]
    for r, b in zip(regmutex["kernels"], base["kernels"])
]
assert added[0] >= 2 and added[1] == 0, added
assert regmutex["total"]["storage_bits"] == 384 and base["total"]["storage_bits"] == 0
# Also for the kernel that has no split; nobody knows what Ideal takes.
assert [k["storage_bits"] for k in regmutex["kernels"]] == [384, 384]
assert by_run["gtx480", "ideal"]["total"]["storage_bits"] is None
