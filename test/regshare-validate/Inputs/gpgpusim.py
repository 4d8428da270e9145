"""The table of regshare-validate gpgpusim, of a report that is written here."""

from regshare.validation import gpgpusim


def row(number, kernel, cycles):
    return gpgpusim.Launch("p", "1", number, kernel, 100, "as it is", cycles)


REPORT = {
    "launches": [
        {"name": "f(int)", "stats": {"cycles": 900}},
        {"name": "g(int)", "stats": {"cycles": 2200}},
        {"name": "i(int)", "stats": None},
    ]
}
ROWS = [row(0, "f", 1000), row(1, "g", 2000), row(1, "h", 2000), row(2, "i", 2000),
    row(3, "f", 2000)]
gpgpusim.fill_in(ROWS, REPORT)
for each in ROWS:
    print(gpgpusim.line_of(each))
for line in gpgpusim.summary(ROWS):
    print(line)
