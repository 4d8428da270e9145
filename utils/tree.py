"""What the scripts in this folder know of the source tree: its schemes, and the
labels of its lit tests."""

import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


@functools.cache
def schemes():
    """The folder of each scheme, by the name that tools know the scheme by."""
    found = {}
    for source in sorted(ROOT.glob("lib/Base/*/*.cpp")):
        for description in re.findall(
            r"SchemeDescription schemes::\w+ = \{(.*?)\};",
            source.read_text(encoding="utf-8"),
            re.S,
        ):
            name = re.search(r'\.Name = "([^"]+)"', description)
            if name:
                found[name.group(1)] = source.parent.name
    return found


def lit_tests():
    """The lit tests, by their names in the suite."""
    suffixes = {".cu", ".ll", ".mir", ".mlir", ".ptx", ".test", ".yaml"}
    suite = ROOT / "test"
    return {
        str(path.relative_to(suite)): path
        for path in sorted(suite.rglob("*"))
        if path.suffix in suffixes and "Inputs" not in path.parts
    }


def scheme_labels(commands):
    """Those of the schemes that the text of commands names: the scheme's name and
    its folder, in lower case. A composition has those of its parts."""
    labels = set()
    for names in re.findall(r"(?:SCHEME=|-schemes?[= ])[\"']?([\w,:=.+-]+)", commands):
        for name in re.split("[,:+]", names):
            if folder := schemes().get(name):
                labels |= {name, folder.lower()}
    return labels


def lit_labels(name, path):
    """Those of a lit test: `lit`, its folders in lower case, the tools that it
    runs, what it requires, the schemes that it names, and `slow` where it says
    `LABELS: slow`, else `quick`."""
    text = path.read_text(encoding="utf-8", errors="replace")
    runs = "\n".join(re.findall(r"(?:RUN|DEFINE):(.*)", text)).replace("%regshare_", "regshare-")
    runs = re.sub(r"\bregshare-clang\b(?!\+)", "regshare-clang++", runs)
    labels = {"lit", *name.lower().split("/")[:-1]}
    for tool in (ROOT / "tools").iterdir():
        if re.search(r"(?<![\w-])" + re.escape(tool.name) + r"(?![\w-])", runs):
            labels.add(tool.name)
    for features in re.findall(r"REQUIRES:(.*)", text):
        labels.update(re.findall(r"[\w-]+", features))
    labels |= scheme_labels(runs)
    said = {word for words in re.findall(r"LABELS:(.*)", text) for word in words.split()}
    return labels | (said or {"quick"})
