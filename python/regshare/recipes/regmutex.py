# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RegMutex (ISCA 2018): tables of what was measured, as regmutex.yaml orders."""

from . import common


def figure_7(frame):
    return common.speedups(frame, "baseline")
