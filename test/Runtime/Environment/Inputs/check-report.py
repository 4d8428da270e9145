"""Checks the report and the timeline of report.cu."""

import json
import sys

report = json.load(open(sys.argv[1]))
assert report["device"] == "hopper" and report["scheme"] == "baseline", report
settings = report["settings"]
assert settings["REGSHARE_DEVICE"] == "hopper" and settings["REGSHARE_TAU"] == "0.8"
assert settings["REGSHARE_TRACE"] == "" and settings["REGSHARE_REPORT"] == sys.argv[1]
launches, copies = report["launches"], report["copies"]
assert [l["kernel"] for l in launches] == [
    "_Z5scaleIfEvPT_S0_i",
    "_Z5scaleIiEvPT_S0_i",
]
for launch in launches:
    stats = launch["stats"]
    assert launch["error"] == "cudaSuccess" and launch["ctas"] == 8
    assert launch["grid"] == [8, 1, 1] and launch["block"] == [128, 1, 1]
    assert stats["scheduler"] == "gto"
    # No code comes twice in this kernel, so a warp executes it once at most.
    code = launch["code"]
    assert 0 < stats["warp_instructions"] <= 8 * 4 * code["instructions"]
    assert code["statements"] == 0
    assert sum(stats["issue_slots"]["uses"].values()) == stats["issue_slots"]["total"]
    assert stats["warp_instructions"] == launch["warp_instructions"] > 0
    assert abs(launch["end_s"] - launch["begin_s"] - stats["seconds"]) < 1e-12
assert [c["kind"] for c in copies] == ["fill", "copy to device", "copy to host"]
assert [c["bytes"] for c in copies] == [256, 4096, 4096]
# 15.75 GB/s.
assert abs(copies[1]["end_s"] - copies[1]["begin_s"] - 4096 / 15.7538e9) < 1e-11
assert launches[0]["begin_s"] >= copies[1]["end_s"]

events = json.load(open(sys.argv[2]))["traceEvents"]
slices = [e for e in events if e["ph"] == "X"]
assert [s["name"] for s in slices] == [
    "fill",
    "copy to device",
    "void scale<float>(float*, float, int)",
    "void scale<int>(int*, int, int)",
    "copy to host",
]
for earlier, later in zip(slices, slices[1:]):
    assert later["ts"] >= earlier["ts"] + earlier["dur"] - 1e-6
# CTAs of both launches lie within them.
ctas = [e for e in events if e["ph"] == "B" and e["name"].startswith("CTA 7")]
assert len([e for e in ctas if e["name"] == "CTA 7"]) == 2, ctas
begin, end = slices[2]["ts"], slices[3]["ts"] + slices[3]["dur"]
assert all(begin - 1e-5 <= e["ts"] <= end + 1e-5 for e in ctas)
assert any(e["ph"] == "C" and e["name"] == "resident warps" for e in events)
