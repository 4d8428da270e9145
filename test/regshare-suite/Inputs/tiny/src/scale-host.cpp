// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

int main(int, char **Argv) {
  double Factor = 0, Value = 0;
  std::sscanf(Argv[1], "%lf", &Factor);
  std::FILE *In = std::fopen(Argv[2], "r"), *Out = std::fopen(Argv[3], "w");
  while (std::fscanf(In, "%lf", &Value) == 1)
    std::fprintf(Out, "%.6g\n", Value * Factor);
  return 0;
}
