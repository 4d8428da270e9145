# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What limits the CTAs of each kernel of a suite: its registers, or anything else."""

import csv
import dataclasses
import math

from .. import records
from ..toolchain import ToolError


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel of a program on a device, by its launch that executes the most. `ctas`
    of an SM are resident under Baseline; `other_ctas`, if registers did not limit
    them."""

    device: str
    suite: str
    program: str
    input: str
    kernel: str
    grid_ctas: int
    threads: int  # of a CTA
    registers: int  # of a thread
    shared_bytes: int  # of a CTA
    ctas: int
    other_ctas: int

    @property
    def is_limited(self):
        """By registers, more than by threads, warps, CTAs and shared memory."""
        return 0 < self.ctas < self.other_ctas

    @property
    def key(self):
        return self.suite, self.program, self.kernel


COLUMNS = tuple(field.name for field in dataclasses.fields(Kernel))
WHOLE_NUMBERS = COLUMNS[COLUMNS.index("grid_ctas") :]


def kernels_of(record):
    """Of a record of regshare-suite."""
    configuration = record["configuration"]
    for name, found in record["kernels"].items():
        shape = found["shape"]
        yield Kernel(
            records.device_name(configuration),
            configuration["suite"],
            configuration["program"]["name"],
            configuration["input"],
            name,
            math.prod(shape["grid"]),
            math.prod(shape["block"]),
            shape["registers_per_thread"],
            shape["shared_bytes"],
            shape["ctas"],
            shape["other_ctas"],
        )


def limited(found):
    """Those that registers limit, of records of verified runs, each once."""
    kernels = (
        each
        for record in found
        if record["outcome"] == "verified"
        for each in kernels_of(record)
    )
    return list(dict.fromkeys(each for each in kernels if each.is_limited))


def table(kernels):
    """Aligned for a terminal."""
    lines = [COLUMNS, *([str(x) for x in dataclasses.astuple(each)] for each in kernels)]
    widths = [max(len(line[n]) for line in lines) for n in range(len(COLUMNS))]
    first = COLUMNS.index("grid_ctas")
    return "\n".join(
        "  ".join(
            word.ljust(width) if n < first else word.rjust(width)
            for n, (word, width) in enumerate(zip(line, widths))
        )
        for line in lines
    )


def write(path, kernels):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(dataclasses.astuple, kernels))


def read(path):
    """Raises ToolError for what write() has not written."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise ToolError(f"cannot read '{path}': {error.strerror}") from None
    kernels = []
    for number, row in enumerate(rows, 2):
        if tuple(row) != COLUMNS or None in row.values():
            raise ToolError(f"{path}:{number}: expected the columns {', '.join(COLUMNS)}")
        for name in WHOLE_NUMBERS:
            if not row[name].isdecimal():
                raise ToolError(
                    f"{path}:{number}: {name}: expected a whole number, found '{row[name]}'"
                )
            row[name] = int(row[name])
        kernels.append(Kernel(**row))
    return kernels
