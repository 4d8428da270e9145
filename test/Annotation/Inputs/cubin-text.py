"""Prints a digest of each code section of a cubin: what the GPU would run,
without the debug sections that carry PTX line numbers."""

import hashlib
import struct
import sys


def code_sections(image):
    assert image[:5] == b"\x7fELF\x02", "a 64-bit ELF file"
    table, entry_size, count, names_at = struct.unpack_from("<Q", image, 40) + \
        struct.unpack_from("<HHH", image, 58)
    headers = [struct.unpack_from("<IIQQQQ", image, table + i * entry_size)
               for i in range(count)]
    names = headers[names_at][4]
    for name, _, _, _, offset, size in headers:
        end = image.index(b"\0", names + name)
        title = image[names + name:end].decode()
        if title.startswith(".text."):
            yield title, image[offset:offset + size]


with open(sys.argv[1], "rb") as cubin:
    for section, code in sorted(code_sections(cubin.read())):
        print(section, len(code), hashlib.sha256(code).hexdigest())
