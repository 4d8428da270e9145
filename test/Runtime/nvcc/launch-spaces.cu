// Formatters that know no CUDA put spaces between the brackets of a launch;
// messages name the lines and columns of the source as it is.
// RUN: rm -rf %t && split-file %s %t
// RUN: %regshare_clang -I%t/inc %t/main.cu -o %t/main
// RUN: env REGSHARE_TIMING=0 %run %t/main | FileCheck %s --check-prefix=RUNS
// RUN: regshare-opt -I %t/inc %t/main.cu --emit=ptx -o /dev/null
// RUN: not %regshare_clang -I%t/inc -DWRONG -c %t/main.cu -o %t/wrong.o 2>&1 | FileCheck %s --check-prefix=WRONG
// RUNS: 7 8 main.cu 15
// WRONG: {{[/]}}main.cu:18:24: error: use of undeclared identifier 'Nothing'

// clang-format off: the spaces are what this is about.
//--- inc/launch.h
template <typename T> __global__ void set(T *At, T Value) { *At = Value; }
template <typename T> void launch(T *At, T Value) {
  set<T> << <dim3(1), 1 >> > (At, Value); // with << <brackets>> >
}
//--- main.cu
// Names the place that it has.
#include "launch.h"
#include <cstdio>
#include <cstring>
#include <vector>
static const char *Text = "not << <a, launch>> >";
int main() {
  int *Device, First = 0, Second = 0;
  std::vector<std::vector<std::vector<int>> > Nested;
  cudaMalloc(&Device, sizeof(int));
  launch(Device, 7);
  cudaMemcpy(&First, Device, sizeof(int), cudaMemcpyDeviceToHost);
  set<int><< <1, (2 >> 1)>> >(Device, 8);
  cudaMemcpy(&Second, Device, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d %s %d\n", First, Second, std::strrchr(__FILE__, '/') + 1, __LINE__);
  if (std::strlen(Text) != 21 || !Nested.empty()) return 1;
#ifdef WRONG
  set << <1, 1>> >(&1, Nothing);
#endif
}
