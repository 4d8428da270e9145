# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records of runs, one JSON object a line (docs/records.md).

    frame = regshare.records.load("records.jsonl")     # pandas, a row a kernel
    frame = regshare.records.load("records.jsonl", totals=True)     # a row a run
    regshare.records.against_baseline(frame)[["label", "kernel", "speedup"]]
"""

import fcntl
import hashlib
import json
import os
import pathlib

from . import schema

VERSION = 2
SCHEMA = json.loads(
    (pathlib.Path(__file__).parent / "record.schema.json").read_text(encoding="utf-8")
)
# The variable of sampling (docs/sampling.md).
SAMPLE = "REGSHARE_SAMPLE"
# What a record's identity does not depend on: where the program's source was,
# and what follows from the rest.
NOT_IDENTITY = ("settings",)


class RecordError(Exception):
    """A file that cannot be used; the message says why, with its place."""


def identity(configuration):
    """Equal for equal configurations, whatever the order of their keys."""
    kept = {k: v for k, v in configuration.items() if k not in NOT_IDENTITY}
    kept["program"] = {"sha256": configuration["program"]["sha256"]}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def device_name(configuration):
    """As it was asked for: `gtx480,registers=16384`."""
    device = configuration["device"]
    return ",".join([device["name"], *device["changes"]])


def label(configuration):
    """The scheme with the settings that it was given: `expars tau=0.5`. Lenient
    mode is about the program, and is none of them."""
    given = sorted(configuration["given"].items())
    words = [f"{setting_word(k)}={v}" for k, v in given if k != "REGSHARE_LENIENT"]
    return " ".join([configuration["scheme"], *words])


def sample(configuration):
    """What sampling was asked for, in percent: `0` where all launches are timed."""
    return configuration["given"].get(SAMPLE, "0")


def baseline_label(configuration):
    """The label of Baseline with which a run is compared: sampled as it is."""
    percent = sample(configuration)
    return "baseline" if percent == "0" else f"baseline {setting_word(SAMPLE)}={percent}"


def is_baseline(configuration):
    return label(configuration) in ("baseline", baseline_label(configuration))


def setting_word(variable):
    """`operand-cache` for REGSHARE_OPERAND_CACHE."""
    return variable.removeprefix("REGSHARE_").lower().replace("_", "-")


def setting_variable(word):
    return "REGSHARE_" + word.upper().replace("-", "_")


def without_parameters(demangled):
    """`(anonymous namespace)::k<(Mode)1>` of a kernel's name with its parameters,
    which may have brackets themselves."""
    depth = 0
    for place in reversed(range(len(demangled))):
        depth += {")": 1, "(": -1}.get(demangled[place], 0)
        if depth == 0:
            return demangled[:place] if demangled.endswith(")") else demangled
    return demangled


def findings(record, form=SCHEMA):
    """What keeps an object from being a record, a line each."""
    yield from schema.findings(record, form)


def parse(lines, path, form=SCHEMA):
    """The records of a file's complete lines, by the schema that they follow."""
    newest = form["properties"]["version"]["const"]
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(f"{path}:{number}: this line is not JSON") from None
        if isinstance(record, dict) and record.get("version") in range(1, newest):
            old = record["version"]
            raise RecordError(
                f"{path}:{number}: a record of version {old}, of an older RegShare; "
                f"this one has version {newest}: take another folder"
            )
        wrong = next(findings(record, form), None)
        if wrong:
            raise RecordError(f"{path}:{number}: {wrong}")
        yield record


def complete_lines(data):
    """The lines that end; a last one without its end was never finished."""
    return data[: data.rfind(b"\n") + 1].decode(errors="replace").split("\n")[:-1]


def latest(records):
    """One record for each configuration, the last, where the first stood."""
    return list({record["id"]: record for record in records}.values())


def read(*paths):
    """The records of files, as dictionaries; of several with the same
    configuration the last. Raises RecordError for what is no record."""
    records = []
    for path in paths:
        try:
            data = pathlib.Path(path).read_bytes()
        except OSError as error:
            raise RecordError(f"cannot read '{path}': {error.strerror}") from None
        records += parse(complete_lines(data), path)
    return latest(records)


class RecordFile:
    """A file that runs are added to, held by one process at a time; another one
    gets a RecordError, or waits. A last line that was never finished is dropped
    when the file is opened."""

    def __init__(self, path, wait=False, form=SCHEMA):
        """`form`: the schema of its records."""
        self.path, self.form = pathlib.Path(path), form
        try:
            self.file = open(self.path, "a+b")
        except OSError as error:
            raise RecordError(f"cannot write '{path}': {error.strerror}") from None
        try:
            self.records = self.take(wait)
        except RecordError:
            self.file.close()
            raise

    def take(self, wait):
        """Locks the file, drops a torn line, and gives the records."""
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            raise RecordError(f"'{self.path}' is in use by another run") from None
        self.file.seek(0)
        data = self.file.read()
        found = latest(parse(complete_lines(data), self.path, self.form))
        self.file.truncate(data.rfind(b"\n") + 1)
        return found

    def find(self, identity_):
        """The record of a configuration, or None."""
        found = (r for r in self.records if r["id"] == identity_)
        return next(found, None)

    def add(self, record):
        """At the end of the file, and on the disk when this returns."""
        line = json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n"
        self.file.write(line.encode())
        self.file.flush()
        os.fsync(self.file.fileno())
        self.records = latest([*self.records, record])

    def close(self):
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


# For pandas.

LISTS = ("grid", "block")


def flat(figures):
    """Figures as columns: `occupancy.warps`, `slots.no-warp`, `sharing.attempts`.
    CPI stacks come as `cpi.no-warp` as well, cycles of a scheduler for each
    instruction."""
    row = {}
    for name, value in figures.items():
        if name in ("counters", "layout"):
            row |= value
            continue
        name = "slots" if name == "issue_slots" else name
        if name == "profile":
            continue
        if name in LISTS:
            row[name] = "x".join(map(str, value))
        elif isinstance(value, list):
            row[name] = "+".join(value)
        elif isinstance(value, dict):
            inner = flat(value)
            row |= {f"{name}.{key}": each for key, each in inner.items()}
        else:
            row[name] = value
    return row


def run_columns(record):
    configuration = record["configuration"]
    row = {
        "id": record["id"],
        "program": configuration["program"]["name"],
        "program_sha256": configuration["program"]["sha256"],
        "arguments": " ".join(configuration["arguments"]),
        "compiler_options": " ".join(configuration["compiler_options"]),
        "device": device_name(configuration),
        "device_sha256": configuration["device"]["sha256"],
        "scheme": configuration["scheme"],
        "label": label(configuration),
        "sample": sample(configuration),
        "is_baseline": is_baseline(configuration),
        "outcome": record["outcome"],
        "why": record["why"],
        "error_kind": record.get("error_kind"),
        "notes": "; ".join(record["notes"]),
        "wall_seconds": record["wall_seconds"],
        "regshare": configuration["regshare"],
        "toolchain": configuration["toolchain"],
    }
    settings = configuration["settings"].items()
    return row | {f"setting.{setting_word(k)}": v for k, v in settings}


def figure_columns(figures):
    row = flat(figures)
    issued = figures["issue_slots"]["issued"]
    for use, slots in figures["issue_slots"].items():
        row[f"cpi.{use}"] = slots / issued if issued else None
    return row


def rows(records, totals=False):
    """Dictionaries with the columns that load() has."""
    for record in records:
        run = run_columns(record)
        if record["outcome"] != "finished":
            yield run
        elif totals:
            yield run | figure_columns(record["total"])
        else:
            for kernel in record["kernels"]:
                short = {"kernel": without_parameters(kernel["demangled"])}
                yield run | short | figure_columns(kernel)


def frame(records, totals=False):
    """A pandas frame with a row for each kernel of each run, or for each run
    (totals). A run that was refused or failed is a row that has no figures."""
    import pandas

    return pandas.DataFrame(list(rows(records, totals)))


def load(*paths, totals=False):
    """The same of files of records."""
    return frame(read(*paths), totals)


def against_baseline(frame):
    """The frame with what its rows are against Baseline for the same program,
    arguments, device (and its file), build, sampling and kernel: `speedup` (cycles of
    Baseline by those of the row), `energy_ratio`, `added_instructions`,
    `added_statements` (of the code) and `executed_ratio` (warp instructions). NaN
    where there is no baseline."""
    keys = ["program_sha256", "compiler_options", "arguments", "device"]
    keys += ["device_sha256", "toolchain", "sample"]
    keys += ["name"] if "name" in frame else []
    figures = ["cycles", "energy.total", "warp_instructions"]
    figures += ["code.instructions", "code.statements"]
    frame = frame.reindex(columns=[*frame.columns, *(set(figures) - set(frame))])
    is_base = frame["is_baseline"] & (frame["outcome"] == "finished")
    base = frame[is_base].drop_duplicates(keys)[[*keys, *figures]]
    joined = frame.merge(base, on=keys, how="left", suffixes=("", ".baseline"))
    joined["speedup"] = joined["cycles.baseline"] / joined["cycles"]
    joined["energy_ratio"] = joined["energy.total"] / joined["energy.total.baseline"]
    joined["executed_ratio"] = (
        joined["warp_instructions"] / joined["warp_instructions.baseline"]
    )
    for name in ("instructions", "statements"):
        joined[f"added_{name}"] = (
            joined[f"code.{name}"] - joined[f"code.{name}.baseline"]
        )
    return joined.drop(columns=[f"{name}.baseline" for name in figures])
