#include <cstdio>
#include <cuda.h>

int main(int, char **Arguments) {
  int *To, *Codes;
  cudaMallocManaged(&To, 32 * 32 * sizeof(int));
  cudaMallocManaged(&Codes, 32 * sizeof(int));
  for (int I = 0; I != 32 * 32; ++I)
    To[I] = -1;
  CUmodule Module;
  CUfunction Parent;
  void *Values[] = {&To, &Codes};
  if (cuModuleLoad(&Module, Arguments[1]) ||
      cuModuleGetFunction(&Parent, Module, "parent") ||
      cuLaunchKernel(Parent, 1, 1, 1, 32, 1, 1, 0, nullptr, Values, nullptr) ||
      cuCtxSynchronize())
    return 1;
  int Wrong = 0;
  for (int T = 0; T != 32; ++T) {
    Wrong += Codes[T] != (T % 2 ? cudaSuccess : cudaErrorInvalidConfiguration);
    for (int I = 0; I != 32; ++I) {
      int Want = T % 2 && I <= T ? T - I - T - int(2.5 * T) + 100 * T : -1;
      Wrong += To[32 * T + I] != Want;
    }
  }
  printf("%d wrong of %d\n", Wrong, 32 * 33);
}
