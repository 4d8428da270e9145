# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs and files of a build or an installation of RegShare: what they
know, and what they make of a user's program."""

import difflib
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess

from . import measure

# Options that mean something to the host or the linker alone.
NOT_FOR_DEVICES = ("-l", "-L", "-Wl,", "-Xlinker", "-Xcompiler", "-g", "-W")
ARCH_OPTIONS = ("-arch=", "--cuda-gpu-arch=", "--offload-arch=")


class ToolError(Exception):
    """What a user has to hear, in a line."""


def file_hash(*paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(pathlib.Path(path).read_bytes())
    return digest.hexdigest()


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def no_option(path):
    """A path that a command takes for none of its options."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def nearest(word, known):
    """What `word` was probably meant to be, for a message: ` (did you mean 'tau'?)`."""
    found = difflib.get_close_matches(str(word), list(known), 1)
    return f" (did you mean '{found[0]}'?)" if found else ""


def loaded():
    """The libraries of schemes that REGSHARE_LOAD names."""
    return [path for path in os.environ.get("REGSHARE_LOAD", "").split(":") if path]


def _why_unread(path):
    """Why `path`, which is no file, is none."""
    if path.is_dir():
        return "it is a directory"
    if path.is_symlink():
        return "it is a link to what is not there"
    return "it is no file" if path.exists() else "there is no such file"


# What has named a library, by its path from the root, besides REGSHARE_LOAD.
_named_by = {}


def by_who_named_it(said):
    """What regshare-opt says of a library, after what has named that here: regshare-opt
    finds all of them in REGSHARE_LOAD."""
    refused = re.match("regshare-opt: error: REGSHARE_LOAD: (cannot load '(.*?)')", said)
    if not refused:
        return said
    named_by = _named_by | {os.path.realpath(path): by for path, by in _named_by.items()}
    return f"{named_by.get(refused[2], 'REGSHARE_LOAD')}: {said[refused.start(1) :]}"


def load(paths, named_by="--load"):
    """Has this process's commands and programs load these as well, wherever they
    are started."""
    for path in paths:
        if not pathlib.Path(path).is_file():
            why = _why_unread(pathlib.Path(path))
            raise ToolError(f"cannot read the library '{path}': {why}")
        if ":" in os.path.abspath(path):
            raise ToolError(
                f"cannot load '{path}': its path has ':', which in REGSHARE_LOAD, by "
                "which programs find it, stands between paths; link to it from elsewhere"
            )
    for path in paths:
        _named_by.setdefault(os.path.abspath(path), named_by)
    if known := [os.path.abspath(path) for path in (*loaded(), *paths)]:
        os.environ["REGSHARE_LOAD"] = ":".join(dict.fromkeys(known))


def loaded_halves():
    """The same, with the half of each that compiles, where it has one, beside the
    library or beside a link to it."""
    for path in map(pathlib.Path, loaded()):
        yield path
        for place in (path, path.resolve()):
            name, so, version = place.name.partition(".so")
            compiler = place.with_name(f"{name}-compiler{so}{version}")
            if compiler.is_file():
                yield compiler
                break


def find_binaries(command=None):
    """The folder of RegShare's programs: that of `command` (a path) if they are there,
    that of regshare-opt on the path, or the build tree of the package's own sources."""
    here = pathlib.Path(__file__).resolve()
    found = shutil.which("regshare-opt")
    folders = [pathlib.Path(command).resolve().parent] if command else []
    folders += [pathlib.Path(found).resolve().parent] if found else []
    folders += [here.parents[2] / "build/bin"]
    folders += [here.parents[4] / "bin"] if len(here.parents) > 4 else []
    for folder in folders:
        if (folder / "regshare-opt").is_file():
            return folder
    raise ToolError("cannot find regshare-opt; put the folder of RegShare's programs on PATH")


def data_folder(name):
    """`configs`, `kernels` or `suites`: of the repository or the installation that the
    package is part of, or of the programs that are found, where pip has installed it by
    itself."""
    beside = pathlib.Path(__file__).resolve().parents[2] / name
    if beside.is_dir():
        return beside
    try:
        return data_folder_of(find_binaries(), name)
    except ToolError:
        return beside


def data_folder_of(binaries, name):
    """Of an installation, or of the repository that a build tree lies in."""
    installed = binaries.parent / "share/regshare" / name
    return installed if installed.is_dir() else binaries.parents[1] / name


def run_prefix():
    """What programs are to be started with: sanitizers need more around them."""
    return shlex.split(os.environ.get("REGSHARE_RUN_WITH", ""))


class Toolchain:
    def __init__(self, binaries, schemes=()):
        """`binaries`: the folder of regshare-opt and its like; `schemes`: libraries to
        load besides those of REGSHARE_LOAD."""
        load(schemes)
        self.binaries = pathlib.Path(binaries)
        self.opt = self.binaries / "regshare-opt"
        # Under sanitizers, compiles need more around them as well.
        compiler = shlex.split(os.environ.get("REGSHARE_COMPILE_WITH", ""))
        self.compiler = compiler or [str(self.binaries / "regshare-clang++")]
        self.run_prefix = run_prefix()
        # The runtime, and what simulates and compiles for it.
        found = self.binaries.parent.glob("lib*/**/lib[rR]eg[sS]hare*.so")
        # One only says what headers were like, down to their comments.
        self.libraries = sorted(each for each in found if "SchemeInterface" not in each.name)
        if not self.opt.exists() or not self.libraries:
            raise ToolError(f"{self.binaries} has no build or installation of RegShare")

    def load(self, schemes, named_by="--load"):
        """Loads more libraries, whose schemes it knows from then on."""
        before = loaded()
        load(schemes, named_by)
        if loaded() != before:
            for name in ("descriptions", "lists", "compositions", "libraries_hash"):
                self.__dict__.pop(name, None)
            type(self).declared.cache_clear()

    def ask(self, *options):
        """What regshare-opt prints."""
        done = subprocess.run(
            [str(self.opt), *options], capture_output=True, text=True, check=False
        )
        if done.returncode < 0:
            name = signal.Signals(-done.returncode).name
            raise ToolError(f"{self.opt} {shlex.join(options)} was ended by {name}")
        if done.returncode:
            # A message may have several lines.
            before, error, text = done.stderr.partition("regshare-opt: error: ")
            said = " ".join((error + text).split()) if error else last_line(before)
            raise ToolError(by_who_named_it(said) or f"{self.opt} does not run")
        return done.stdout

    def version(self):
        """`0.1.0`."""
        return self.ask("--version").split()[1].rstrip(",")

    @functools.cached_property
    def libraries_hash(self):
        return file_hash(*self.libraries, *loaded_halves())

    def fingerprint(self):
        """Changes with everything that simulates."""
        return self.libraries_hash

    @functools.cached_property
    def compiler_hash(self):
        """Changes with the program that compiles, and with the device math that it
        links in."""
        compiler = shutil.which(self.compiler[0])
        if not compiler:
            raise ToolError(f"cannot find the compiler '{self.compiler[0]}'")
        math = self.binaries.parent.glob("lib*/**/nvvm/libdevice/*.bc")
        return file_hash(compiler, *sorted(math))

    @functools.cached_property
    def descriptions(self):
        """The schemes with their statements and settings, in their order."""
        return self.lists["schemes"]

    @functools.cached_property
    def lists(self):
        text = self.ask("--list-schemes=json")
        return parsed(text, "regshare-opt --list-schemes=json")

    @functools.cache
    def declared(self):
        """The settings of all schemes by their variables; "schemes": who has them."""
        found = {}
        for scheme in self.descriptions:
            for setting in scheme["settings"]:
                entry = found.setdefault(setting["variable"], setting | {"schemes": []})
                entry["schemes"].append(scheme["name"])
        return found

    def own_variables(self):
        """The REGSHARE_ variables that are no settings."""
        return self.lists["variables"]

    def program_variables(self):
        """Those of them that programs read, as runs do."""
        return self.lists["program_variables"]

    def schemes(self):
        """The schemes that can be applied: what they are, by name."""
        return {scheme["name"]: scheme["summary"] for scheme in self.descriptions}

    @functools.cached_property
    def compositions(self):
        """The pairs of schemes that can be applied together, described as schemes are."""
        return self.lists["compositions"]

    def applicable(self):
        """What can be applied, schemes and compositions: what they are, by name."""
        described = (*self.descriptions, *self.compositions)
        return {each["name"]: each["summary"] for each in described}

    def settings(self, scheme):
        """A scheme's settings as they are declared, by name."""
        described = (*self.descriptions, *self.compositions)
        (found,) = (each for each in described if each["name"] == scheme)
        return {setting["name"]: setting for setting in found["settings"]}

    def devices(self):
        """Whether they can be run with timing, by name."""
        rows = [line.split() for line in self.ask("--list-devices").splitlines()]
        if odd := [row for row in rows if len(row) < 2]:
            raise unexpected("devices of regshare-opt --list-devices", f"'{' '.join(odd[0])}'")
        return {row[0]: row[1] == "timed" for row in rows}

    def device_file(self, name):
        if name.endswith(".yaml"):
            return pathlib.Path(name)
        folders = [os.environ.get("REGSHARE_CONFIG_PATH")]
        folders += [data_folder_of(self.binaries.resolve(), "configs")]
        folders += [data_folder("configs")]
        for folder in filter(None, folders):
            file = pathlib.Path(folder) / f"{name}.yaml"
            if file.exists():
                return file
        raise ToolError(f"the file of device '{name}' is not there")

    def compile(self, source, options, executable, folder=None):
        """Compiles a CUDA program; what the compiler says goes to stderr. `folder`:
        where paths in options begin."""
        files = [no_option(source), "-o", str(executable)]
        command = [*self.compiler, *options, *files]
        # Of variables that nobody reads the commands tell, in their own words.
        known = {*self.own_variables(), *self.declared()}
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("REGSHARE_") or name in known
        }
        if subprocess.run(command, check=False, cwd=folder, env=environment).returncode:
            raise ToolError(f"{source} does not compile")

    def profiles(self, source, options, device):
        """Live registers by source line, by the kernels' names."""
        report = self.report(source, options, device)
        return measure.profiles_of(report, source_lines)

    def kernels(self, source, options, device, more=()):
        """What the report says of each kernel; `more`: options of regshare-opt."""
        return self.report(source, options, device, more)["kernels"]

    def report(self, source, options, device, more=()):
        words = [str(self.opt), no_option(source), f"--device={device}", "--emit=json"]
        done = subprocess.run(
            [*words, *opt_options(options), *more], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise ToolError(last_line(done.stderr))
        return parsed(done.stdout, "regshare-opt --emit=json")


def unexpected(expected, found):
    """The error of a tool that prints what it does not print by itself."""
    libraries = ", ".join(loaded()) or "none"
    return ToolError(f"expected {expected}, found {found}; "
        f"libraries that it loads may print nothing there: {libraries}")


def parsed(text, command):
    """The JSON that a command has printed."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise unexpected(f"JSON of {command}", f"something else: {error}") from None


def source_lines(path):
    try:
        return pathlib.Path(path).read_text(errors="replace").splitlines()
    except OSError:
        return []


def opt_options(options):
    """regshare-clang++'s options in regshare-opt's words."""
    # Without any, regshare-clang++ does not optimise, and regshare-opt does.
    words = [] if any(o.startswith("-O") for o in options) else ["-O0"]
    waiting = None
    for option in options:
        arch = next((a for a in ARCH_OPTIONS if option.startswith(a)), None)
        if waiting:
            words.append(waiting + option)
            waiting = None
        elif option in ("-I", "-D"):
            waiting = option
        elif option.startswith(("-I", "-D", "-O", "--cuda-path=")):
            words.append(option)
        elif arch:
            words.append("-mcpu=" + option.removeprefix(arch))
        elif not option.startswith(NOT_FOR_DEVICES):
            words.append(f"-Xclang-arg={option}")
    return words


def scheme_named(tools, name):
    """The name of a scheme as records have it: the parts of a composition may be in
    either order. Raises ToolError for what is none, or cannot be composed."""
    known, text = tools.schemes(), str(name)
    if text in known:
        return text
    parts = sorted(text.split("+"))
    if len(parts) > 1:
        for each in tools.applicable():
            if sorted(each.split("+")) == parts:
                return each
        # It says why the two cannot be composed.
        tools.ask(f"--scheme={text}", os.devnull)
    near, names = nearest(text, known), ", ".join(known)
    raise ToolError(f"unknown scheme '{text}'{near}; there are: {names}")
