// Surfaces: what a kernel writes into an array another one fetches, and reads
// as bytes; edges that trap, clamp and give zeros.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.errors
// RUN: env REGSHARE_DEVICE=hopper %run %t 2>/dev/null | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t 2>/dev/null | FileCheck %s
// RUN: env REGSHARE_SCHEME=regmutex %run %t 2>/dev/null | FileCheck %s
// RUN: env REGSHARE_SCHEME=ltrf-plus %run %t 2>/dev/null | FileCheck %s
#include <cstdio>
#include <vector>

constexpr int N = 16;

__global__ void fill(cudaSurfaceObject_t S) {
  int X = threadIdx.x, Y = blockIdx.x;
  surf2Dwrite(make_float2(X, 100 * Y), S, X * int(sizeof(float2)), Y);
}

__global__ void fetch(cudaTextureObject_t T, float *Out) {
  int X = threadIdx.x, Y = blockIdx.x;
  float2 Value = tex2D<float2>(T, X + 0.5f, Y + 0.5f);
  Out[Y * N + X] = Value.x + Value.y;
}

__global__ void edges(cudaSurfaceObject_t S, float *Out) {
  int X = 8 * (int(threadIdx.x) - 4), Y = threadIdx.x < 12 ? 1 : N + 3;
  Out[threadIdx.x] = surf2Dread<float>(S, X, Y, cudaBoundaryModeClamp);
  Out[N + threadIdx.x] = surf2Dread<float2>(S, X, Y, cudaBoundaryModeZero).x;
  surf2Dwrite(-1.0f, S, X - 1000, 0, cudaBoundaryModeZero);
}

__global__ void layers(cudaSurfaceObject_t S, unsigned char *Out) {
  unsigned char Byte = 3 * threadIdx.x;
  surf2DLayeredwrite(Byte, S, threadIdx.x, 1, 2);
  __syncthreads();
  surf2DLayeredread(Out + threadIdx.x, S, 15 - threadIdx.x, 1, 2);
}

__global__ void beyond(cudaSurfaceObject_t S) {
  surf2Dwrite(1.0f, S, 4 * 2 * N, 0);
}

static void told(const char *What, cudaError_t Error) {
  if (Error != cudaSuccess)
    std::printf("%s: %s\n", What, cudaGetErrorString(Error));
}

template <typename T> static std::vector<T> result(const T *Out, int Count) {
  std::vector<T> H(Count);
  told("result",
       cudaMemcpy(H.data(), Out, Count * sizeof(T), cudaMemcpyDeviceToHost));
  return H;
}

int main() {
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float2>();
  cudaArray_t A, Plain, Deep;
  told("array", cudaMallocArray(&A, &Desc, N, N, cudaArraySurfaceLoadStore));
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeArray;
  R.res.array.array = A;
  cudaSurfaceObject_t S, None;
  told("surface", cudaCreateSurfaceObject(&S, &R));
  cudaTextureDesc D = {};
  cudaTextureObject_t T;
  told("texture", cudaCreateTextureObject(&T, &R, &D, nullptr));
  float *Out;
  cudaMalloc(&Out, N * N * sizeof(float));
  fill<<<N, N>>>(S);
  fetch<<<N, N>>>(T, Out);
  std::vector<float> Got = result(Out, N * N);
  int Wrong = 0;
  for (int I = 0; I != N * N; ++I)
    Wrong += Got[I] != I % N + 100 * (I / N);
  // CHECK: fetched, 0 wrong
  std::printf("fetched, %d wrong\n", Wrong);
  edges<<<1, N>>>(S, Out);
  Got = result(Out, 2 * N);
  // CHECK: clamped 0 0 1 7 8 11, zeros 0 0 1 7 0 0
  std::printf("clamped %g %g %g %g %g %g, zeros %g %g %g %g %g %g\n", Got[0],
              Got[4], Got[5], Got[11], Got[12], Got[15], Got[N], Got[N + 4],
              Got[N + 5], Got[N + 11], Got[N + 12], Got[N + 15]);
  cudaMallocArray(&Plain, &Desc, N, N);
  R.res.array.array = Plain;
  // CHECK: no surface: an argument is outside of its allowed range
  told("no surface", cudaCreateSurfaceObject(&None, &R));
  cudaChannelFormatDesc Bytes = cudaCreateChannelDesc<unsigned char>();
  cudaMalloc3DArray(&Deep, &Bytes, make_cudaExtent(16, 2, 3),
                    cudaArrayLayered | cudaArraySurfaceLoadStore);
  R.res.array.array = Deep;
  told("layers", cudaCreateSurfaceObject(&None, &R));
  unsigned char *OutBytes;
  cudaMalloc(&OutBytes, 16);
  layers<<<1, 16>>>(None, OutBytes);
  std::vector<unsigned char> Read = result(OutBytes, 16);
  // CHECK: bytes 45 42 0
  std::printf("bytes %d %d %d\n", Read[0], Read[1], Read[15]);
  told("destroy", cudaDestroySurfaceObject(None));
  beyond<<<1, 1>>>(S);
  // CHECK: beyond: a kernel accessed memory that is not allocated
  told("beyond", cudaDeviceSynchronize());
  // ERROR: surface access through the handle {{[0-9]+}} is beyond the edge: there are 128 bytes in a row, 16 rows, 1 slices
}
