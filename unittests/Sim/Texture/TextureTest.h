//===- TextureTest.h - Random textures and their fetches --------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random textures, a fetch that is written down as the programming guide's
/// appendix says it (a table that goes on for ever in all directions, and its
/// formulas), and kernels that fetch.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_TEXTURE_TEXTURETEST_H
#define REGSHARE_UNITTESTS_SIM_TEXTURE_TEXTURETEST_H

#include "../Timing/TimingTest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace regshare::sim {

//===----------------------------------------------------------------------===//
// The guide's fetch
//===----------------------------------------------------------------------===//

/// Texels in any dimension, all components as numbers.
struct Table {
  TextureDescription T;
  std::vector<double> Values; ///< By slice, row, texel and component.
  std::vector<uint32_t> Bits; ///< The same as a fetch of the type has them.

  static bool isOutside(long &I, long N, TextureAddressing How) {
    while (I < 0 || I >= N)
      switch (How) {
      case TextureAddressing::Wrap:
        I += I < 0 ? N : -N;
        break;
      case TextureAddressing::Mirror:
        I = I < 0 ? -1 - I : 2 * N - 1 - I;
        break;
      case TextureAddressing::Clamp:
        I = I < 0 ? 0 : N - 1;
        break;
      case TextureAddressing::Border:
        return true;
      }
    return false;
  }

  /// Index into Values of the first component; -1: the border.
  long place(long I, long J, long K) const {
    auto How = [&](unsigned N) {
      bool Repeats = T.Addressing[N] == TextureAddressing::Wrap ||
                     T.Addressing[N] == TextureAddressing::Mirror;
      return Repeats && !T.NormalisedCoordinates ? TextureAddressing::Clamp
                                                 : T.Addressing[N];
    };
    if (isOutside(I, T.Width, How(0)) || isOutside(J, T.Height, How(1)) ||
        isOutside(K, T.Depth, How(2)))
      return -1;
    return ((K * T.Height + J) * T.Width + I) * T.Format.Components;
  }

  double value(long I, long J, long K, unsigned C) const {
    long At = place(I, J, K);
    return At < 0 ? T.Border[C] : Values[At + C];
  }

  uint32_t bits(long I, long J, long K, unsigned C) const {
    long At = place(I, J, K);
    if (At >= 0 && !T.ReadsNormalised)
      return Bits[At + C];
    if (At >= 0 || T.ReadsNormalised || T.Format.Of == TexelFormat::Float)
      return std::bit_cast<uint32_t>(float(value(I, J, K, C)));
    return uint32_t(int32_t(T.Border[C]));
  }
};

/// i and the weight of T[i+1], in 256ths.
struct Split {
  long I;
  double Alpha;
};

inline Split split(double X) {
  double B = X - 0.5;
  long I = long(std::floor(B));
  return {I, std::round((B - I) * 256) / 256};
}

/// A lane's four components. Coordinates of dimensions that there are not are
/// 0.5, so that nothing depends on them.
struct Fetched {
  bool IsExact = true;
  uint32_t Bits[4] = {};
};

inline Fetched fetchFiltered(const Table &From, const double *X,
                             const long *Layer) {
  Split A = split(X[0]), B = split(X[1]), G = split(X[2]);
  Fetched F;
  F.IsExact = false;
  for (unsigned C = 0; C != From.T.Format.Components; ++C) {
    auto Line = [&](long J, long K) {
      return (1 - A.Alpha) * From.value(A.I, J, K, C) +
             (A.Alpha ? A.Alpha * From.value(A.I + 1, J, K, C) : 0);
    };
    auto Plane = [&](long K) {
      return (1 - B.Alpha) * Line(B.I, K) +
             (B.Alpha ? B.Alpha * Line(B.I + 1, K) : 0);
    };
    double V = Layer ? Plane(*Layer)
                     : (1 - G.Alpha) * Plane(G.I) +
                           (G.Alpha ? G.Alpha * Plane(G.I + 1) : 0);
    F.Bits[C] = std::bit_cast<uint32_t>(float(V));
  }
  return F;
}

inline Fetched fetchNearest(const Table &From, const double *X,
                            const long *Layer) {
  Fetched F;
  for (unsigned C = 0; C != From.T.Format.Components; ++C)
    F.Bits[C] = From.bits(long(std::floor(X[0])), long(std::floor(X[1])),
                          Layer ? *Layer : long(std::floor(X[2])), C);
  return F;
}

/// \p Got has four components of each thread.
inline void compareFetches(const std::vector<uint32_t> &Got,
                           const std::vector<Fetched> &Expected) {
  ASSERT_EQ(Got.size(), 4 * Expected.size());
  for (unsigned N = 0; N != Got.size(); ++N) {
    const Fetched &E = Expected[N / 4];
    SCOPED_TRACE("thread " + std::to_string(N / 4) + ", component " +
                 std::to_string(N % 4));
    if (E.IsExact)
      ASSERT_EQ(Got[N], E.Bits[N % 4]);
    else
      ASSERT_FLOAT_EQ(std::bit_cast<float>(Got[N]),
                      std::bit_cast<float>(E.Bits[N % 4]));
  }
}

//===----------------------------------------------------------------------===//
// Random textures
//===----------------------------------------------------------------------===//

struct ShapeCase {
  TextureShape Shape;
  const char *Geometry;
  unsigned Dimensions;
  bool HasLayers;
  bool IsCube = false; ///< Its slices are faces.
};

inline constexpr ShapeCase ShapeCases[] = {
    {TextureShape::OneD, "1d", 1, false},
    {TextureShape::TwoD, "2d", 2, false},
    {TextureShape::ThreeD, "3d", 3, false},
    {TextureShape::OneDLayers, "a1d", 1, true},
    {TextureShape::TwoDLayers, "a2d", 2, true},
};

class TextureMaker {
public:
  explicit TextureMaker(unsigned Seed) : Random(Seed) {}

  unsigned below(unsigned N) { return unsigned(Random() % N); }

  /// Puts the texels into \p M.
  Table make(GlobalMemory &M, const ShapeCase &Shape) {
    Table From;
    TextureDescription &T = From.T;
    T.Shape = Shape.Shape;
    chooseFormat(T);
    T.Width = 1 + below(9);
    T.Height = Shape.Dimensions > 1 ? 1 + below(6) : 1;
    T.Depth = Shape.Dimensions > 2 || Shape.HasLayers ? 1 + below(5) : 1;
    if (Shape.IsCube) {
      T.Height = T.Width;
      T.Depth *= CubeFaces;
    }
    T.RowBytes = T.Width * T.Format.bytes() + 16 * below(3);
    T.SliceBytes = T.RowBytes * T.Height + 32 * below(2);
    // A little more than dimensions that there are.
    for (TextureAddressing &A : T.Addressing)
      A = TextureAddressing(below(4));
    if (Shape.Dimensions < 3)
      T.Addressing[2] = TextureAddressing::Clamp;
    if (Shape.Dimensions < 2)
      T.Addressing[1] = TextureAddressing::Clamp;
    T.NormalisedCoordinates = below(2);
    for (float &B : T.Border)
      B = float(below(100));
    T.Base = M.allocate(T.SliceBytes * T.Depth);
    for (unsigned K = 0; K != T.Depth; ++K)
      for (unsigned J = 0; J != T.Height; ++J)
        for (unsigned I = 0; I != T.Width * T.Format.Components; ++I)
          put(M, From,
              T.Base + K * T.SliceBytes + J * T.RowBytes +
                  I * T.Format.Bits / 8);
    return From;
  }

private:
  void chooseFormat(TextureDescription &T) {
    constexpr uint8_t Sizes[] = {8, 16, 32};
    constexpr uint8_t Counts[] = {1, 2, 4};
    T.Format.Of = TexelFormat::Kind(below(3));
    T.Format.Bits =
        Sizes[T.Format.Of == TexelFormat::Float ? 1 + below(2) : below(3)];
    T.Format.Components = Counts[below(3)];
    bool IsFloat = T.Format.Of == TexelFormat::Float;
    T.ReadsNormalised = !IsFloat && T.Format.Bits != 32 && below(2);
    T.IsFiltered = (IsFloat || T.ReadsNormalised) && below(2);
  }

  void put(GlobalMemory &M, Table &To, uint64_t Address) {
    const TexelFormat &F = To.T.Format;
    if (F.Of == TexelFormat::Float) {
      // Small numbers, which half precision has as well.
      int Eighths = int(below(4001)) - 2000;
      float Value = float(Eighths) / 8;
      To.Values.push_back(Value);
      To.Bits.push_back(std::bit_cast<uint32_t>(Value));
      if (F.Bits == 32) {
        M.write(Address, &Value, 4);
        return;
      }
      uint16_t Half = halfOf(Eighths);
      M.write(Address, &Half, 2);
      return;
    }
    uint32_t Raw = uint32_t(Random());
    if (below(8) == 0)
      Raw = below(2) ? 0x80808080u << (F.Bits - 8) : ~0u;
    M.write(Address, &Raw, F.Bits / 8);
    int64_t Value = F.Bits == 32 ? int64_t(Raw) : Raw & ((1u << F.Bits) - 1);
    int64_t Half = int64_t(1) << (F.Bits - 1);
    if (F.Of == TexelFormat::Signed && Value >= Half)
      Value -= 2 * Half;
    To.Bits.push_back(uint32_t(Value));
    double Most = double(F.Of == TexelFormat::Signed ? Half - 1 : 2 * Half - 1);
    double Part = double(Value) / Most;
    To.Values.push_back(To.T.ReadsNormalised ? std::max(Part, -1.0)
                                             : double(Value));
  }

  /// Of a number of eighths, at most 2,000: 11 bits.
  static uint16_t halfOf(int Eighths) {
    unsigned Rest = unsigned(std::abs(Eighths)), Exponent = 22;
    if (!Rest)
      return 0;
    for (; Rest < 1024; Rest *= 2)
      --Exponent;
    return uint16_t((Eighths < 0) << 15 | Exponent << 10 | (Rest & 1023));
  }

  std::mt19937_64 Random;
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Each thread fetches at its four words of `at` and leaves four in `to`.
inline std::string fetchKernel(const std::string &Fetch) {
  return std::string(Header) +
         ".visible .entry k(.param .u64 to, .param .u64 at, .param .u64 tex)\n"
         "{\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
         "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [at];\n"
         "ld.param.u64 %rd3, [tex];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd4, %r1, 16;\nadd.s64 %rd5, %rd2, %rd4;\n"
         "add.s64 %rd6, %rd1, %rd4;\n"
         "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd5];\n" +
         Fetch + "\nst.global.v4.u32 [%rd6], {%r6, %r7, %r8, %r9};\nret;\n}\n";
}

inline std::string fetchOf(const ShapeCase &S,
                           const char *Coordinates = "f32") {
  std::string Text = std::string("tex.") + S.Geometry + ".v4.f32." +
                     Coordinates + " {%r6, %r7, %r8, %r9}, [%rd3, {";
  // Three are written as four.
  const char *Lists[] = {"%r2", "%r2, %r3", "%r2, %r3, %r4, %r4",
                         "%r2, %r3, %r4, %r5"};
  return Text + Lists[S.Dimensions - 1 + S.HasLayers + S.IsCube] + "}];";
}

class Texture : public testing::TestWithParam<bool> {
protected:
  /// What the threads leave; empty if the kernel fails, with Error.
  std::vector<uint32_t> run(TestProgram &P, const std::vector<uint32_t> &At,
                            uint64_t Handle) {
    uint64_t To = P.upload(std::vector<uint32_t>(At.size(), 0xAAAAAAAA));
    std::vector<uint64_t> Arguments{To, P.upload(At), Handle};
    unsigned Threads = unsigned(At.size() / 4);
    if (GetParam()) {
      auto Bytes = packArguments(*P.P->findKernel("k"), Arguments);
      TimedLaunchOptions Options;
      Options.RegsPerThread = 20;
      Result<TimingStats> S =
          machine(deviceNamed("gtx480"))
              ->run(*P.P, P.Memory, "k", {{1}, {Threads}, 0, *Bytes}, Options);
      if (!S) {
        Error = S.error().str();
        return {};
      }
      Stats = *S;
    } else if (!P.run("k", {1}, {Threads}, Arguments)) {
      Error = P.Error;
      return {};
    }
    return P.download<uint32_t>(To, At.size());
  }

  std::string Error;
  TimingStats Stats;
};

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_TEXTURE_TEXTURETEST_H
