// The headers that nvcc's own bring along are not asked for here.
// RUN: %regshare_clang %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s

__global__ void k(char *Text) {
  assert(threadIdx.x == 0);
  memcpy(Text, "device", 7);
}

int main() {
  srand(unsigned(time(NULL)));
  clock_t Begin = clock();
  char *Device, Host[8];
  cudaMalloc((void **)&Device, sizeof(Host));
  k<<<1, 1>>>(Device);
  cudaMemcpy(Host, Device, 7, cudaMemcpyDeviceToHost);
  // CHECK: device 6 D 1
  printf("%s %d %c %d\n", Host, (int)strlen(Host), toupper('d'),
         clock() >= Begin && INT_MAX > 0 && std::move(Begin) >= 0 &&
             fabs(sqrt(4.0) - 2) < 1e-9);
  return EXIT_SUCCESS;
}
