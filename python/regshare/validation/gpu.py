# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPU of this machine, through NVIDIA's driver: it runs the micro-benchmarks that the
reference SM runs, compiled by nvcc."""

import csv
import ctypes
import os
import pathlib
import re
import shutil
import statistics
import struct
import subprocess
import tempfile

from ..toolchain import ToolError, last_line
from .tu102 import WARP, Difference

CLOCK = pathlib.Path(__file__).with_name("h200.cu")
DRIVER = "libcuda.so.1"
# CUDA Driver API: CUdevice_attribute, CUfunction_attribute.
SM_COUNT, SHARED_OF_SM = 16, 81
MAJOR, MINOR = 75, 76
MAX_DYNAMIC_SHARED = 8
# Launches of which the fastest counts, and the largest difference from their median
# with which a row is said to be steady.
REPEATS = 11
STEADY = 0.03
# Seconds that the two sizes of a benchmark should be apart, so that the clock of events
# (half a microsecond) does not show; of bandwidths, which differ more from launch to launch.
APART, LONGER = 300e-6, 2e-3
# Cycles in which the clock is counted, and how often that is done for a GPU that was idle
# to have its full clock.
CLOCK_CYCLES, WARM_UP = 4_000_000, 100
# Most times that a benchmark's sizes are multiplied, and bytes that it has then.
MOST, MOST_BYTES = 4096, 1 << 34
# Of CTAs that an SM has at a time, as a device's figure.
LIMIT = r"max_ctas=(\d+)"
FORMATS = {"u8": "B", "u32": "I", "u64": "Q", "f32": "f", "f64": "d"}


class Driver:
    """The functions that are used, each of which gives an error as a ToolError."""

    def __init__(self):
        try:
            self.functions = ctypes.CDLL(DRIVER)
        except OSError:
            raise ToolError(f"no GPU can be used here: '{DRIVER}' of NVIDIA's driver is "
                "not installed") from None

    def __getattr__(self, name):
        function = getattr(self.functions, name)

        def call(*arguments):
            if code := function(*arguments):
                raise ToolError(f"the GPU's driver: {name}: {self.text_of(code)}")

        return call

    def text_of(self, code):
        text = ctypes.c_char_p()
        self.functions.cuGetErrorString(code, ctypes.byref(text))
        return text.value.decode() if text.value else f"error {code}"


def nvcc():
    """NVIDIA's compiler: in CUDA_HOME, or in PATH."""
    home = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin" / "nvcc"
    found = str(home) if home.exists() else shutil.which("nvcc")
    if not found:
        raise ToolError("nvcc, which compiles for the GPU, is neither in CUDA_HOME nor in PATH")
    return found


class Gpu:
    """The first GPU; its memory is taken by allocate() and given back by release()."""

    def __init__(self):
        self.driver = Driver()
        self.driver.cuInit(0)
        device = ctypes.c_int()
        self.driver.cuDeviceGet(ctypes.byref(device), 0)
        self.device = device
        context = ctypes.c_void_p()
        self.driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
        self.driver.cuCtxSetCurrent(context)
        name = ctypes.create_string_buffer(256)
        self.driver.cuDeviceGetName(name, 256, device)
        self.name = name.value.decode()
        self.sms = self.attribute(SM_COUNT)
        self.arch = f"sm_{self.attribute(MAJOR)}{self.attribute(MINOR)}"
        self.taken = []

    def attribute(self, number):
        value = ctypes.c_int()
        self.driver.cuDeviceGetAttribute(ctypes.byref(value), number, self.device)
        return value.value

    def load(self, source, folder):
        """A module of the kernels of a CUDA source."""
        cubin = pathlib.Path(folder) / f"{pathlib.Path(source).stem}.cubin"
        done = subprocess.run([nvcc(), "-O3", "-w", f"-arch={self.arch}", "-cubin", "-o",
            str(cubin), str(source)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise ToolError(f"nvcc cannot compile '{source}': {last_line(done.stderr)}")
        module = ctypes.c_void_p()
        self.driver.cuModuleLoad(ctypes.byref(module), str(cubin).encode())
        return module

    def kernel(self, module, name):
        function = ctypes.c_void_p()
        self.driver.cuModuleGetFunction(ctypes.byref(function), module, name.encode())
        return function

    def parameter_size(self, function, index):
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        self.driver.cuFuncGetParamInfo(function, ctypes.c_size_t(index), ctypes.byref(offset),
            ctypes.byref(size))
        return size.value

    def allocate(self, size, begin):
        """The address of `size` bytes, which begin with `begin` and are zeros after it."""
        address = ctypes.c_uint64()
        self.driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size))
        self.taken.append(address)
        self.driver.cuMemsetD8_v2(address, ctypes.c_ubyte(0), ctypes.c_size_t(size))
        if begin:
            self.driver.cuMemcpyHtoD_v2(address, begin, ctypes.c_size_t(len(begin)))
        return address

    def read(self, address, size):
        found = ctypes.create_string_buffer(size)
        self.driver.cuMemcpyDtoH_v2(found, address, ctypes.c_size_t(size))
        return found.raw

    def release(self):
        for address in self.taken:
            self.driver.cuMemFree_v2(address)
        self.taken.clear()

    def buffer(self, word):
        form, count, first = parts_of(word)
        begin = b""
        if first and float(first):
            number = float(first) if form in "fd" else int(first)
            begin = struct.pack(f"<{form}", number)
        return self.allocate(count * struct.calcsize(form), begin)

    def scalar(self, word, size):
        is_float = isinstance(word, str) and "." in word
        form = {4: "f", 8: "d"}[size] if is_float else {1: "b", 4: "I", 8: "Q"}[size]
        number = float(word) if is_float else int(word) % (1 << 8 * size)
        return ctypes.create_string_buffer(struct.pack(f"<{form}", number), size)

    def values(self, function, words):
        """The kernel's arguments as they lie in memory."""
        return [
            self.buffer(word) if str(word).startswith("buf:")
            else self.scalar(word, self.parameter_size(function, index))
            for index, word in enumerate(words)
        ]

    def shared_for(self, function, ctas):
        """Bytes of dynamic shared memory with which an SM has room for so many CTAs."""
        size = self.attribute(SHARED_OF_SM) // (ctas + 1)
        self.driver.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, size)
        return size

    def launch(self, function, ctas, threads, values, shared=0):
        parameters = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        self.driver.cuLaunchKernel(function, ctas, 1, 1, threads, 1, 1, shared, None,
            parameters, None)

    def seconds(self, function, ctas, threads, values, shared=0, repeats=REPEATS):
        """Of each of some launches, after one that does not count."""
        self.launch(function, ctas, threads, values, shared)
        begin, end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (begin, end):
            self.driver.cuEventCreate(ctypes.byref(event), 0)
        found = []
        for _ in range(repeats):
            self.driver.cuEventRecord(begin, None)
            self.launch(function, ctas, threads, values, shared)
            self.driver.cuEventRecord(end, None)
            self.driver.cuEventSynchronize(end)
            ms = ctypes.c_float()
            self.driver.cuEventElapsedTime(ctypes.byref(ms), begin, end)
            found.append(ms.value / 1000)
        for event in (begin, end):
            self.driver.cuEventDestroy_v2(event)
        return found


def parts_of(word):
    """Of `buf:<type>*<count>[=<first>]`, as regshare-opt's --arg has it."""
    kind, count, first = re.fullmatch(r"buf:(\w+)\*(\d+)(?:=(.*))?", word).groups()
    return FORMATS[kind], int(count), first


def bytes_of(words):
    """Of the buffers among a kernel's arguments."""
    buffers = (parts_of(word) for word in words if str(word).startswith("buf:"))
    return sum(count * struct.calcsize(form) for form, count, _ in buffers)


class Clock:
    """Of the SMs: `clock_of` counts their cycles while events count seconds."""

    def __init__(self, gpu, folder):
        self.gpu = gpu
        self.function = gpu.kernel(gpu.load(CLOCK, folder), "clock_of")
        for _ in range(WARM_UP):
            self.ghz()

    def ghz(self):
        values = self.gpu.values(self.function, ["buf:u64*1=0", 0, 0, CLOCK_CYCLES])
        seconds = self.gpu.seconds(self.function, 1, WARP, values, repeats=1)[0]
        (cycles,) = struct.unpack("<Q", self.gpu.read(values[0], 8))
        self.gpu.release()
        return cycles / seconds / 1e9


class Runner:
    """Runs the benchmarks of a source, as validate_command.Runner does on a device."""

    def __init__(self, gpu, clock, source, folder):
        self.gpu = gpu
        self.clock = clock
        self.module = gpu.load(source, folder)

    def times(self, benchmark, sizes):
        """For each of the two sizes, the seconds of its launches."""
        function = self.gpu.kernel(self.module, benchmark.kernel)
        shared, found = 0, []
        if limit := re.fullmatch(LIMIT, benchmark.figures):
            shared = self.gpu.shared_for(function, int(limit[1]))
        for size in sizes:
            values = self.gpu.values(function, benchmark.words(size))
            found.append(self.gpu.seconds(function, benchmark.ctas_of(size),
                WARP * benchmark.warps, values, shared))
            self.gpu.release()
        return found

    def factor(self, benchmark, more):
        """How many times the sizes are taken, whose difference takes `more` seconds."""
        apart = LONGER if benchmark.measure == "GB/s" else APART
        factor = 1
        while (benchmark.is_steady and factor < MOST and factor * max(more, 1e-7) < apart
            and bytes_of(benchmark.words(2 * factor * benchmark.sizes[1])) < MOST_BYTES):
            factor *= 2
        return factor

    def value(self, benchmark):
        """In the row's unit, and whether the launches agree; None of what cannot be told from
        how launches differ."""
        clock_ghz = self.clock.ghz()
        times = self.times(benchmark, benchmark.sizes)
        factor = self.factor(benchmark, min(times[1]) - min(times[0]))
        if factor > 1:
            times = self.times(benchmark, [factor * size for size in benchmark.sizes])
        more = min(times[1]) - min(times[0])
        middle = statistics.median(times[1]) - statistics.median(times[0])
        if more <= 0:
            return None, False
        cycles = [min(each) * clock_ghz * 1e9 / factor for each in times]
        return benchmark.value(cycles, clock_ghz), abs(middle - more) <= STEADY * more


UNITS = {"cycles": "cycles", "ns": "ns", "rate": "warpinst/SM/clk", "bytes": "B/clk/SM",
    "GB/s": "GB/s"}
COLUMNS = ("row", "variant", "value", "unit", "flag", "tag")


def is_for_gpus(benchmark):
    """A device whose figures are changed for a benchmark is no GPU, but for the CTAs of an
    SM, which shared memory limits as well."""
    return not benchmark.figures or re.fullmatch(LIMIT, benchmark.figures)


def rows_of(runner, part, tag_of, begin):
    """What a part's benchmarks measure, of rows whose name begins so, one by one."""
    values = {}
    for key, benchmark in part.benchmarks().items():
        if not key[0].startswith(begin):
            continue
        if isinstance(benchmark, Difference):
            if {benchmark.of, benchmark.less} <= values.keys():
                value = values[benchmark.of] - values[benchmark.less]
                yield (*key, f"{value:.6g}", "cycles", "ok", tag_of(key))
        elif is_for_gpus(benchmark):
            value, steady = runner.value(benchmark)
            if value is None:
                continue
            values[key] = value
            flag = "ok" if steady else "UNSTEADY"
            yield (*key, f"{values[key]:.6g}", UNITS[benchmark.measure], flag, tag_of(key))


def measure(parts, sources, tag_of, path, begin=""):
    """Writes a table of what the GPU takes for the benchmarks of all parts, row by row, and
    gives the lines of a summary."""
    gpu = Gpu()
    try:
        table = open(path, "w", newline="")
    except OSError as error:
        raise ToolError(f"cannot write '{path}': {error.strerror}") from None
    with tempfile.TemporaryDirectory() as folder, table as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        count = unsteady = 0
        clock = Clock(gpu, folder)
        for part in parts:
            runner = Runner(gpu, clock, sources / part.KERNELS, folder)
            for row in rows_of(runner, part, tag_of, begin):
                writer.writerow(row)
                file.flush()
                count += 1
                unsteady += row[4] != "ok"
        yield f"{gpu.name}: {gpu.sms} SMs at {1000 * clock.ghz():.0f} MHz"
    yield f"{count} rows, {unsteady} of which spread by more than {STEADY:.0%}"
