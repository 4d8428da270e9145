# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pip builds the package with (PEP 517, PEP 660): the standard library is enough,
so that `pip install` needs no network, and nothing is written beside the sources, which
may be an installation that only root may change. pyproject.toml says what is packed."""

import base64
import fnmatch
import hashlib
import pathlib
import runpy
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))
NAME = PROJECT["project"]["name"]
VERSION = runpy.run_path(str(HERE / PROJECT["tool"]["backend"]["version"]))["VERSION"]


def packed_files():
    """Paths below the sources, in an order that does not depend on the machine."""
    patterns = PROJECT["tool"]["backend"]["files"]
    for path in sorted((HERE / NAME).rglob("*")):
        if path.is_file() and any(fnmatch.fnmatch(path.name, each) for each in patterns):
            yield path.relative_to(HERE)


def metadata():
    project = PROJECT["project"]
    yield "Metadata-Version: 2.1"
    yield f"Name: {NAME}"
    yield f"Version: {VERSION}"
    yield f"Summary: {project['description']}"
    yield f"License: {project['license']['text']}"
    yield f"Requires-Python: {project['requires-python']}"
    for extra, packages in project["optional-dependencies"].items():
        yield f"Provides-Extra: {extra}"
        for package in packages:
            yield f'Requires-Dist: {package}; extra == "{extra}"'


def commands():
    yield "[console_scripts]"
    for name, function in PROJECT["project"]["scripts"].items():
        yield f"{name} = {function}"


def written(folder, files):
    """Writes the wheel that has these files, bytes by path; returns its name."""
    about = f"{NAME}-{VERSION}.dist-info"
    form = ["Wheel-Version: 1.0", "Generator: regshare", "Root-Is-Purelib: true", "Tag: py3-none-any"]
    for name, lines in (("METADATA", metadata()), ("WHEEL", form), ("entry_points.txt", commands())):
        files[f"{about}/{name}"] = "".join(f"{line}\n" for line in lines).encode()
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            # Without a time, so that the same sources make the same wheel.
            wheel.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {path.as_posix(): (HERE / path).read_bytes() for path in packed_files()}
    return written(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return written(wheel_directory, {f"{NAME}.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("RegShare's sources are the repository; pip builds from its folder python/")
