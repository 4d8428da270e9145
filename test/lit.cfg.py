# The lit configuration of the suite; CONTRIBUTING.md lists the substitutions.

import os
import shlex
import shutil
import subprocess
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.regshare_source_root, "utils"))
import lit_format  # noqa: E402

config.name = "RegShare"
config.suffixes = [".cu", ".ll", ".mir", ".mlir", ".ptx", ".test", ".yaml"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.regshare_build_root, "test")

# utils/sanitized.py says what runs with sanitizers.
sanitized = bool(config.regshare_asan_runtime)
kind = lit_format.Sanitized if sanitized else lit.formats.ShTest
config.test_format = kind(execute_external=False)

build_bin = os.path.join(config.regshare_build_root, "bin")
build_lib = os.path.join(config.regshare_build_root, "lib")


def llvm_tool(name):
    return os.path.join(config.regshare_llvm_bin, name)


def python_has(python, *modules):
    imports = [python, "-c", f"import {', '.join(modules)}"]
    try:
        return subprocess.run(imports, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def without_manager(python):
    """The interpreter that `python` starts. A version manager's script takes several
    times as long as Python itself, and tests start Python some hundred times."""
    command = [python, "-c", "import sys; print(sys.executable)"]
    said = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return said or python


def folder_with(python):
    """A folder in which `python3` is that one, for programs that begin with
    `/usr/bin/env python3`."""
    folder = os.path.join(config.test_exec_root, "python")
    os.makedirs(folder, exist_ok=True)
    script = os.path.join(folder, "python3")
    with open(script, "w") as file:
        file.write(f"#!/bin/sh\nexec {shlex.quote(python)} \"$@\"\n")
    os.chmod(script, 0o755)
    return folder


config.regshare_python = without_manager(config.regshare_python)

# FileCheck, split-file, mlir-opt, … go by their plain names, and so do our own
# programs; what else is on the user's path comes after them.
config.environment["PATH"] = os.pathsep.join(
    [
        build_bin,
        folder_with(config.regshare_python),
        config.regshare_llvm_bin,
        config.environment["PATH"],
    ]
)
# lit starts the tests with a clean environment, so that the REGSHARE_ variables
# of a user's session do not steer them; these do reach them.
for name in (
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
    "REGSHARE_FUZZ_ITERATIONS",
    "SLURM_CONF",
):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Programs of the kernel suite are compiled once for all tests.
config.environment["SUITE_PROGRAMS"] = os.path.join(config.test_exec_root, "programs")

# So are the headers that come before every CUDA source, and nothing of a test goes
# among those that the user has.
config.environment["REGSHARE_HEADER_CACHE"] = os.path.join(config.test_exec_root, "headers")

# What reports say does not depend on whether there is a ptxas; tests about it
# give one to --ptxas.
config.environment["REGSHARE_PTXAS"] = "none"

# A program that is not instrumented loads our instrumented objects only with
# the sanitizer's run-time preloaded. LLVM's own tools leak by design.
preload = ""
if sanitized:
    config.available_features.add("asan")
    options = config.environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    preload = "env LD_PRELOAD={} ASAN_OPTIONS={} ".format(
        config.regshare_asan_runtime, options.lstrip(":")
    )

clang = llvm_tool("clang++")
# What is linked with an instrumented library gets the sanitizer's symbols from
# the run-time that is preloaded.
driver = "regshare-clang++"
if sanitized:
    driver += " -Wl,--allow-shlib-undefined"
cuda_flags = "-x cuda -nocudalib -Wno-unknown-cuda-version"

config.substitutions += [
    (r"%run\b", preload),
    (r"%llc\b", preload + llvm_tool("llc")),
    (r"%opt\b", preload + llvm_tool("opt")),
    # Stock clang on a CUDA source that brings its own declarations.
    (r"%clang_cuda\b", f"{preload}{clang} {cuda_flags} -nocudainc"),
    (r"%clang\b", llvm_tool("clang++")),
    # CUDA programs for the reference SM; run them with %run.
    (r"%regshare_clang\b", driver),
    # Our own headers and device math, in the shape of a toolkit.
    (r"%regshare_cuda\b", os.path.join(build_lib, "regshare", "cuda")),
    (r"%plugin\b", os.path.join(build_lib, "libRegSharePlugin.so")),
    (r"%spin_locks\b", os.path.join(build_lib, "libRegShareSpinLocks.so")),
    (
        r"%unset_arguments\b",
        os.path.join(build_lib, "libRegShareUnsetArguments.so"),
    ),
    (r"%cudart_dir\b", build_lib),
    (r"%cudart\b", os.path.join(build_lib, "libregshare_cudart.so")),
    (r"%kernels\b", os.path.join(config.regshare_source_root, "kernels")),
    (r"%configs\b", os.path.join(config.regshare_source_root, "configs")),
    (r"%utils\b", os.path.join(config.regshare_source_root, "utils")),
    (r"%python\b", config.regshare_python),
]

# Comparisons and sweeps, with what their compiles and runs need around them.
compare = f"env 'REGSHARE_COMPILE_WITH={driver}' 'REGSHARE_RUN_WITH={preload}' "
package = os.path.join(config.regshare_source_root, "python")
config.substitutions += [
    (r"%regshare_compare\b", compare + "regshare-compare"),
    (r"%regshare_sweep\b", compare + "regshare-sweep"),
    (r"%regshare_suite\b", compare + "regshare-suite"),
    (r"%regshare_tune\b", compare + "regshare-tune"),
    (r"%regshare_validate\b", compare + "regshare-validate"),
    (r"%regshare_reproduce\b", compare + "regshare-reproduce"),
    (r"%python_package\b", package),
]
# Frames and figures need more than Python; the distribution's has it where the
# one that CMake found may not.
for python in (config.regshare_python, "/usr/bin/python3"):
    if python_has(python, "pandas", "matplotlib", "yaml"):
        config.available_features.add("pandas")
        config.substitutions.append((r"%pandas_python\b", python))
        break
for python in (config.regshare_python, "/usr/bin/python3"):
    if python_has(python, "snakemake", "yaml"):
        config.available_features.add("snakemake")
        config.substitutions.append((r"%snakemake_python\b", python))
        break
# A Slurm cluster that takes jobs from here; SLURM_CONF may say where it is.
if all(map(shutil.which, ("sbatch", "squeue", "scancel", "sinfo"))):
    sinfo = ["sinfo", "--noheader", "--states=idle,mixed,alloc", "--format=%n"]
    try:
        found = subprocess.run(sinfo, capture_output=True, text=True, timeout=10)
        if found.returncode == 0 and found.stdout.strip():
            config.available_features.add("slurm")
    except subprocess.TimeoutExpired:
        pass
if any(map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))):
    config.available_features.add("chromium")
for program in ("zsh", "doxygen"):
    if shutil.which(program):
        config.available_features.add(program)

toolkit = config.regshare_cuda_toolkit
ptxas = os.path.join(toolkit, "bin", "ptxas")
if toolkit and os.path.exists(ptxas):
    config.available_features.add("cuda-toolkit")
    config.substitutions += [
        (r"%ptxas\b", ptxas),
        (r"%cuda_path\b", toolkit),
    ]
    # A toolkit may have its assembler and headers alone.
    nvcc = os.path.join(toolkit, "bin", "nvcc")
    if os.path.exists(nvcc):
        config.available_features.add("nvcc")
        config.substitutions.append((r"%nvcc\b", nvcc))
