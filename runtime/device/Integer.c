//===- Integer.c - Integer functions -*- C -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libdevice.h"

int __nv_abs(int X) { return X < 0 ? (int)-(unsigned)X : X; }
long long __nv_llabs(long long X) {
  return X < 0 ? (long long)-(unsigned long long)X : X;
}

int __nv_min(int X, int Y) { return X < Y ? X : Y; }
int __nv_max(int X, int Y) { return X < Y ? Y : X; }
unsigned __nv_umin(unsigned X, unsigned Y) { return X < Y ? X : Y; }
unsigned __nv_umax(unsigned X, unsigned Y) { return X < Y ? Y : X; }
long long __nv_llmin(long long X, long long Y) { return X < Y ? X : Y; }
long long __nv_llmax(long long X, long long Y) { return X < Y ? Y : X; }
unsigned long long __nv_ullmin(unsigned long long X, unsigned long long Y) {
  return X < Y ? X : Y;
}
unsigned long long __nv_ullmax(unsigned long long X, unsigned long long Y) {
  return X < Y ? Y : X;
}

int __nv_brev(int X) { return (int)__builtin_bitreverse32((unsigned)X); }
long long __nv_brevll(long long X) {
  return (long long)__builtin_bitreverse64((unsigned long long)X);
}
int __nv_clz(int X) { return __builtin_clzg((unsigned)X, 32); }
int __nv_clzll(long long X) {
  return __builtin_clzg((unsigned long long)X, 64);
}
int __nv_ffs(int X) { return __builtin_ctzg((unsigned)X, -1) + 1; }
int __nv_ffsll(long long X) {
  return __builtin_ctzg((unsigned long long)X, -1) + 1;
}
int __nv_popc(unsigned X) { return __builtin_popcount(X); }
int __nv_popcll(unsigned long long X) { return __builtin_popcountll(X); }

/// Picks four of the eight bytes of \p Y and \p X; bit 3 of a selector, which
/// PTX's prmt takes for sign replication, is ignored as CUDA documents.
int __nv_byte_perm(int X, int Y, int Selector) {
  return (int)__nvvm_prmt((unsigned)X, (unsigned)Y,
                          (unsigned)Selector & 0x7777u);
}

int __nv_mulhi(int X, int Y) { return (int)(((long long)X * Y) >> 32); }
unsigned __nv_umulhi(unsigned X, unsigned Y) {
  return (unsigned)(((unsigned long long)X * Y) >> 32);
}
long long __nv_mul64hi(long long X, long long Y) {
  return (long long)(((__int128)X * Y) >> 64);
}
unsigned long long __nv_umul64hi(unsigned long long X, unsigned long long Y) {
  return (unsigned long long)(((unsigned __int128)X * Y) >> 64);
}
int __nv_mul24(int X, int Y) {
  unsigned A = (unsigned)X << 8, B = (unsigned)Y << 8;
  return (int)((unsigned)((int)A >> 8) * (unsigned)((int)B >> 8));
}
unsigned __nv_umul24(unsigned X, unsigned Y) {
  return (X & 0xffffffu) * (Y & 0xffffffu);
}

// Averages without overflow, rounded down and up.
int __nv_hadd(int X, int Y) { return (X & Y) + ((X ^ Y) >> 1); }
int __nv_rhadd(int X, int Y) { return (X | Y) - ((X ^ Y) >> 1); }
unsigned __nv_urhadd(unsigned X, unsigned Y) {
  return (X | Y) - ((X ^ Y) >> 1);
}
int __nv_uhadd(unsigned X, unsigned Y) {
  return (int)((X & Y) + ((X ^ Y) >> 1));
}

int __nv_sad(int X, int Y, int Z) {
  unsigned Difference =
      X < Y ? (unsigned)Y - (unsigned)X : (unsigned)X - (unsigned)Y;
  return (int)(Difference + (unsigned)Z);
}
unsigned __nv_usad(unsigned X, unsigned Y, unsigned Z) {
  return (X < Y ? Y - X : X - Y) + Z;
}
