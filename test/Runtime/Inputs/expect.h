// A check that says where it failed; main() returns failures().
#pragma once
#include <cstdio>
#include <cuda_runtime.h>

inline int &failures() {
  static int Count = 0;
  return Count;
}

#define EXPECT(Condition)                                                      \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #Condition);     \
      ++failures();                                                            \
    }                                                                          \
  } while (false)

#define EXPECT_ERROR(Error, Call)                                              \
  do {                                                                         \
    cudaError_t Got = (Call);                                                  \
    if (Got != (Error)) {                                                      \
      std::fprintf(stderr, "%s:%d: %s gives %s\n", __FILE__, __LINE__, #Call,  \
                   cudaGetErrorName(Got));                                     \
      ++failures();                                                            \
    }                                                                          \
  } while (false)

#define EXPECT_OK(Call) EXPECT_ERROR(cudaSuccess, Call)
