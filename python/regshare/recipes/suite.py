# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every scheme on every program: tables of what was measured, as suite.yaml
orders. No paper has them."""

from . import common


def speed(frame):
    return common.speedups(frame, "baseline", columns="scheme")


def energy(frame):
    total = common.by(frame, "energy.total", columns="scheme")
    others = [column for column in total.columns if column != "baseline"]
    return common.with_mean(total[others].div(total["baseline"], axis=0))


def warps(frame):
    return common.by(frame, "occupancy.warps", columns="scheme")
