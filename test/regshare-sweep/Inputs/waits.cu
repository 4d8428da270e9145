// A program that takes its time and no processor's: so many milliseconds, or until
// it can take a file from a folder or finds one there named "all", which its argument
// says. Tests end it while it does.
#include <cstdlib>
#include <cuda_runtime.h>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace fs = std::filesystem;

__global__ void add(float *Out) { Out[threadIdx.x] += 1; }

/// Whether a run may go on. No two runs get the same file.
static bool takesFrom(const fs::path &Folder) {
  std::error_code Ignored;
  if (fs::exists(Folder / "all"))
    return true;
  for (const auto &Entry : fs::directory_iterator(Folder, Ignored))
    if (fs::remove(Entry, Ignored))
      return true;
  return false;
}

int main(int, char **Arguments) {
  float *Out;
  cudaMalloc(&Out, 64 * sizeof(float));
  cudaMemset(Out, 0, 64 * sizeof(float));
  if (fs::is_directory(Arguments[1]))
    while (!takesFrom(Arguments[1]))
      usleep(20'000);
  else
    usleep(1000 * std::atoi(Arguments[1]));
  add<<<4, 64>>>(Out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
