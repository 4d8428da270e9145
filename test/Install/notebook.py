"""A run as a notebook makes one, with the package that pip has installed and programs
that are on the path; utils/test-install starts it where the kernels are."""

import regshare

record = regshare.run("kernels/hotspot/hotspot.cu", scheme="regmutex", es=4)
configuration = record["configuration"]
print(record["outcome"], configuration["scheme"], configuration["given"])
