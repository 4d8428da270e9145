// Kernels in two source files with the same names inside, templates, and a
// third file without device code: compiled apart and linked together.
// RUN: %regshare_clang -O1 -c %s -o %t.main.o
// RUN: %regshare_clang -O2 -DOTHER -c %s -o %t.other.o
// RUN: %regshare_clang -O1 -x c++ -DHOST -c %s -o %t.host.o
// RUN: %regshare_clang %t.main.o %t.other.o %t.host.o -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: mkdir -p %t.dir && cd %t.dir && cp %s separate-main.cu && cp %s separate-other.cu
// RUN: %regshare_clang -I%S -O1 separate-main.cu %t.other.o %t.host.o -o %t.mixed
// RUN: env REGSHARE_TIMING=0 %run %t.mixed | FileCheck %s
// Several sources and -c make an object of each, in the current folder.
// RUN: %regshare_clang -I%S -O1 -c separate-main.cu separate-other.cu
// RUN: ls separate-main.o separate-other.o

// CHECK: main: 11 12 13, 4.5
// CHECK-NEXT: other: 21 22 23
// CHECK-NEXT: shared template: 2 4 6

#include "../Inputs/expect.h"

int *otherFile();
void print(const char *What, int *Device);

#ifdef HOST
void print(const char *What, int *Device) {
  int Host[3];
  EXPECT_OK(cudaMemcpy(Host, Device, 12, cudaMemcpyDeviceToHost));
  printf("%s: %d %d %d", What, Host[0], Host[1], Host[2]);
}
#else
/// Instantiated in both files: one kernel.
template <typename T> __global__ void twice(T *P) {
  P[threadIdx.x] = 2 * (threadIdx.x + 1);
}

#ifdef OTHER
static __constant__ int Base = 20;
#else
static __constant__ int Base = 10;
#endif
static __global__ void fill(int *P) { P[threadIdx.x] = Base + threadIdx.x + 1; }

#ifdef OTHER
int *otherFile() {
  int *P;
  EXPECT_OK(cudaMalloc(&P, 12));
  fill<<<1, 3>>>(P);
  print("other", P);
  twice<<<1, 3>>>(P);
  return P;
}
#else
namespace shapes {
struct Square {
  __host__ __device__ float area() const { return Side * Side; }
  float Side;
};
template <typename Shape, int Parts> __global__ void divide(Shape S, float *P) {
  *P = S.area() / Parts;
}
} // namespace shapes

int main() {
  int *P;
  float *F, Area;
  EXPECT_OK(cudaMalloc(&P, 12));
  EXPECT_OK(cudaMalloc(&F, 4));
  fill<<<1, 3>>>(P);
  shapes::divide<shapes::Square, 2><<<1, 1>>>({3}, F);
  EXPECT_OK(cudaMemcpy(&Area, F, 4, cudaMemcpyDeviceToHost));
  print("main", P);
  printf(", %.1f\n", Area);
  P = otherFile();
  printf("\n");
  twice<<<1, 3>>>(P);
  print("shared template", P);
  printf("\n");
  return failures();
}
#endif
#endif
