"""A sweep that grows and changes, in a folder with an odd name: what is run, and
what is not again; and its records against those of regshare-compare.

Usage: life.py FOLDER TWO.cu KERNELS"""

import json
import pathlib
import shutil
import subprocess
import sys

import sweeps

from regshare import records, sweep, toolchain

work, two, kernels = map(pathlib.Path, sys.argv[1:])
odd = work / "it's \"a\" $HOME & {sweep}; # 1: %j"
odd.mkdir()
out = odd / "of runs"
# PTX names its source in quotes, so that here can be none of those.
source = work / "it's $HOME; {too}" / "two.cu"
source.parent.mkdir()
source.write_text(two.read_text())
sheet = {
    "programs": [{"source": f"../{source.parent.name}/two.cu", "arguments": 4}, "nn"],
    "devices": ["gtx480", "gtx480,registers=16384"],
    "part": 3,
    "runs": [
        {"scheme": ["baseline", "ltrf"]},
        {"name": "split", "scheme": "expars", "settings": {"tau": [0.5, 0.75]}},
    ],
}


def changed(**changes):
    sheet.update(changes)
    return sweeps.write(odd / "a sweep.yaml", **sheet)


# All of it.
path = changed()
listed = sweeps.run(path, out, "--list").splitlines()
assert len(listed) == 16 and not out.exists(), listed
assert listed[2] == "two 4: gtx480,sms=5,timing.dram.channels=2: expars tau=0.5", listed
said = sweeps.run(path, out)
assert sweeps.is_progress(said, 16), said
assert "two on gtx480: split (expars) tau=0.75: " in said, said
assert "16 of 16 runs finished, 0 refused, 0 failed, 0 missing" in said, said
first = sweeps.lines(out)
assert [len(each) for each in first.values()] == [4] * 4, first.keys()
made = sweeps.records(out)
assert all(not list(records.findings(record)) for record in made)

# The same as from a comparison.
CHANGES = "sms=5,timing.dram.channels=2"
for name, code, arguments, devices in (
    ("two", source, ["4"], f"gtx480,{CHANGES},gtx480,registers=16384,{CHANGES}"),
    ("nn", kernels / "nn" / "nn.cu", [], f"gtx480,{CHANGES}"),
):
    subprocess.run(
        ["regshare-compare", code, f"--out={work / name}", f"--device={devices}",
         "--schemes=ltrf,expars:tau=0.5,expars:tau=0.75", "--", *arguments],
        check=True, capture_output=True, cwd=odd,
    )  # fmt: skip
    compared = {record["id"]: record for record in records.read(work / name / "records.jsonl")}
    names = devices.replace(",gtx480", " gtx480").split()
    mine = {
        record["id"]: record
        for record in made
        if record["configuration"]["program"]["name"] == name
        and records.device_name(record["configuration"]) in names
    }
    assert mine.keys() == compared.keys() and len(mine) == 4 * len(names), name
    for record in mine.values():
        other = compared[record["id"]]
        assert record["total"] == other["total"], name
        # A comparison also has the live registers of source lines.
        for kernel in other["kernels"]:
            kernel["profile"] = None
        assert record["kernels"] == other["kernels"], name

# There is nothing more to do, and nothing is started for it.
log = out / "log" / "snakemake.log"
before = log.stat().st_mtime_ns
assert "16 of 16" in sweeps.run(path, out)
assert sweeps.lines(out) == first and log.stat().st_mtime_ns == before

# More runs.
sheet["runs"][1]["settings"]["tau"].append(0.25)
sheet["programs"][1:] = []
said = sweeps.run(changed(devices=["gtx480"]), out, "--jobs=6")
assert "[4/5] 1 runs to do" in said and "5 of 5" in said, said
# One job, and so it may have all that there is.
assert json.loads((out / "plan.json").read_text())["threads"] == 6
second = sweeps.lines(out)
assert second["two@gtx480.jsonl"][:4] == first["two@gtx480.jsonl"]
assert len(second["two@gtx480.jsonl"]) == 5
assert all(second[name] == first[name] for name in first if name != "two@gtx480.jsonl")

# Another program under the name; then one that is none, of which old records are
# no records.
text = source.read_text()
source.write_text(text.replace("0.5f", "0.25f"))
said = sweeps.run(path, out)
assert "[0/5] 5 runs to do" in said, said
third = sweeps.lines(out)["two@gtx480.jsonl"]
assert third[:5] == second["two@gtx480.jsonl"] and len(third) == 10
assert len(list((out / "programs").iterdir())) == 2
source.write_text("this is no program")
said = sweeps.run(path, out, wanted=1)
assert "two.cu:1:" in said and "two.cu does not compile" in said, said
assert "0 of 5 runs finished, 0 refused, 0 failed, 5 missing" in said, said
source.write_text(text.replace("0.5f", "0.25f"))
assert "5 of 5" in sweeps.run(path, out)
assert sweeps.lines(out)["two@gtx480.jsonl"] == third

# What an analysis reads.
binaries = pathlib.Path(shutil.which("regshare-opt")).parent
plan = sweep.read(path, toolchain.Toolchain(binaries))
points = list(sweep.found_in(plan, records.read(*sweep.files_of(plan, out))))
at = [dict(point.at).get("tau") for point, _ in points]
assert at == [None, None, 0.5, 0.75, 0.25], at
