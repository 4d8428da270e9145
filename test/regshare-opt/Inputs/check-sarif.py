"""Checks what SARIF 2.1.0 asks of a log, and prints the results."""

import json
import sys

log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0" and "$schema" in log, log
(run,) = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "RegShare", driver
rules = {rule["id"] for rule in driver["rules"]}
assert len(rules) == len(driver["rules"]), "a rule stands there twice"
assert all(rule["shortDescription"]["text"] and rule["help"]["text"]
           for rule in driver["rules"])
for result in run["results"]:
    assert result["ruleId"] in rules, result
    assert result["level"] in ("none", "note", "warning", "error"), result
    (location,) = result["locations"]
    assert location["logicalLocations"][0]["kind"] == "function", location
    physical = location["physicalLocation"]
    uri, region = physical["artifactLocation"]["uri"], physical["region"]
    assert uri == sys.argv[2], uri
    lines = open(uri).read().split("\n")
    assert 1 <= region["startLine"] <= len(lines), region
    assert 1 <= region["startColumn"] <= len(lines[region["startLine"] - 1]), region
    print(result["level"], result["ruleId"], f"{uri}:{region['startLine']}",
          result["message"]["text"])
