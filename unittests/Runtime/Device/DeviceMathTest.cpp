//===- DeviceMathTest.cpp - Accuracy of the device math -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compares every function that has more to it than one instruction with the
/// host's C library in extended precision. The bounds, in units in the last
/// place, are those that CUDA's programming guide documents for its own
/// functions, or OpenCL's where libclc, which keeps to those, needs more.
///
//===----------------------------------------------------------------------===//

#include "HostLibdevice.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace {

using Wide = long double;
constexpr Wide Pi = 3.14159265358979323846264338327950288L;

/// The error of \p Actual in units in the last place of T at \p Expected.
template <typename T> double ulps(T Actual, Wide Expected) {
  T Rounded = (T)Expected;
  if (std::isnan(Rounded) || std::isinf(Rounded) || std::isnan(Actual) ||
      std::isinf(Actual)) {
    bool Same = std::isnan(Rounded) ? std::isnan(Actual) : Actual == Rounded;
    return Same ? 0.0 : std::numeric_limits<double>::infinity();
  }
  int Exponent = Rounded == 0 ? std::numeric_limits<T>::min_exponent - 1
                              : std::ilogb(Rounded);
  Exponent = std::max(Exponent, std::numeric_limits<T>::min_exponent - 1);
  Wide Unit =
      std::ldexp(Wide(1), Exponent + 1 - std::numeric_limits<T>::digits);
  return (double)(std::fabs((Wide)Actual - Expected) / Unit);
}

/// Arguments from -High to High or from Low to High, half of them even over the
/// range and half even over its orders of magnitude.
template <typename T> class Arguments {
public:
  Arguments(double Low, double High) : Low(Low), High(High) {}
  T operator()() {
    std::uniform_real_distribution<double> Even(Low, High);
    double Largest = std::max(std::fabs(Low), std::fabs(High));
    std::uniform_real_distribution<double> Order(std::log2(Largest) - 30.0,
                                                 std::log2(Largest));
    double X = Even(Engine);
    if (Engine() % 2 == 0) {
      double Small = std::copysign(std::exp2(Order(Engine)), X);
      X = Small >= Low && Small <= High ? Small : X;
    }
    return (T)X;
  }

private:
  double Low, High;
  std::mt19937_64 Engine{42};
};

constexpr int NumArguments = 30000;

struct Unary {
  const char *Name;
  Wide (*Reference)(Wide);
  double Low, High;
  double FloatBound, DoubleBound;
};

struct Binary {
  const char *Name;
  Wide (*Reference)(Wide, Wide);
  double Low, High;
  double FloatBound, DoubleBound;
};

template <typename T> const char *suffix() {
  return std::is_same_v<T, float> ? "f" : "";
}

template <typename T>
double worstError(const Unary &F,
                  HostLibdevice &Library = HostLibdevice::get()) {
  auto *Function =
      Library.function<T(T)>(std::string("__nv_") + F.Name + suffix<T>());
  Arguments<T> Next(F.Low, F.High);
  double Worst = 0.0;
  for (int I = 0; I < NumArguments; ++I) {
    T X = Next();
    Worst = std::max(Worst, ulps<T>(Function(X), F.Reference(X)));
  }
  return Worst;
}

template <typename T> double worstError(const Binary &F) {
  auto *Function = HostLibdevice::get().function<T(T, T)>(std::string("__nv_") +
                                                          F.Name + suffix<T>());
  Arguments<T> NextX(F.Low, F.High), NextY(-F.High, F.High);
  double Worst = 0.0;
  for (int I = 0; I < NumArguments; ++I) {
    T X = NextX(), Y = NextY();
    NextY();
    Worst = std::max(Worst, ulps<T>(Function(X, Y), F.Reference(X, Y)));
  }
  return Worst;
}

Wide sinpiWide(Wide X) {
  Wide R = X - 2 * std::rint(X / 2);
  if (std::fabs(R) > 0.5L)
    R = std::copysign(1 - std::fabs(R), R);
  return std::sin(Pi * R);
}
Wide cospiWide(Wide X) {
  Wide R = std::fabs(X - 2 * std::rint(X / 2));
  return std::sin(Pi * (0.5L - R));
}
Wide normcdfWide(Wide X) { return std::erfc(-X / std::sqrt(2.0L)) / 2; }
Wide erfcxWide(Wide X) { return std::exp(X * X) * std::erfc(X); }
Wide erfinvSmall(Wide X) {
  Wide Z = X * std::sqrt(Pi) / 2;
  for (int I = 0; I < 8; ++I)
    Z -= (std::erf(Z) - X) * std::sqrt(Pi) / 2 * std::exp(Z * Z);
  return Z;
}
Wide erfcinvWide(Wide Y) {
  if (std::fabs(1 - Y) <= 0.5L)
    return erfinvSmall(1 - Y);
  if (Y > 1)
    return -erfcinvWide(2 - Y);
  Wide Low = 0, High = 120;
  for (int I = 0; I < 90; ++I) {
    Wide Middle = (Low + High) / 2;
    (std::erfc(Middle) > Y ? Low : High) = Middle;
  }
  return Low;
}
Wide erfinvWide(Wide X) {
  if (std::fabs(X) <= 0.5L)
    return erfinvSmall(X);
  return std::copysign(erfcinvWide(1 - std::fabs(X)), X);
}
Wide normcdfinvWide(Wide P) { return -std::sqrt(2.0L) * erfcinvWide(2 * P); }

const Unary UnaryFunctions[] = {
    {"acos", std::acos, -1, 1, 2, 2},
    {"acosh", std::acosh, 1, 1e6, 4, 3},
    {"asin", std::asin, -1, 1, 2, 2},
    {"asinh", std::asinh, -1e6, 1e6, 3, 3},
    {"atan", std::atan, -1e4, 1e4, 2, 2},
    {"atanh", std::atanh, -1, 1, 3, 2},
    {"cbrt", std::cbrt, -1e30, 1e30, 1, 1},
    {"ceil", std::ceil, -1e5, 1e5, 0, 0},
    {"cos", std::cos, -1e5, 1e5, 2, 2},
    {"cosh", std::cosh, -80, 80, 4, 4},
    {"cospi", cospiWide, -1e4, 1e4, 4, 4},
    {"erf", std::erf, -6, 6, 2, 2},
    {"erfc", std::erfc, -5, 9, 4, 5},
    {"erfcinv", erfcinvWide, 1e-30, 1.999, 4, 6},
    {"erfcx", erfcxWide, -3, 25, 4, 4},
    {"erfinv", erfinvWide, -0.99999, 0.99999, 2, 5},
    {"exp", std::exp, -80, 80, 2, 1},
    {"exp10", [](Wide X) { return std::pow(10.0L, X); }, -35, 35, 2, 1},
    {"exp2", std::exp2, -120, 120, 2, 1},
    {"expm1", std::expm1, -80, 80, 3, 3},
    {"fabs", std::fabs, -1e9, 1e9, 0, 0},
    {"floor", std::floor, -1e5, 1e5, 0, 0},
    {"lgamma", std::lgamma, 0.01, 100, 6, 4},
    {"log", std::log, 1e-30, 1e30, 3, 3},
    {"log10", std::log10, 1e-30, 1e30, 2, 1},
    {"log1p", std::log1p, -0.999, 1e10, 1, 1},
    {"log2", std::log2, 1e-30, 1e30, 1, 1},
    {"logb", std::logb, 1e-30, 1e30, 0, 0},
    {"nearbyint", std::nearbyint, -1e5, 1e5, 0, 0},
    {"normcdf", normcdfWide, -12, 5, 5, 5},
    {"normcdfinv", normcdfinvWide, 1e-30, 0.999, 5, 8},
    {"rcbrt", [](Wide X) { return 1 / std::cbrt(X); }, -1e20, 1e20, 1, 2},
    {"rint", std::rint, -1e5, 1e5, 0, 0},
    {"round", std::round, -1e5, 1e5, 0, 0},
    {"sin", std::sin, -1e5, 1e5, 2, 2},
    {"sinh", std::sinh, -80, 80, 3, 2},
    {"sinpi", sinpiWide, -1e4, 1e4, 4, 4},
    {"sqrt", std::sqrt, 0, 1e30, 0.5, 0.5},
    {"tan", std::tan, -1e5, 1e5, 4, 2},
    {"tanh", std::tanh, -20, 20, 2, 1},
    {"tgamma", std::tgamma, -30, 34, 5, 12},
    {"trunc", std::trunc, -1e5, 1e5, 0, 0},
};

const Binary BinaryFunctions[] = {
    {"atan2", std::atan2, -1e4, 1e4, 3, 2},
    {"copysign", std::copysign, -1e4, 1e4, 0, 0},
    {"fdim", std::fdim, -1e4, 1e4, 0.5, 0.5},
    {"fmax", std::fmax, -1e4, 1e4, 0, 0},
    {"fmin", std::fmin, -1e4, 1e4, 0, 0},
    {"fmod", std::fmod, -1e4, 1e4, 0, 0},
    {"hypot", std::hypot, -1e15, 1e15, 3, 2},
    {"pow", std::pow, 1e-3, 20, 4, 2},
    {"remainder", std::remainder, -1e4, 1e4, 0, 0},
    {"rhypot", [](Wide X, Wide Y) { return 1 / std::hypot(X, Y); }, -1e10, 1e10,
     2, 3},
};

TEST(DeviceMath, UnaryFunctionsAreAccurate) {
  for (const Unary &F : UnaryFunctions) {
    EXPECT_LE(worstError<float>(F), F.FloatBound) << F.Name << "f";
    EXPECT_LE(worstError<double>(F), F.DoubleBound) << F.Name;
  }
}

TEST(DeviceMath, BinaryFunctionsAreAccurate) {
  for (const Binary &F : BinaryFunctions) {
    EXPECT_LE(worstError<float>(F), F.FloatBound) << F.Name << "f";
    EXPECT_LE(worstError<double>(F), F.DoubleBound) << F.Name;
  }
}

/// Float.c's functions. On the host its approximate instructions are exact:
/// what PTX allows them (2^-22 for ex2) comes on top.
TEST(DeviceMath, NativeFunctionsAreAccurate) {
  const Unary Functions[] = {
      {"cos", std::cos, -1e5, 1e5, 2, 0},
      {"cos", std::cos, -3e38, 3e38, 2, 0},
      {"exp", std::exp, -110, 90, 1.1, 0},
      {"exp10", [](Wide X) { return std::pow(10.0L, X); }, -50, 40, 1.1, 0},
      {"log", std::log, 0, 3e38, 1, 0},
      {"log", std::log, 0.5, 2, 1, 0},
      {"log10", std::log10, 0, 3e38, 2.1, 0},
      {"log10", std::log10, 0.5, 2, 2.1, 0},
      {"log2", std::log2, 0, 3e38, 1.1, 0},
      {"log2", std::log2, 0.5, 2, 1.1, 0},
      {"sin", std::sin, -1e5, 1e5, 2, 0},
      {"sin", std::sin, -3e38, 3e38, 2, 0},
      {"tanh", std::tanh, -1, 1, 2, 0},
      {"tanh", std::tanh, -20, 20, 2, 0},
  };
  for (const Unary &F : Functions)
    EXPECT_LE(worstError<float>(F, HostLibdevice::getNative()), F.FloatBound)
        << F.Name << "f from " << F.Low;
  for (double High : {1.0, 700.0, 745.0})
    EXPECT_LE(worstError<double>({"exp", std::exp, -High, High, 0, 0},
                                 HostLibdevice::getNative()),
              1)
        << "exp up to " << High;
}

TEST(DeviceMath, NativeFunctionsOfSpecialNumbers) {
  constexpr float Inf = std::numeric_limits<float>::infinity();
  constexpr float Tiny = std::numeric_limits<float>::denorm_min();
  const std::pair<const char *, float (*)(float)> Functions[] = {
      {"cos", std::cos},   {"exp", std::exp},   {"log", std::log},
      {"log2", std::log2}, {"exp2", std::exp2}, {"log10", std::log10},
      {"sin", std::sin},   {"tanh", std::tanh}};
  for (const auto &[Name, Reference] : Functions) {
    auto *Function = HostLibdevice::getNative().function<float(float)>(
        std::string("__nv_") + Name + "f");
    for (float X : {0.0f, -0.0f, Inf, -Inf, -1.0f, 1.0f, Tiny, -Tiny, 1000.0f,
                    -1000.0f, std::nanf("")}) {
      float Actual = Function(X), Expected = Reference(X);
      EXPECT_LE(ulps<float>(Actual, Expected), 2) << Name << "f(" << X << ")";
      if (!std::isnan(Expected))
        EXPECT_EQ(std::signbit(Actual), std::signbit(Expected))
            << Name << "f(" << X << ")";
    }
  }
}

TEST(DeviceMath, NativeExponentialOfSpecialNumbers) {
  constexpr double Inf = std::numeric_limits<double>::infinity();
  auto *Exp = HostLibdevice::getNative().function<double(double)>("__nv_exp");
  for (double X : {0.0, -0.0, Inf, -Inf, 1e300, -1e300, 708.0, -708.0, 709.7,
                   709.8, 710.0, -744.0, -745.2, -746.0, 1e-310, std::nan("")})
    EXPECT_LE(ulps<double>(Exp(X), std::exp((Wide)X)), 1) << X;
}

TEST(DeviceMath, NativeSineAndCosineAreThoseOfTwoFunctions) {
  HostLibdevice &Native = HostLibdevice::getNative();
  auto *Both = Native.function<void(float, float *, float *)>("__nv_sincosf");
  auto *Sine = Native.function<float(float)>("__nv_sinf");
  auto *Cosine = Native.function<float(float)>("__nv_cosf");
  Arguments<float> Next(-1e6, 1e6);
  for (int I = 0; I < NumArguments; ++I) {
    float X = Next(), S, C;
    Both(X, &S, &C);
    ASSERT_EQ(S, Sine(X)) << X;
    ASSERT_EQ(C, Cosine(X)) << X;
  }
}

/// Bessel functions oscillate about zero, where a relative bound cannot hold:
/// these bounds are absolute, far below CUDA's.
TEST(DeviceMath, BesselFunctionsAreAccurate) {
  struct {
    const char *Name;
    double (*Reference)(double);
    double Low;
  } Functions[] = {
      {"j0", j0, -200}, {"j1", j1, -200}, {"y0", y0, 0.01}, {"y1", y1, 0.01}};
  for (const auto &F : Functions) {
    auto *Function = HostLibdevice::get().function<double(double)>(
        std::string("__nv_") + F.Name);
    Arguments<double> Next(F.Low, 200);
    for (int I = 0; I < NumArguments; ++I) {
      double X = Next(), Expected = F.Reference(X);
      ASSERT_NEAR(Function(X), Expected, 5e-15 * (1 + std::fabs(Expected)))
          << F.Name << "(" << X << ")";
    }
  }
}

TEST(DeviceMath, BesselFunctionsOfAnyOrderAreAccurate) {
  auto *Jn = HostLibdevice::get().function<double(int, double)>("__nv_jn");
  auto *Yn = HostLibdevice::get().function<double(int, double)>("__nv_yn");
  Arguments<double> Next(0.1, 100);
  for (int I = 0; I < NumArguments; ++I) {
    int N = I % 40;
    double X = Next(), J = jn(N, X), Y = yn(N, X);
    ASSERT_NEAR(Jn(N, X), J, 2e-14) << N << ", " << X;
    if (!std::isinf(Y)) {
      ASSERT_NEAR(Yn(N, X), Y, 1e-13 * (1 + std::fabs(Y))) << N << ", " << X;
    }
  }
}

TEST(DeviceMath, ModifiedBesselFunctionsAreAccurate) {
  for (int N = 0; N < 2; ++N) {
    auto *Function = HostLibdevice::get().function<double(double)>(
        N == 0 ? "__nv_cyl_bessel_i0" : "__nv_cyl_bessel_i1");
    for (double X = 0.05; X < 200; X += 0.05) {
      double Expected = std::cyl_bessel_i((double)N, X);
      ASSERT_NEAR(Function(X) / Expected, 1.0, 1e-13) << N << ", " << X;
    }
  }
}

} // namespace
