"""Compares what streams.cu measured with events with what the report says."""

import json
import sys

report = json.load(open(sys.argv[1]))
measured = float(open(sys.argv[2]).read())
first, second = report["launches"]
copy = report["copies"][0]
seconds = first["end_s"] - first["begin_s"]
assert abs(measured - seconds * 1e6) < 1e-3, (measured, seconds)
# Cycles at the device's clock.
assert abs(seconds - first["stats"]["cycles"] / 700e6) < 1e-12, first["stats"]["cycles"]
assert second["begin_s"] >= first["end_s"] and copy["begin_s"] >= second["end_s"]
assert [first["stream"], second["stream"], copy["stream"]] == [2, 3, 3]
assert copy["kind"] == "copy to host" and copy["bytes"] == 256
