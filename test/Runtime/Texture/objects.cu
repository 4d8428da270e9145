// Texture objects of linear and pitched memory and of arrays, as programs make
// and read them: every shape and read mode, with filters and normalised
// coordinates.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.errors
// ERROR: texture fetch through the handle {{[0-9]+}}, which is a 3D texture; the instruction is for a 2D texture by coordinates
// ERROR-NEXT: kernel '_Z10wrongShapeyPf'
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=regmutex %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=rfv %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=ltrf-plus %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=shrf %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=expars %run %t | FileCheck %s
// RUN: %regshare_clang -O2 -std=c++20 %s -o %t.20
// RUN: env REGSHARE_TIMING=0 %run %t.20 | FileCheck %s
// RUN: %regshare_clang -O0 %s -o %t.O0
// RUN: env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void byIndex(cudaTextureObject_t T, float *Out) {
  Out[threadIdx.x] = tex1Dfetch<float>(T, threadIdx.x);
}

__global__ void bytes(cudaTextureObject_t T, float4 *Out) {
  Out[threadIdx.x] =
      tex2D<float4>(T, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
}

__global__ void numbers(cudaTextureObject_t T, short2 *Out) {
  short2 Value;
  tex1D(&Value, T, threadIdx.x + 0.5f);
  Out[threadIdx.x] = Value;
}

__global__ void turned(cudaTextureObject_t T, float *Out, int Size) {
  int X = threadIdx.x, Y = blockIdx.x;
  Out[Y * Size + X] = tex2D<float>(T, (Y + 0.5f) / Size, 1 - (X + 0.5f) / Size);
}

__global__ void between(cudaTextureObject_t Volume, cudaTextureObject_t Layers,
                        cudaTextureObject_t Rows, float *Out) {
  float At = threadIdx.x / 4.0f;
  Out[4 * threadIdx.x] = tex3D<float>(Volume, At, At, At);
  Out[4 * threadIdx.x + 1] = tex2DLayered<float>(Layers, At, 1, 2);
  Out[4 * threadIdx.x + 2] = tex2DLayeredLod<float>(Layers, At, At, 9, 0);
  Out[4 * threadIdx.x + 3] = tex1DLayered<float>(Rows, At, 1);
}

__global__ void wrongShape(cudaTextureObject_t Volume, float *Out) {
  *Out = tex2D<float>(Volume, 0, 0);
}

static void told(const char *What, cudaError_t Error) {
  if (Error != cudaSuccess)
    std::printf("%s: %s\n", What, cudaGetErrorString(Error));
}

static cudaTextureObject_t textureOf(const cudaResourceDesc &R,
                                     const cudaTextureDesc &D) {
  cudaTextureObject_t T = 0;
  told("texture", cudaCreateTextureObject(&T, &R, &D, nullptr));
  return T;
}

static cudaTextureObject_t textureOf(cudaArray_t A, const cudaTextureDesc &D) {
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeArray;
  R.res.array.array = A;
  return textureOf(R, D);
}

template <typename T> static std::vector<T> result(const T *Out, int Count) {
  std::vector<T> H(Count);
  told("result",
       cudaMemcpy(H.data(), Out, Count * sizeof(T), cudaMemcpyDeviceToHost));
  return H;
}

static void linear() {
  std::vector<float> H(32);
  for (int I = 0; I != 32; ++I)
    H[I] = 3 * I;
  float *D, *Out;
  cudaMalloc(&D, 128);
  cudaMalloc(&Out, 128);
  cudaMemcpy(D, H.data(), 128, cudaMemcpyHostToDevice);
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeLinear;
  R.res.linear.devPtr = D;
  R.res.linear.desc = cudaCreateChannelDesc<float>();
  R.res.linear.sizeInBytes = 128;
  cudaTextureDesc T = {};
  cudaTextureObject_t X = textureOf(R, T);
  byIndex<<<1, 32>>>(X, Out);
  H = result(Out, 32);
  cudaResourceDesc Back;
  told("back", cudaGetTextureObjectResourceDesc(&Back, X));
  // CHECK: linear 0 93, same 1
  std::printf("linear %g %g, same %d\n", H[0], H[31],
              Back.res.linear.devPtr == D);
  told("destroy", cudaDestroyTextureObject(X));
  // CHECK: gone: an argument is outside of its allowed range
  told("gone", cudaGetTextureObjectResourceDesc(&Back, X));
}

static void pitched() {
  uchar4 H[2][4], *D;
  for (int I = 0; I != 8; ++I)
    H[I / 4][I % 4] = {(unsigned char)(51 * I), 255, 0, (unsigned char)I};
  size_t Pitch;
  float4 *Out;
  cudaMallocPitch(&D, &Pitch, sizeof(H[0]), 2);
  cudaMalloc(&Out, 8 * sizeof(float4));
  cudaMemcpy2D(D, Pitch, H, sizeof(H[0]), sizeof(H[0]), 2,
               cudaMemcpyHostToDevice);
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypePitch2D;
  R.res.pitch2D.devPtr = D;
  R.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  R.res.pitch2D.width = 4;
  R.res.pitch2D.height = 2;
  R.res.pitch2D.pitchInBytes = Pitch;
  cudaTextureDesc T = {};
  T.readMode = cudaReadModeNormalizedFloat;
  bytes<<<1, 8>>>(textureOf(R, T), Out);
  std::vector<float4> Got = result(Out, 8);
  // CHECK: pitched 0.4 1 0 0.0078
  std::printf("pitched %.1f %g %g %.4f\n", Got[2].x, Got[2].y, Got[2].z,
              Got[2].w);
  T.readMode = cudaReadModeElementType;
  T.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t X;
  // CHECK: filter: linear filtering of data that does not support it
  told("filter", cudaCreateTextureObject(&X, &R, &T, nullptr));
}

static void oneDimension() {
  short2 H[32], *Out;
  for (int I = 0; I != 32; ++I)
    H[I] = {(short)I, (short)-I};
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<short2>(), Back;
  cudaArray_t A;
  cudaMallocArray(&A, &Desc, 32);
  cudaMalloc(&Out, sizeof(H));
  told("copy",
       cudaMemcpyToArray(A, 0, 0, H, sizeof(H), cudaMemcpyHostToDevice));
  numbers<<<1, 32>>>(textureOf(A, cudaTextureDesc{}), Out);
  std::vector<short2> Got = result(Out, 32);
  cudaExtent E;
  unsigned Flags;
  told("info", cudaArrayGetInfo(&Back, &E, &Flags, A));
  // CHECK: numbers 31 -31, array of 32 x 0 x 0, 16 16 0 0 bits
  std::printf("numbers %d %d, array of %zu x %zu x %zu, %d %d %d %d bits\n",
              Got[31].x, Got[31].y, E.width, E.height, E.depth, Back.x, Back.y,
              Back.z, Back.w);
  // CHECK: too much: an argument is outside of its allowed range
  told("too much",
       cudaMemcpyToArray(A, 4, 0, H, sizeof(H), cudaMemcpyHostToDevice));
  told("free", cudaFreeArray(A));
  // CHECK: freed: an argument is outside of its allowed range
  told("freed", cudaFreeArray(A));
}

/// A matrix of normalised coordinates, transposed and turned.
static void twoDimensions() {
  constexpr int N = 16;
  std::vector<float> H(N * N), Back(N * N);
  for (int I = 0; I != N * N; ++I)
    H[I] = I;
  float *Out;
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float>();
  cudaArray_t A;
  cudaMallocArray(&A, &Desc, N, N);
  cudaMalloc(&Out, N * N * 4);
  told("2D", cudaMemcpy2DToArray(A, 0, 0, H.data(), N * 4, N * 4, N,
                                 cudaMemcpyHostToDevice));
  told("2D back", cudaMemcpy2DFromArray(Back.data(), N * 4, A, 0, 0, N * 4, N,
                                        cudaMemcpyDeviceToHost));
  cudaTextureDesc T = {};
  T.normalizedCoords = 1;
  T.filterMode = cudaFilterModeLinear;
  turned<<<N, N>>>(textureOf(A, T), Out, N);
  std::vector<float> Got = result(Out, N * N);
  int Wrong = 0;
  for (int Y = 0; Y != N; ++Y)
    for (int X = 0; X != N; ++X)
      Wrong += Got[Y * N + X] != H[(N - 1 - X) * N + Y];
  // CHECK: turned, 0 wrong, back 1
  std::printf("turned, %d wrong, back %d\n", Wrong, Back == H);
}

static void threeDimensions() {
  constexpr int N = 4;
  std::vector<float> H(N * N * N);
  for (int I = 0; I != N * N * N; ++I)
    H[I] = I % N + 10 * (I / N % N) + 100 * (I / N / N);
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float>();
  cudaArray_t Volume, Layers;
  cudaExtent E = make_cudaExtent(N, N, N);
  told("3D", cudaMalloc3DArray(&Volume, &Desc, E));
  told("layers", cudaMalloc3DArray(&Layers, &Desc, E, cudaArrayLayered));
  cudaMemcpy3DParms P = {};
  P.srcPtr = make_cudaPitchedPtr(H.data(), N * 4, N, N);
  P.extent = E;
  P.kind = cudaMemcpyHostToDevice;
  P.dstArray = Volume;
  told("to volume", cudaMemcpy3D(&P));
  P.dstArray = Layers;
  told("to layers", cudaMemcpy3D(&P));
  cudaTextureDesc T = {};
  T.filterMode = cudaFilterModeLinear;
  for (cudaTextureAddressMode &Mode : T.addressMode)
    Mode = cudaAddressModeClamp;
  float *Out;
  cudaMalloc(&Out, 4 * 17 * 4);
  cudaArray_t Rows;
  told("rows", cudaMalloc3DArray(&Rows, &Desc, make_cudaExtent(N, 0, 2),
                                 cudaArrayLayered));
  P.dstArray = Rows;
  P.extent = make_cudaExtent(N, 1, 2);
  told("to rows", cudaMemcpy3D(&P));
  cudaTextureObject_t V = textureOf(Volume, T);
  between<<<1, 17>>>(V, textureOf(Layers, T), textureOf(Rows, T), Out);
  std::vector<float> Got = result(Out, 4 * 17);
  // CHECK: at 2: 166.5 206.5 316.5 101.5, at 4: 333 208 333 103
  std::printf("at 2: %g %g %g %g, at 4: %g %g %g %g\n", Got[32], Got[33],
              Got[34], Got[35], Got[64], Got[65], Got[66], Got[67]);
  wrongShape<<<1, 1>>>(V, Out);
  // CHECK: wrong shape: a kernel failed
  told("wrong shape", cudaDeviceSynchronize());
}

int main() {
  linear();
  pitched();
  oneDimension();
  twoDimensions();
  threeDimensions();
}
