// Texture references, as nvcc has them until CUDA 11: each fetch is compared
// with one through a texture object of the same description, and those of whole
// texels with what the host expects.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: %if !asan %{ env REGSHARE_SCHEME=regmutex %run %t | FileCheck %s %}
// RUN: %if !asan %{ env REGSHARE_SCHEME=rfv %run %t | FileCheck %s %}
// RUN: %if !asan %{ %regshare_clang -O0 %s -o %t.O0 %}
// RUN: %if !asan %{ env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s %}
// CHECK-NOT: wrong
// CHECK: 90 comparisons
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static int Comparisons = 0;

static void told(const char *What, cudaError_t Error) {
  if (Error != cudaSuccess)
    std::printf("wrong: %s: %s\n", What, cudaGetErrorString(Error));
}

static void expect(const char *What, cudaError_t Error, cudaError_t Wanted) {
  ++Comparisons;
  if (Error != Wanted)
    std::printf("wrong: %s: %s\n", What, cudaGetErrorName(Error));
}

template <typename T> static T *toDevice(const std::vector<T> &Host) {
  T *D = nullptr;
  told("malloc", cudaMalloc(&D, Host.size() * sizeof(T)));
  told("copy", cudaMemcpy(D, Host.data(), Host.size() * sizeof(T),
                          cudaMemcpyHostToDevice));
  return D;
}

template <typename T> static std::vector<T> toHost(const T *D, size_t Count) {
  std::vector<T> Host(Count);
  told("result",
       cudaMemcpy(Host.data(), D, Count * sizeof(T), cudaMemcpyDeviceToHost));
  return Host;
}

template <typename T>
static void compare(const char *What, const std::vector<T> &A,
                    const std::vector<T> &B) {
  ++Comparisons;
  if (std::memcmp(A.data(), B.data(), A.size() * sizeof(T)))
    std::printf("wrong: %s\n", What);
}

//===--- Linear memory, of many types -------------------------------------===//

#define LINEAR(NAME, TYPE)                                                     \
  texture<TYPE, 1, cudaReadModeElementType> NAME;                              \
  __global__ void fetch##NAME(TYPE *Out) {                                     \
    Out[threadIdx.x] = tex1Dfetch(NAME, threadIdx.x);                          \
  }                                                                            \
  static void test##NAME() {                                                   \
    std::vector<TYPE> In(32);                                                  \
    for (size_t N = 0; N != In.size() * sizeof(TYPE); ++N)                     \
      reinterpret_cast<unsigned char *>(In.data())[N] = (N * 7 + 3) % 100;     \
    TYPE *From = toDevice(In), *To = toDevice(In);                             \
    told(#NAME, cudaMemset(To, 0, 32 * sizeof(TYPE)));                         \
    told(#NAME, cudaBindTexture(nullptr, NAME, From, 32 * sizeof(TYPE)));      \
    fetch##NAME<<<1, 32>>>(To);                                                \
    compare(#NAME, toHost(To, 32), In);                                        \
    told(#NAME, cudaUnbindTexture(NAME));                                      \
  }
LINEAR(Chars, char)
LINEAR(UChars, unsigned char)
LINEAR(Shorts, short)
LINEAR(UShorts, unsigned short)
LINEAR(Ints, int)
LINEAR(UInts, unsigned int)
LINEAR(Floats, float)
LINEAR(UChars2, uchar2)
LINEAR(Chars4, char4)
LINEAR(Shorts2, short2)
LINEAR(UShorts4, ushort4)
LINEAR(Ints2, int2)
LINEAR(UInts4, uint4)
LINEAR(Floats2, float2)
LINEAR(Floats4, float4)

//===--- All modes, against objects ---------------------------------------===//

constexpr int Width = 13, Height = 6, Depth = 3, Points = 96;

static texture<float, cudaTextureType2D> Plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> Bytes;
texture<short2, 1, cudaReadModeNormalizedFloat> Row;
namespace deep {
texture<float, cudaTextureType3D, cudaReadModeElementType> Volume;
}
texture<float, cudaTextureType2DLayered> Layers;

struct PlaneOf {
  static __device__ float by(float X, float Y, float) {
    return tex2D(Plane, X, Y);
  }
  static __device__ float by(cudaTextureObject_t T, float X, float Y, float) {
    return tex2D<float>(T, X, Y);
  }
};
struct BytesOf {
  static __device__ float by(float X, float Y, float) {
    return tex2D(Bytes, X, Y);
  }
  static __device__ float by(cudaTextureObject_t T, float X, float Y, float) {
    return tex2D<float>(T, X, Y);
  }
};
struct RowOf {
  static __device__ float by(float X, float, float) {
    float2 V = tex1D(Row, X);
    return V.x * 3 + V.y;
  }
  static __device__ float by(cudaTextureObject_t T, float X, float, float) {
    float2 V = tex1D<float2>(T, X);
    return V.x * 3 + V.y;
  }
};
struct VolumeOf {
  static __device__ float by(float X, float Y, float Z) {
    return tex3D(deep::Volume, X, Y, Z);
  }
  static __device__ float by(cudaTextureObject_t T, float X, float Y, float Z) {
    return tex3D<float>(T, X, Y, Z);
  }
};
struct LayersOf {
  static __device__ float by(float X, float Y, float Z) {
    return tex2DLayered(Layers, X, Y, int(Z));
  }
  static __device__ float by(cudaTextureObject_t T, float X, float Y, float Z) {
    return tex2DLayered<float>(T, X, Y, int(Z));
  }
};

template <typename Of>
__global__ void sample(cudaTextureObject_t T, float *ByReference,
                       float *ByObject, float Scale) {
  int N = threadIdx.x;
  float X = (N * 0.37f - 9) / (Scale ? Width : 1), Y = N * 0.21f - 6,
        Z = N * 0.05f - 0.5f;
  if (Scale) {
    Y /= Height;
    Z /= Depth;
  }
  ByReference[N] = Of::by(X, Y, Z);
  ByObject[N] = Of::by(T, X, Y, Z);
}

/// In every mode that the guide has for references to \p Array.
template <typename Of, typename Reference>
static void testModes(const char *What, Reference &Ref, cudaArray_t Array,
                      cudaTextureReadMode Mode, float *A, float *B) {
  for (int Normalized : {0, 1})
    for (cudaTextureFilterMode Filter :
         {cudaFilterModePoint, cudaFilterModeLinear})
      for (cudaTextureAddressMode Address :
           {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeBorder}) {
        Ref.normalized = Normalized;
        Ref.filterMode = Filter;
        Ref.addressMode[0] = Ref.addressMode[1] = Ref.addressMode[2] = Address;
        told(What, cudaBindTextureToArray(Ref, Array));
        cudaResourceDesc R = {};
        R.resType = cudaResourceTypeArray;
        R.res.array.array = Array;
        cudaTextureDesc D = {};
        D.addressMode[0] = D.addressMode[1] = D.addressMode[2] = Address;
        D.filterMode = Filter;
        D.readMode = Mode;
        D.normalizedCoords = Normalized;
        cudaTextureObject_t T = 0;
        told(What, cudaCreateTextureObject(&T, &R, &D, nullptr));
        sample<Of><<<1, Points>>>(T, A, B, Normalized);
        compare(What, toHost(A, Points), toHost(B, Points));
        told(What, cudaDestroyTextureObject(T));
      }
}

template <typename T>
static cudaArray_t arrayOf(int Rows, int Slices, unsigned Flags = 0) {
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<T>();
  cudaArray_t Array = nullptr;
  told("array", cudaMalloc3DArray(&Array, &Desc,
                                  make_cudaExtent(Width, Rows, Slices), Flags));
  std::vector<T> In(Width * std::max(Rows, 1) * std::max(Slices, 1));
  for (size_t N = 0; N != In.size() * sizeof(T); ++N)
    reinterpret_cast<unsigned char *>(In.data())[N] = (N * 29 + 11) % 127;
  cudaMemcpy3DParms P = {};
  P.srcPtr = make_cudaPitchedPtr(In.data(), Width * sizeof(T), Width,
                                 std::max(Rows, 1));
  P.dstArray = Array;
  P.extent = make_cudaExtent(Width, std::max(Rows, 1), std::max(Slices, 1));
  P.kind = cudaMemcpyHostToDevice;
  told("array", cudaMemcpy3D(&P));
  return Array;
}

static void testAllModes(float *A, float *B) {
  testModes<PlaneOf>("plane", Plane, arrayOf<float>(Height, 0),
                     cudaReadModeElementType, A, B);
  testModes<BytesOf>("bytes", Bytes, arrayOf<unsigned char>(Height, 0),
                     cudaReadModeNormalizedFloat, A, B);
  testModes<RowOf>("row", Row, arrayOf<short2>(0, 0),
                   cudaReadModeNormalizedFloat, A, B);
  testModes<VolumeOf>("volume", deep::Volume, arrayOf<float>(Height, Depth),
                      cudaReadModeElementType, A, B);
  testModes<LayersOf>("layers", Layers,
                      arrayOf<float>(Height, Depth, cudaArrayLayered),
                      cudaReadModeElementType, A, B);
}

//===--- Binding ----------------------------------------------------------===//

__global__ void copyPlane(float *Out) {
  int X = threadIdx.x, Y = blockIdx.x;
  Out[Y * blockDim.x + X] = tex2D(Plane, X, Y);
}

__global__ void copyFloats(float *Out, size_t First) {
  Out[threadIdx.x] = tex1Dfetch(Floats, First + threadIdx.x);
}

surface<void, cudaSurfaceType2D> Board;

__global__ void chequer() {
  float Old = surf2Dread<float>(Board, threadIdx.x * 4, blockIdx.x);
  surf2Dwrite((threadIdx.x + blockIdx.x) % 2 ? Old : -1.0f, Board,
              threadIdx.x * 4, blockIdx.x);
}

static void testBindings(float *Out) {
  std::vector<float> In(1024);
  for (size_t N = 0; N != In.size(); ++N)
    In[N] = float(N) * 0.5f;
  float *D = toDevice(In);

  // Rows of memory, through the call of C.
  Plane = texture<float, 2>(0, cudaFilterModePoint, cudaAddressModeClamp);
  size_t Offset = 99;
  told("2D", cudaBindTexture2D(&Offset, Plane, D, 16, 4, 128));
  copyPlane<<<4, 16>>>(Out);
  std::vector<float> Wanted;
  for (int N = 0; N != 64; ++N)
    Wanted.push_back(In[N / 16 * 32 + N % 16]);
  compare("rows", toHost(Out, 64), Wanted);
  cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float>();
  const textureReference *Ref = nullptr;
  told("reference", cudaGetTextureReference(&Ref, &Plane));
  told("2D", cudaBindTexture2D(&Offset, Ref, D + 64, &Desc, 16, 4, 128));
  copyPlane<<<4, 16>>>(Out);
  for (int N = 0; N != 64; ++N)
    Wanted[N] = In[64 + N / 16 * 32 + N % 16];
  compare("other rows", toHost(Out, 64), Wanted);

  // From the middle of memory: the program adds the offset.
  expect("without offset", cudaBindTexture(nullptr, Floats, D + 5, 64),
         cudaErrorInvalidValue);
  told("offset", cudaBindTexture(&Offset, Floats, D + 5, 128));
  size_t Same = 0;
  told("offset", cudaGetTextureAlignmentOffset(&Same, Floats));
  copyFloats<<<1, 32>>>(Out, Offset / sizeof(float));
  compare("offset", std::vector<size_t>{Same}, {5 * sizeof(float)});
  compare("offset", toHost(Out, 32), std::vector<float>(&In[5], &In[37]));
  // Without a size it is all there is.
  told("all", cudaBindTexture(nullptr, &Floats, D, &Desc));
  copyFloats<<<1, 32>>>(Out, 1000);
  Wanted.assign(&In[1000], &In[1024]);
  Wanted.resize(32, In[1023]);
  compare("all", toHost(Out, 32), Wanted);

  // Modes are those of the time of binding.
  cudaArray_t Array = arrayOf<float>(Height, 0, cudaArraySurfaceLoadStore);
  told("modes", cudaBindTextureToArray(Plane, Array));
  copyPlane<<<Height, Width>>>(Out);
  std::vector<float> Before = toHost(Out, Width * Height);
  Plane.normalized = 1;
  copyPlane<<<Height, Width>>>(Out);
  compare("modes", toHost(Out, Width * Height), Before);

  told("surface", cudaBindSurfaceToArray(Board, Array));
  chequer<<<Height, Width>>>();
  copyPlane<<<Height, Width>>>(Out);
  for (int Y = 0; Y != Height; ++Y)
    for (int X = 0; X != Width; ++X)
      if ((X + Y) % 2 == 0)
        Before[Y * Width + X] = -1;
  compare("surface", toHost(Out, Width * Height), Before);
}

static void testErrors(float *D) {
  texture<float, 1> Unknown;
  expect("unknown", cudaBindTexture(nullptr, Unknown, D, 64),
         cudaErrorInvalidTexture);
  expect("unknown", cudaUnbindTexture(Unknown), cudaErrorInvalidTexture);
  const textureReference *Ref;
  expect("unknown", cudaGetTextureReference(&Ref, D), cudaErrorInvalidTexture);
  size_t Offset;
  told("unbind", cudaUnbindTexture(Floats));
  expect("unbound", cudaGetTextureAlignmentOffset(&Offset, Floats),
         cudaErrorInvalidTextureBinding);
  expect("too large", cudaBindTexture(nullptr, Floats, D, 1 << 20),
         cudaErrorInvalidValue);
  cudaChannelFormatDesc Ints = cudaCreateChannelDesc<int>();
  expect("another type",
         cudaBindTextureToArray(Plane, arrayOf<float>(Height, 0), Ints),
         cudaErrorInvalidChannelDescriptor);
  expect("no surface", cudaBindSurfaceToArray(Board, arrayOf<float>(Height, 0)),
         cudaErrorInvalidValue);
}

int main() {
  float *A = toDevice(std::vector<float>(1024)),
        *B = toDevice(std::vector<float>(1024));
  testChars(), testUChars(), testShorts(), testUShorts(), testInts();
  testUInts(), testFloats(), testUChars2(), testChars4(), testShorts2();
  testUShorts4(), testInts2(), testUInts4(), testFloats2(), testFloats4();
  testAllModes(A, B);
  testBindings(B);
  testErrors(A);
  told("end", cudaDeviceSynchronize());
  std::printf("%d comparisons\n", Comparisons);
}
