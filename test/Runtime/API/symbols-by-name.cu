// Programs from before CUDA 5 name the device's variables by strings: an error,
// and in lenient mode a warning for each name.
// RUN: %regshare_clang -O1 %s -c -o %t.o
// RUN: %regshare_clang -O1 -DOTHER %s -c -o %t.other.o
// RUN: %regshare_clang %t.o %t.other.o -o %t
// RUN: env REGSHARE_TIMING=0 %run %t strict 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: env REGSHARE_TIMING=0 REGSHARE_LENIENT=1 REGSHARE_REPORT=%t.txt %run %t lenient 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.txt
// RUN: env REGSHARE_TIMING=0 REGSHARE_LENIENT=1 REGSHARE_REPORT=%t.json %run %t lenient 2>/dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json

#include "../Inputs/expect.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

static __device__ int Twice;

#ifdef OTHER
void useTwice() {
  size_t Size;
  EXPECT_OK(cudaGetSymbolSize(&Size, Twice));
}
#else
void useTwice();

__constant__ float Weights[4];
static __device__ int Hidden = 5;
namespace inner {
__device__ double Table[3];
}
texture<float, 1, cudaReadModeElementType> Texels;
surface<void, 2> Pixels;

__global__ void use(float *Out) {
  Out[threadIdx.x] = Weights[threadIdx.x] + tex1Dfetch(Texels, threadIdx.x);
  Hidden += Twice;
  inner::Table[2] = 0.25;
  surf2Dwrite(1.0f, Pixels, 0, 0);
}

/// A string that ends, or does not, where readable memory does.
static const void *atTheEnd(const char *Text, size_t Bytes) {
  size_t Page = sysconf(_SC_PAGESIZE);
  auto *Memory =
      static_cast<char *>(mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(Memory + Page, Page, PROT_NONE);
  return memcpy(Memory + Page - Bytes, Text, Bytes);
}

static void checkStrings(bool Lenient) {
  float Host[4] = {1, 2, 3, 4}, Back[4] = {};
  cudaError_t Wanted = Lenient ? cudaSuccess : cudaErrorInvalidSymbol;
  EXPECT_ERROR(Wanted, cudaMemcpyToSymbol("Weights", Host, sizeof(Host)));
  EXPECT_ERROR(Wanted, cudaMemcpyFromSymbol(Back, "Weights", 8, 4));
  EXPECT(Back[0] == (Lenient ? 2 : 0) && Back[1] == (Lenient ? 3 : 0));
  EXPECT_ERROR(Lenient ? cudaErrorInvalidValue : Wanted,
               cudaMemcpyToSymbol("Weights", Host, sizeof(Host), 4));
  int Count = 0;
  EXPECT_ERROR(Wanted, cudaMemcpyFromSymbol(&Count, "Hidden", 4));
  EXPECT(Count == (Lenient ? 5 : 0));
  size_t Size = 0;
  EXPECT_ERROR(Wanted, cudaGetSymbolSize(&Size, "inner::Table"));
  EXPECT(Size == (Lenient ? 24 : 0));
  void *Named = nullptr, *Address = nullptr;
  EXPECT_ERROR(Wanted, cudaGetSymbolAddress(&Named, "_ZN5inner5TableE"));
  EXPECT_OK(cudaGetSymbolAddress(&Address, inner::Table));
  EXPECT(Named == (Lenient ? Address : nullptr));
  EXPECT_ERROR(Wanted, cudaGetSymbolSize(&Size, atTheEnd("Weights", 8)));
  const textureReference *Texture = nullptr;
  EXPECT_ERROR(Lenient ? cudaSuccess : cudaErrorInvalidTexture,
               cudaGetTextureReference(&Texture, "Texels"));
  EXPECT(Texture == (Lenient ? &Texels : nullptr));
  const surfaceReference *Surface = nullptr;
  EXPECT_ERROR(Lenient ? cudaSuccess : cudaErrorInvalidSurface,
               cudaGetSurfaceReference(&Surface, "Pixels"));
  EXPECT(Surface == (Lenient ? &Pixels : nullptr));
  // Two files have one each.
  EXPECT_ERROR(Lenient ? cudaErrorDuplicateVariableName : Wanted,
               cudaGetSymbolSize(&Size, "Twice"));
}

static void checkNothing() {
  size_t Size;
  const textureReference *Texture;
  EXPECT_ERROR(cudaErrorInvalidTexture,
               cudaGetTextureReference(&Texture, "Weights"));
  EXPECT_ERROR(cudaErrorInvalidTexture,
               cudaGetTextureReference(&Texture, "Pixels"));
  const void *Nothings[] = {nullptr,
                            reinterpret_cast<void *>(8),
                            reinterpret_cast<void *>(~size_t(0)),
                            reinterpret_cast<void *>(size_t(1) << 63),
                            "",
                            "Weight",
                            "Weights ",
                            atTheEnd("Weights", 7),
                            reinterpret_cast<void *>(&use)};
  for (const void *Each : Nothings)
    EXPECT_ERROR(cudaErrorInvalidSymbol, cudaGetSymbolSize(&Size, Each));
  static char Long[10000];
  memset(Long, 'x', sizeof(Long));
  EXPECT_ERROR(cudaErrorInvalidSymbol, cudaGetSymbolSize(&Size, Long));
}

int main(int, char **Args) {
  // The compiler registers a static variable that the host names itself.
  size_t Size;
  EXPECT_OK(cudaGetSymbolSize(&Size, Hidden));
  EXPECT_OK(cudaGetSymbolSize(&Size, Twice));
  useTwice();
  checkStrings(!strcmp(Args[1], "lenient"));
  checkNothing();
  printf("%d failures\n", failures());
  fflush(stdout);
  return failures();
}
#endif

// STRICT-NOT: warning
// STRICT: 0 failures
// CHECK: regshare: warning: a call names the device's variable 'Weights' by a string, which CUDA has refused since version 5; it takes the variable
// CHECK-NEXT: regshare: warning: a call names the device's variable 'Hidden' by a string
// CHECK-NEXT: regshare: warning: a call names the device's variable 'inner::Table' by a string
// CHECK-NEXT: regshare: warning: a call names the device's variable '_ZN5inner5TableE' by a string
// CHECK-NEXT: regshare: warning: a call names the device's variable 'Texels' by a string
// CHECK-NEXT: regshare: warning: a call names the device's variable 'Pixels' by a string
// CHECK: 0 failures
// CHECK: regshare: warning: lenient mode let 9 faults pass at 6 places
// REPORT: {{^}}let pass      variable named by a string at 'Weights': 4 calls
// REPORT: {{^}}let pass      variable named by a string at 'Hidden': 1 call{{$}}
// REPORT: {{^}}lenient       lenient mode let 9 faults pass at 6 places
// JSON: "let_pass": [
// JSON: "kernel": null,
// JSON-NEXT: "sort": "variable named by a string",
// JSON-NEXT: "place": "'Weights'",
// JSON-NEXT: "first": "a call names the device's variable 'Weights' by a string
// JSON-NEXT: "calls": 4
