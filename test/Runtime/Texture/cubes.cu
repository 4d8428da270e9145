// Cube maps and layers of them, filled by copies and by surface writes, and
// fetched in every form, through objects and references: each face from the
// directions of its texels, and across an edge.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=rfv %run %t | FileCheck %s
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int Size = 4, Faces = 6, Layers = 3;

static void expect(const char *What, cudaError_t Error,
                   cudaError_t Wanted = cudaSuccess) {
  if (Error != Wanted)
    std::printf("wrong: %s: %s\n", What, cudaGetErrorName(Error));
}

/// The direction of a texel's middle, as OpenGL's table of faces has it.
__device__ float3 directionOf(int Face, int X, int Y) {
  float S = (2 * X + 1.0f) / Size - 1, T = (2 * Y + 1.0f) / Size - 1;
  const float3 All[Faces] = {{1, -T, -S}, {-1, -T, S}, {S, 1, T},
                             {S, -1, -T}, {S, -T, 1},  {-S, -T, -1}};
  return All[Face];
}

__global__ void whole(cudaTextureObject_t Cube, cudaTextureObject_t Layered,
                      int *Wrong) {
  int X = threadIdx.x, Y = threadIdx.y, Face = blockIdx.x;
  float3 D = directionOf(Face, X, Y);
  float4 None = {0, 0, 0, 0};
  float Value = (Face * Size + Y) * Size + X, Into;
  texCubemap(&Into, Cube, D.x, D.y, D.z);
  int Bad = Into != Value;
  Bad += texCubemap<float>(Cube, 3 * D.x, 3 * D.y, 3 * D.z) != Value;
  Bad += texCubemapLod<float>(Cube, D.x, D.y, D.z, 0) != Value;
  Bad += texCubemapGrad<float>(Cube, D.x, D.y, D.z, None, None) != Value;
  for (int Layer = 0; Layer != Layers; ++Layer) {
    int2 Wanted = {Layer, int(Value)};
    int2 Got[3] = {
        texCubemapLayered<int2>(Layered, D.x, D.y, D.z, Layer),
        texCubemapLayeredLod<int2>(Layered, D.x, D.y, D.z, Layer, 0),
        texCubemapLayeredGrad<int2>(Layered, D.x, D.y, D.z, Layer, None, None)};
    for (int2 Each : Got)
      Bad += Each.x != Wanted.x || Each.y != Wanted.y;
  }
  atomicAdd(Wrong, Bad);
}

__global__ void fill(cudaSurfaceObject_t Layered) {
  int X = threadIdx.x, Y = threadIdx.y, Face = blockIdx.x, Layer = blockIdx.y;
  int2 Value = {Layer, (Face * Size + Y) * Size + X};
  surfCubemapLayeredwrite(Value, Layered, X * 8, Y, Layer * Faces + Face);
}

/// Adds a number, which another launch reads.
__global__ void change(cudaSurfaceObject_t Cube, int By, int *Wrong) {
  int X = threadIdx.x, Y = threadIdx.y, Face = blockIdx.x;
  float Value = surfCubemapread<float>(Cube, X * 4, Y, Face);
  surfCubemapwrite(Value + By, Cube, X * 4, Y, Face);
  float Wanted = (Face * Size + Y) * Size + X;
  atomicAdd(Wrong, Value != (By < 0 ? Wanted - By : Wanted));
}

/// Between the faces +x and +z, in the middle of the edge.
__global__ void edge(cudaTextureObject_t Plain, cudaTextureObject_t Seamless,
                     float *Out) {
  Out[0] = texCubemap<float>(Plain, 1, 0.25f, 0.999999f);
  Out[1] = texCubemap<float>(Seamless, 1, 0.25f, 0.999999f);
}

texture<float, cudaTextureTypeCubemap, cudaReadModeElementType> Reference;
__global__ void byReference(int *Wrong) {
  int X = threadIdx.x, Y = threadIdx.y, Face = blockIdx.x;
  float3 D = directionOf(Face, X, Y);
  atomicAdd(Wrong, texCubemap(Reference, D.x, D.y, D.z) !=
                       (Face * Size + Y) * Size + X);
}

static cudaResourceDesc resourceOf(cudaArray_t A) {
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeArray;
  R.res.array.array = A;
  return R;
}

static cudaTextureObject_t textureOf(cudaArray_t A, bool Filters,
                                     bool Seamless) {
  cudaResourceDesc R = resourceOf(A);
  cudaTextureDesc D = {};
  for (auto &Mode : D.addressMode)
    Mode = cudaAddressModeClamp;
  D.normalizedCoords = 1;
  D.filterMode = Filters ? cudaFilterModeLinear : cudaFilterModePoint;
  D.seamlessCubemap = Seamless;
  cudaTextureObject_t T = 0;
  expect("texture", cudaCreateTextureObject(&T, &R, &D, nullptr));
  return T;
}

static cudaArray_t cubeOfNumbers() {
  std::vector<float> Host(Faces * Size * Size);
  for (size_t I = 0; I != Host.size(); ++I)
    Host[I] = I;
  cudaArray_t A;
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float>();
  expect("cube",
         cudaMalloc3DArray(&A, &Desc, make_cudaExtent(Size, Size, Faces),
                           cudaArrayCubemap | cudaArraySurfaceLoadStore));
  cudaMemcpy3DParms Copy = {};
  Copy.srcPtr = make_cudaPitchedPtr(Host.data(), Size * 4, Size, Size);
  Copy.dstArray = A;
  Copy.extent = make_cudaExtent(Size, Size, Faces);
  Copy.kind = cudaMemcpyHostToDevice;
  expect("copy", cudaMemcpy3D(&Copy));
  return A;
}

static cudaSurfaceObject_t surfaceOf(cudaArray_t A) {
  cudaResourceDesc R = resourceOf(A);
  cudaSurfaceObject_t S = 0;
  expect("surface", cudaCreateSurfaceObject(&S, &R));
  return S;
}

static void refused() {
  cudaArray_t A;
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float>();
  auto Try = [&](const char *What, cudaExtent E, unsigned Flags) {
    expect(What, cudaMalloc3DArray(&A, &Desc, E, Flags), cudaErrorInvalidValue);
  };
  Try("five faces", make_cudaExtent(4, 4, 5), cudaArrayCubemap);
  Try("oblong", make_cudaExtent(4, 3, 6), cudaArrayCubemap);
  Try("twelve faces", make_cudaExtent(4, 4, 12), cudaArrayCubemap);
  Try("no layer", make_cudaExtent(4, 4, 0),
      cudaArrayCubemap | cudaArrayLayered);
  Try("half a layer", make_cudaExtent(4, 4, 9),
      cudaArrayCubemap | cudaArrayLayered);
}

int main() {
  refused();
  cudaArray_t Cube = cubeOfNumbers(), Layered;
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<int2>();
  expect("layers",
         cudaMalloc3DArray(
             &Layered, &Desc, make_cudaExtent(Size, Size, Faces * Layers),
             cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore));
  int *Wrong;
  float *Out;
  cudaMallocManaged(&Wrong, 4);
  cudaMallocManaged(&Out, 8);
  *Wrong = 0;
  dim3 Face(Size, Size);
  fill<<<dim3(Faces, Layers), Face>>>(surfaceOf(Layered));
  for (int By : {5, -5})
    change<<<Faces, Face>>>(surfaceOf(Cube), By, Wrong);
  whole<<<Faces, Face>>>(textureOf(Cube, false, false),
                         textureOf(Layered, false, false), Wrong);
  expect("bind", cudaBindTextureToArray(Reference, Cube));
  byReference<<<Faces, Face>>>(Wrong);
  edge<<<1, 1>>>(textureOf(Cube, true, false), textureOf(Cube, true, true),
                 Out);
  expect("end", cudaDeviceSynchronize());
  // CHECK-NOT: wrong
  // CHECK: 0 wrong
  std::printf("%d wrong\n", *Wrong);
  // Texel 0 of row 1 of +x, and half of it and half of texel 3 of that row of
  // +z, which is 71.
  // CHECK-NEXT: edge 4 37.5
  std::printf("edge %g %g\n", Out[0], Out[1]);
}
