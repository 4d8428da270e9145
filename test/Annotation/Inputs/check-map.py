"""Checks that the registers a PTX body names are those its maps list, without
using RegShare's own parser."""

import re
import sys

text = open(sys.argv[1]).read()
mapped = dict(re.findall(r"(%\w+)=([RHP][\d_]+)", " ".join(
    re.findall(r'"regshare\.map ([^"]*)"', text))))
body = re.sub(r'\.pragma\s+"[^"]*";|//[^\n]*|\.reg [^;]*;', "", text)
named = set(re.findall(r"(%(?:rs|rd|rq|r|p)\d+)\b", body))
assert named, "the body names no register"
assert named == set(mapped), (named ^ set(mapped))
kinds = {"%p": "P", "%rs": "H", "%r": "R", "%rd": "R", "%rq": "R"}
for name, register in mapped.items():
    prefix = re.match(r"%[a-z]+", name).group()
    assert register[0] == kinds[prefix], (name, register)
    units = register[1:].split("_")
    assert len(units) == {"%rd": 2, "%rq": 4}.get(prefix, 1), (name, register)
    assert int(units[0]) % len(units) == 0, (name, register)
