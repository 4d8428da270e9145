"""What ptxas makes of PTX, in figures: registers by its own account, and
instructions by the size of a kernel's code. Code is counted, never decoded: an
instruction has 16 bytes since Volta, and what fills a section after its end is
known from a kernel that does nothing."""

import functools
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

WORD = 16


class PtxasError(Exception):
    """ptxas refused its input; the text is what it said."""


def find_ptxas(given=None):
    """The path of ptxas, or None."""
    for candidate in (given, shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"):
        if candidate and pathlib.Path(candidate).exists():
            return str(candidate)
    return None


def version(ptxas):
    """Such as "13.0"."""
    said = subprocess.run([ptxas, "--version"], capture_output=True, text=True)
    found = re.search(r"release (\d+\.\d+)", said.stdout)
    return found.group(1) if found else "of unknown version"


def code_sections(image):
    """The code of a cubin, as bytes by kernel."""
    assert image[:5] == b"\x7fELF\x02", "a 64-bit ELF file"
    (table,) = struct.unpack_from("<Q", image, 40)
    entry_size, count, names_at = struct.unpack_from("<HHH", image, 58)
    headers = [
        struct.unpack_from("<IIQQQQ", image, table + i * entry_size)
        for i in range(count)
    ]
    names = headers[names_at][4]
    found = {}
    for name, _, _, _, offset, size in headers:
        title = image[names + name : image.index(b"\0", names + name)].decode()
        if title.startswith(".text."):
            found[title[len(".text.") :]] = image[offset : offset + size]
    return found


def words(code):
    return [code[at : at + WORD] for at in range(0, len(code), WORD)]


def count_instructions(code, padding):
    """Instructions of a kernel's code. After the last one ptxas puts a branch to
    itself, and then padding up to a multiple of 128 bytes (and 128 bytes more on
    some architectures); neither ever runs, and neither counts."""
    count = len(code) // WORD
    whole = words(code)
    while count and whole[count - 1] == padding:
        count -= 1
    return count - 1


BRANCHES, CALL = (0x947, 0x94D), 0x944  # BRA, EXIT; CALL.REL
OPCODE, GUARD, NO_GUARD = 0xFFF, 12, 7


def count_branches(code):
    """Branches and exits under a guard; None of code that calls slow paths, whose
    own are among them. These encodings have been the same since sm_70."""
    count = 0
    for (low,) in (struct.unpack_from("<Q", word) for word in words(code)):
        if low & OPCODE == CALL:
            return None
        count += low & OPCODE in BRANCHES and (low >> GUARD) & 0xF != NO_GUARD
    return count


class Kernel:
    """What ptxas says and makes of a kernel."""

    def __init__(self, instructions, registers, spilled, branches):
        self.instructions = instructions
        self.branches = branches  # under a guard; None: with those of slow paths
        self.registers = registers
        self.spilled = spilled  # bytes of spill stores and of spill loads


def _compile(ptxas, text, arch, options=()):
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "kernel.ptx"
        cubin = pathlib.Path(scratch) / "kernel.cubin"
        source.write_text(text, encoding="utf-8")
        command = [ptxas, "-v", f"-arch={arch}", *options, source, "-o", cubin]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise PtxasError(done.stdout + done.stderr)
        return done.stdout + done.stderr, code_sections(cubin.read_bytes())


@functools.cache
def padding_word(ptxas, arch):
    """The word that fills a section after the code, for an architecture."""
    empty = (
        f".version 8.0\n.target {arch}\n.address_size 64\n"
        ".visible .entry empty() { ret; }\n"
    )
    return words(_compile(ptxas, empty, arch)[1]["empty"])[-1]


def compile_ptx(ptxas, text, arch, options=()):
    """Compiles PTX; its kernels by name."""
    log, code = _compile(ptxas, text, arch, options)
    kernels, name = {}, None
    for line in log.splitlines():
        if match := re.search(r"Compiling entry function '([^']+)'", line):
            name = match.group(1)
            padding = padding_word(ptxas, arch)
            count = count_instructions(code[name], padding)
            branches = count_branches(code[name])
            kernels[name] = Kernel(count, None, (0, 0), branches)
        elif match := re.search(r"(\d+) bytes spill stores, (\d+) bytes sp", line):
            if name:
                kernels[name].spilled = tuple(map(int, match.groups()))
        elif match := re.search(r"Used (\d+) registers", line):
            kernels[name].registers = int(match.group(1))
            name = None
    return kernels


def without_unrolling(text):
    """The PTX with a pragma by which ptxas unrolls no loop of the module."""
    return re.sub(
        r"^(\.address_size.*)$",
        r'\1\n.pragma "nounroll";',
        text,
        count=1,
        flags=re.MULTILINE,
    )
