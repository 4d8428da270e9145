// min and max are there on the host, for operands of two types where C's
// conversions give a third.
// RUN: %regshare_clang %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
#include <cstdio>
#include <type_traits>

template <typename Wanted, typename T> static Wanted as(T Value) {
  static_assert(std::is_same<Wanted, T>::value, "of another type");
  return Value;
}

int main() {
  int I = -3;
  unsigned U = 7;
  long L = -4;
  unsigned long UL = 5;
  unsigned long long ULL = 6;
  // CHECK: 7 4294967293 5 7
  std::printf("%u %u %lu %llu\n", as<unsigned>(min(U, I)),
              as<unsigned>(max(I, U)), as<unsigned long>(min(UL, L)),
              as<unsigned long long>(max(ULL, 7ull)));
  // CHECK: -3 9 1.5 2.5
  std::printf("%d %d %.1f %.1f\n", as<int>(min(I, 9)), as<int>(max(9, I)),
              as<float>(min(1.5f, 2.5f)), as<double>(max(2.5, 1.5f)));
}
