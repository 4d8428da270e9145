# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what a study needs, and writes its page."""

import concurrent.futures
import pathlib

from .. import records, runs, settings, studies
from ..reproduce import read_lines, save
from ..suite import batch, description, work
from ..toolchain import Toolchain, ToolError
from . import measured


def given_of(study, limit):
    """The variables of a run."""
    given = {"REGSHARE_CODE": study.code}
    return given | {measured.LIMIT: str(limit)} if limit else given


def runs_of(study, suite, programs):
    """Of a suite, those of one program one after the other."""
    return [
        work.Run(
            suite.programs[name],
            suite.programs[name].inputs[input_],
            device,
            scheme,
            given_of(study, limit),
            True,
        )
        for (name, input_), devices in programs.items()
        for device, variants in devices.items()
        for scheme, limit in variants
    ]


def run_suite(args, tools, study, suite, programs):
    """The records of a suite's runs."""
    # A suite without one lies beside its file.
    source = suite.folder(suite.chosen_source(args.source) if suite.source else None)
    out = pathlib.Path(args.out or f"{study.name}-study") / suite.name
    place = work.Workplace(tools, suite, source, out, args.compile_options)
    out.mkdir(parents=True, exist_ok=True)
    wanted = runs_of(study, suite, programs)
    with concurrent.futures.ThreadPoolExecutor(args.jobs or runs.cores()) as pool:
        built = [place.build(run.program, run.input) for run in wanted]
        return batch.run(place, wanted, built, pool, args.timeout)


def devices_of(args, study):
    devices = args.device.split(",") if args.device else list(study.parts)
    for each in devices:
        if each not in study.parts:
            there = ", ".join(study.parts)
            raise ToolError(f"study '{study.name}' has no device '{each}'; it has: {there}")
    return devices


def kept(study, record):
    """A record without the kernels that the study does not have."""
    listed = {each.kernel for each in study.kernels}
    kernels = {k: v for k, v in record["kernels"].items() if k in listed}
    return record | {"kernels": kernels}


def run_all(args, tools, study):
    known = description.known()
    suites = {x.suite: description.read(known[x.suite]) for x in study.kernels}
    found = []
    for name, programs in study.places(devices_of(args, study), suites).items():
        found += run_suite(args, tools, study, suites[name], programs)
    return [kept(study, each) for each in found]


def read_saved(path):
    return list(records.parse(read_lines(path), path, batch.FORM))


def list_studies():
    for name in studies.names():
        study = studies.read(name)
        devices = ", ".join(study.parts)
        print(f"{name}: {study.title}; {len(study.kernels)} kernels on {devices}")


def study(name, args, binaries):
    """The action of the command `name`."""
    if not args.what:
        list_studies()
        return True
    if len(args.what) > 1:
        raise ToolError(f"expected one study, found {len(args.what)}")
    chosen = studies.read(args.what[0])
    if args.records:
        found = read_saved(args.records)
    else:
        tools = Toolchain(binaries, args.load)
        settings.tell_doubts(name, tools)
        found = run_all(args, tools, chosen)
    text = chosen.page(found)
    if args.save:
        save(args.save, found)
    if args.page:
        pathlib.Path(args.page).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return not any(each["outcome"] in ("wrong", "failed") for each in found)
