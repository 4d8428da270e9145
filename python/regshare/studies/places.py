# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a study runs, and where."""

from .measured import BASE


def sample_of(study, suite, program):
    """The input of a program by which its schemes are chosen, or None."""
    return next((x for x in study.samples if x in suite.programs[program].inputs), None)


def variants_of(study, kernel):
    """What a kernel is run under, on a part and on its sample: schemes, and limits of
    registers under some; 0 is none."""
    limits = study.limits_of(kernel)
    pairs = study.limited_on(kernel.device)
    whole = [(scheme, 0) for scheme in study.schemes]
    return whole + [(scheme, limit) for scheme, limit in pairs if limit in limits]


def places_of(study, devices, suites):
    """By suite, by program and input, by device: what is run there, as pairs of a scheme
    and a limit of registers. What is chosen by comes last; programs of which no kernel
    counts are left out. `suites`: those of the study, by name."""
    found = {}

    def add(kernel, input_, device, variants):
        places = found.setdefault(kernel.suite, {})
        on = places.setdefault((kernel.program, input_), {}).setdefault(device, [])
        on += [each for each in variants if each not in on]

    counted = [x for x in study.kernels if x.device in devices and study.counts(x)]
    wide = [(scheme, 0) for scheme in study.wide_schemes]
    for each in counted:
        add(each, each.input, study.device(each.device), variants_of(study, each))
        add(each, each.input, study.shaken_device(each.device), [(BASE, 0)])
        add(each, each.input, study.wide_device(each.device), wide)
    for each in counted:
        if input_ := sample_of(study, suites[each.suite], each.program):
            add(each, input_, study.sample_device(each.device), variants_of(study, each))
    return found
