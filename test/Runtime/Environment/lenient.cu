// A stencil that reads the row before the first and after the last and does not
// use it, and lanes that skip a shuffle which names them: errors, and in
// lenient mode warnings, one for each place.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t rows 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: %run %t lanes 2>&1 | FileCheck %s --check-prefix=SKIPPED
// RUN: env REGSHARE_LENIENT=2 %run %t rows 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: env REGSHARE_LENIENT=1 REGSHARE_TIMING=0 %run %t rows lanes > %t.functional 2> %t.warnings
// RUN: FileCheck %s --check-prefix=OUT < %t.functional
// RUN: FileCheck %s --check-prefix=WARN < %t.warnings
// RUN: env REGSHARE_LENIENT=1 REGSHARE_REPORT=%t.txt %run %t rows lanes 2> %t.warnings | FileCheck %s --check-prefix=OUT
// RUN: FileCheck %s --check-prefix=WARN < %t.warnings
// RUN: FileCheck %s --check-prefix=REPORT < %t.txt
// RUN: env REGSHARE_LENIENT=1 REGSHARE_DEVICE=hopper REGSHARE_CODE=native REGSHARE_REPORT=%t.json %run %t rows lanes 2>/dev/null | FileCheck %s --check-prefix=OUT
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: env REGSHARE_LENIENT=1 REGSHARE_SCHEME=regmutex %run %t rows lanes 2>/dev/null | FileCheck %s --check-prefix=OUT
// RUN: env REGSHARE_LENIENT=1 REGSHARE_SCHEME=ltrf-plus %run %t rows lanes 2>/dev/null | FileCheck %s --check-prefix=OUT
// RUN: env REGSHARE_LENIENT=1 REGSHARE_SCHEME=rfv %run %t rows lanes 2>/dev/null | FileCheck %s --check-prefix=OUT
// RUN: env REGSHARE_LENIENT=1 REGSHARE_SCHEME=shrf %run %t rows lanes 2>/dev/null | FileCheck %s --check-prefix=OUT
// RUN: env REGSHARE_LENIENT=1 REGSHARE_SCHEME=expars %run %t rows lanes 2>/dev/null | FileCheck %s --check-prefix=OUT
// A null pointer is one on a GPU as well.
// RUN: env REGSHARE_LENIENT=1 %run %t null 2>&1 | FileCheck %s --check-prefix=NULL
#include <cstdio>
#include <cstring>

__global__ void stencil(const volatile float *In, float *Out, int Rows) {
  int Column = threadIdx.x, Row = blockIdx.x, Width = blockDim.x;
  float Above = In[(Row - 1) * Width + Column];
  float Below = In[(Row + 1) * Width + Column];
  float Here = In[Row * Width + Column];
  Above = Row == 0 ? Here : Above;
  Below = Row == Rows - 1 ? Here : Below;
  Out[Row * Width + Column] = Above + Below;
}

__global__ void sumNeighbours(const int *In, int *Out, int N) {
  int T = threadIdx.x, Value = 0;
  if (T < N) {
    Value = In[T];
    Value += __shfl_xor_sync(0xFFFFFFFF, Value, 1);
  }
  __syncwarp();
  Out[T] = Value;
}

__global__ void readNull(const int *In, int *Out) { *Out = *In; }

static void runRows() {
  constexpr int Rows = 4, Width = 32, N = Rows * Width;
  float H[N], *In, *Out;
  for (int I = 0; I != N; ++I)
    H[I] = I;
  cudaMalloc(&In, sizeof(H));
  cudaMalloc(&Out, sizeof(H));
  cudaMemcpy(In, H, sizeof(H), cudaMemcpyHostToDevice);
  for (int Step = 0; Step != 3; ++Step)
    stencil<<<Rows, Width>>>(In, Out, Rows);
  cudaError_t Error = cudaMemcpy(H, Out, sizeof(H), cudaMemcpyDeviceToHost);
  std::printf("rows: %s, %g %g %g %g\n", cudaGetErrorString(Error), H[1],
              H[Width + 1], H[2 * Width + 1], H[3 * Width + 1]);
}

static void runLanes() {
  int H[64], *In, *Out;
  for (int I = 0; I != 64; ++I)
    H[I] = 10 * I;
  cudaMalloc(&In, sizeof(H));
  cudaMalloc(&Out, sizeof(H));
  cudaMemcpy(In, H, sizeof(H), cudaMemcpyHostToDevice);
  sumNeighbours<<<1, 64>>>(In, Out, 47);
  cudaError_t Error = cudaMemcpy(H, Out, sizeof(H), cudaMemcpyDeviceToHost);
  std::printf("lanes: %s, %d %d %d %d\n", cudaGetErrorString(Error), H[3],
              H[45], H[46], H[47]);
}

int main(int Count, char **Words) {
  for (int W = 1; W != Count; ++W) {
    if (!std::strcmp(Words[W], "rows"))
      runRows();
    else if (!std::strcmp(Words[W], "lanes"))
      runLanes();
    else {
      int *Out;
      cudaMalloc(&Out, 4);
      readNull<<<1, 1>>>(nullptr, Out);
      std::printf("null: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    }
  }
}

// STRICT: regshare: {{.*}}out-of-bounds read of 4 bytes at {{.*}} 128 bytes before the allocation of 512 bytes
// STRICT: rows: a kernel accessed memory that is not allocated
// SKIPPED: regshare: {{.*}}the member mask names threads that do not execute the instruction
// SKIPPED: lanes: a kernel failed
// BAD: regshare: REGSHARE_LENIENT=2: expected 0 or 1, got '2'

// OUT: rows: no error, 34 66 130 162
// OUT: lanes: no error, 50 890 460 0

// WARN: regshare: warning: out-of-bounds read of 4 bytes at {{.*}} 128 bytes before the allocation of 512 bytes; it reads zeros
// WARN-NEXT: kernel '_Z7stencilPVKfPfi', CTA (0,0,0), warp 0, lane 0
// WARN: regshare: warning: out-of-bounds read of 4 bytes at {{.*}} past the end of the allocation of 512 bytes; it reads zeros
// WARN-NEXT: CTA (3,0,0)
// WARN-NOT: warning: out-of-bounds
// WARN: regshare: warning: the member mask names threads that do not execute the instruction: they wait elsewhere; it goes on without them, and shuffles read zeros there
// WARN-NEXT: kernel '_Z13sumNeighboursPKiPii', CTA (0,0,0), warp 1, lane 0 (thread (32,0,0))
// WARN: regshare: warning: lenient mode let 7 faults pass at 3 places

// REPORT: {{^}}let pass      out-of-bounds read at {{.*}}lenient.cu:{{[0-9]+}}, stencil(float const volatile*, float*, int): 3 warp instructions
// REPORT: {{^}}let pass      out-of-bounds read at
// REPORT: {{^}}let pass      missing threads at {{.*}}, sumNeighbours(int const*, int*, int): 1 warp instruction{{$}}
// REPORT: {{^}}lenient       lenient mode let 7 faults pass at 3 places
// REPORT: {{^}}in all

// JSON: "let_pass": [
// JSON: "kernel": "_Z7stencilPVKfPfi",
// JSON-NEXT: "sort": "out-of-bounds read",
// JSON-NEXT: "place": "{{.*}}lenient.cu:{{[0-9]+}}"
// JSON-NEXT: "first": "out-of-bounds read of 4 bytes
// JSON-NEXT: "warp_instructions": 3

// NULL: regshare: {{.*}}null pointer: read of 4 bytes at 0x0
// NULL-NOT: warning
// NULL: null: a kernel accessed memory that is not allocated
