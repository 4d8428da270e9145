# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report-fields.py REPORT COMMAND...: the command, which loads OneName.cpp, refuses the
name of each field that launches have in the report."""

import json
import os
import re
import subprocess
import sys


def says(**variables):
    done = subprocess.run(
        sys.argv[2:], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stderr


with open(sys.argv[1], encoding="utf-8") as file:
    (launch,) = json.load(file)["launches"]
assert {"kernel", "stream"} <= launch.keys() and {"cycles", "energy"} <= launch["stats"].keys()
assert not says(SCHEME_NAME="one-name", SHOWN_KEY="one_key")
for field in sorted({*launch, *launch["stats"]}):
    refusal = says(SHOWN_KEY=field)
    assert f"the key of what it shows, '{field}', is" in refusal, f"{field}: {refusal}"
    # Names of schemes have hyphens.
    if re.fullmatch("[a-z]+", field):
        refusal = says(SCHEME_NAME=field)
        assert "that is a field of RegShare's reports" in refusal, f"{field}: {refusal}"
