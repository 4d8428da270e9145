// Texture references of the same name in two files, one that both use, and one
// that nothing is bound to; after a reset nothing is bound at all.
// RUN: %regshare_clang -O2 -c %s -o %t.1.o
// RUN: %regshare_clang -O2 -DOTHER -c %s -o %t.2.o
// RUN: %regshare_clang %t.1.o %t.2.o -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.errors
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 %run %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.errors
// RUN: %regshare_clang -O2 -dc -DRELOCATABLE %s -o %t.1.rdc.o
// RUN: %regshare_clang -O2 -dc -DRELOCATABLE -DOTHER %s -o %t.2.rdc.o
// RUN: %regshare_clang -rdc=true %t.1.rdc.o %t.2.rdc.o -o %t.rdc
// RUN: env REGSHARE_TIMING=0 %run %t.rdc 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.errors
// RUN: %regshare_clang -O2 -dc -DRELOCATABLE -DOTHER -DSAME %s -o %t.3.rdc.o
// RUN: not %regshare_clang -rdc=true %t.1.rdc.o %t.3.rdc.o -o %t.same 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: the texture or surface reference 'Own' is static in more than one source of relocatable device code; give them different names
// ERROR: texture fetch through variable '{{.*}}Unbound' of 8 bytes, to which nothing is bound
// ERROR-NEXT: kernel '_Z10fetchOtherPfi'
// ERROR: texture fetch through variable '{{.*}}Shared{{.*}}' of 8 bytes, to which nothing is bound
// ERROR-NEXT: kernel '_Z10fetchFirstPf'
#include <cstdio>

#if defined(RELOCATABLE) && defined(OTHER) && !defined(SAME)
#define Own Other
#endif
static texture<float> Own;
#ifdef RELOCATABLE
#ifdef OTHER
extern texture<float> Shared;
#else
texture<float> Shared;
#endif
#else
static texture<float> Shared;
#endif

#ifdef OTHER
texture<float> Unbound;

__global__ void fetchOther(float *Out, int Which) {
  if (Which)
    Out[threadIdx.x] = tex1Dfetch(Unbound, threadIdx.x);
  else
    Out[threadIdx.x] =
        10 * tex1Dfetch(Own, threadIdx.x) + tex1Dfetch(Shared, threadIdx.x);
}

void bindOther(float *D) {
  cudaBindTexture(nullptr, Own, D + 128, 16);
#ifndef RELOCATABLE
  cudaBindTexture(nullptr, Shared, D, 16);
#endif
}

void other(float *Out, int Which) { fetchOther<<<1, 4>>>(Out, Which); }
#else
__global__ void fetchFirst(float *Out) {
  Out[threadIdx.x] =
      10 * tex1Dfetch(Own, threadIdx.x) + tex1Dfetch(Shared, threadIdx.x);
}

void bindOther(float *D);
void other(float *Out, int Which);

static void print(const char *What, const float *Out) {
  float H[4] = {};
  cudaError_t Error = cudaMemcpy(H, Out, sizeof(H), cudaMemcpyDeviceToHost);
  std::printf("%s: %g %g %g %g: %s\n", What, H[0], H[1], H[2], H[3],
              cudaGetErrorString(Error));
}

int main() {
  float H[192], *D, *Out;
  for (int N = 0; N != 192; ++N)
    H[N] = N;
  cudaMalloc(&D, sizeof(H));
  cudaMalloc(&Out, 16);
  cudaMemcpy(D, H, sizeof(H), cudaMemcpyHostToDevice);
  cudaBindTexture(nullptr, Shared, D, 16);
  cudaBindTexture(nullptr, Own, D + 64, 16);
  bindOther(D);
  fetchFirst<<<1, 4>>>(Out);
  // CHECK: first: 640 651 662 673: no error
  print("first", Out);
  other(Out, 0);
  // CHECK-NEXT: other: 1280 1291 1302 1313: no error
  print("other", Out);
  other(Out, 1);
  // CHECK-NEXT: unbound: 0 0 0 0: a kernel failed
  print("unbound", Out);
  cudaDeviceReset();
  cudaMalloc(&Out, 16);
  cudaMalloc(&D, sizeof(H));
  cudaMemcpy(D, H, sizeof(H), cudaMemcpyHostToDevice);
  cudaBindTexture(nullptr, Own, D, 16);
  fetchFirst<<<1, 4>>>(Out);
  // CHECK-NEXT: after a reset: 0 0 0 0: a kernel failed
  print("after a reset", Out);
}
#endif
