// Macros of one letter given on the command line are the program's: clang's
// headers and ours, which have such names too, do not see them.
// DEFINE: %{letters} = -DA=1 -DB=2 -DC=3 -DD=4 -DE=5 -DF=6 -DG=7 -DH=8 -DI=9 -DJ=10 -DK=11 -DL=12 -DM=13 -DN=14 -DO=15 -DP=16 -DQ=17 -DR=18 -DS=19 -DT=20 -DU=21 -DV=22 -DW=23 -DX=24 -DY=25 -DZ=26
// RUN: %regshare_clang %{letters} -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: regshare-opt %s --no-cuda-toolkit -DN=14 -DZ=26 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// CHECK: 26 of 26, N is 14, Z is 26 and 26
// PTX: st.global.b32 {{.*}}, 364;

#include <cstdio>

__global__ void product(int *Out) { *Out = N * Z; }

#ifdef A
static const int Letters[] = {A, B, C, D, E, F, G, H, I, J, K, L, M,
                              N, O, P, Q, R, S, T, U, V, W, X, Y, Z};
#else
static const int Letters[] = {0};
#endif

int main() {
  int *Out = nullptr, Found = 0, Right = 0;
  cudaMalloc(&Out, sizeof(int));
  product<<<1, 1>>>(Out);
  cudaMemcpy(&Found, Out, sizeof(int), cudaMemcpyDefault);
  for (int At = 0; At != int(sizeof(Letters) / sizeof(int)); ++At)
    Right += Letters[At] == At + 1;
  std::printf("%d of 26, N is %d, Z is %d and %d\n", Right, N, Z, Found / N);
}
