//===- resized-pictures.cpp - What NV12toBGRandResize should write --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: resized-pictures FILE WIDTH HEIGHT NEW-WIDTH NEW-HEIGHT
///
/// Reads a picture in the format NV12: a plane of luma, then pairs of chroma
/// for two by two pixels each. Writes it smaller as planes of blue, green and
/// red: once resized to the nearest texel and then converted, once converted
/// and then resized with a linear filter, which takes the planes for one
/// picture.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace {

struct Size {
  int Width, Height;
};

using Planes = std::vector<float>;

} // namespace

/// \p Data has 3/2 times as many bytes as pixels.
static Planes toPlanes(const std::vector<uint8_t> &Data, Size S) {
  // Blue, green and red of luma and of both chromas (ITU-R BT.601).
  const float Of[3][2] = {{2.0172f, 0}, {-0.3918f, -0.8130f}, {0, 1.5960f}};
  Planes Result;
  for (const auto &Factors : Of)
    for (int Y = 0; Y != S.Height; ++Y)
      for (int X = 0; X != S.Width; ++X) {
        size_t Chroma =
            size_t(S.Height + Y / 2) * size_t(S.Width) + size_t(X / 2 * 2);
        float Value = 1.1644f * Data[size_t(Y) * size_t(S.Width) + size_t(X)] +
                      Factors[0] * (float(Data[Chroma]) - 128) +
                      Factors[1] * (float(Data[Chroma + 1]) - 128);
        Result.push_back(std::clamp(Value, 0.0f, 255.0f));
      }
  return Result;
}

static std::vector<uint8_t> nearest(const std::vector<uint8_t> &Data, Size From,
                                    Size To) {
  float ScaleX = float(From.Width) / float(To.Width);
  float ScaleY = float(From.Height) / float(To.Height);
  std::vector<uint8_t> Result;
  auto At = [&](int X, int Y) {
    return Data[size_t(Y) * size_t(From.Width) + size_t(X)];
  };
  for (int Y = 0; Y != To.Height; ++Y)
    for (int X = 0; X != To.Width; ++X)
      Result.push_back(At(int(float(X) * ScaleX), int(float(Y) * ScaleY)));
  for (int Y = 0; Y != To.Height / 2; ++Y)
    for (int X = 0; X != To.Width; ++X)
      Result.push_back(At(int(float(X / 2) * ScaleX) * 2 + X % 2,
                          int(float(To.Height + Y) * ScaleY)));
  return Result;
}

static Planes linear(const Planes &Data, Size From, Size To) {
  float ScaleX = float(From.Width) / float(To.Width);
  float ScaleY = float(From.Height) / float(To.Height);
  auto At = [&](int X, int Y) {
    X = std::clamp(X, 0, From.Width - 1);
    Y = std::clamp(Y, 0, 3 * From.Height - 1);
    return Data[size_t(Y) * size_t(From.Width) + size_t(X)];
  };
  Planes Result;
  for (int Plane = 0; Plane != 3; ++Plane)
    for (int Row = 0; Row != To.Height; ++Row)
      for (int Column = 0; Column != To.Width; ++Column) {
        float X = float(Column) * ScaleX - 0.5f;
        float Y = float(Plane * From.Height) + float(Row) * ScaleY - 0.5f;
        int Left = int(std::floor(X)), Top = int(std::floor(Y));
        float Right = X - float(Left), Bottom = Y - float(Top);
        float Above = At(Left, Top) * (1 - Right) + At(Left + 1, Top) * Right;
        float Below =
            At(Left, Top + 1) * (1 - Right) + At(Left + 1, Top + 1) * Right;
        Result.push_back(Above * (1 - Bottom) + Below * Bottom);
      }
  return Result;
}

static bool write(const std::string &Folder, const char *Name, Size S,
                  const Planes &Data) {
  mkdir("output", 0777);
  mkdir(("output/" + Folder).c_str(), 0777);
  std::string Path = "output/" + Folder + "/" + Name + "_" +
                     std::to_string(S.Width) + "x" + std::to_string(S.Height) +
                     "_1.raw";
  std::FILE *Out = std::fopen(Path.c_str(), "wb");
  if (!Out)
    return false;
  size_t Count = std::fwrite(Data.data(), sizeof(float), Data.size(), Out);
  return std::fclose(Out) == 0 && Count == Data.size();
}

int main(int Argc, char **Argv) {
  if (Argc != 6)
    return 1;
  Size From = {std::atoi(Argv[2]), std::atoi(Argv[3])};
  Size To = {std::atoi(Argv[4]), std::atoi(Argv[5])};
  std::vector<uint8_t> Data(size_t(From.Width) * size_t(From.Height) * 3 / 2);
  std::FILE *In = std::fopen(Argv[1], "rb");
  if (!In || std::fread(Data.data(), 1, Data.size(), In) != Data.size())
    return 1;
  std::fclose(In);
  bool Written =
      write("t1", "converted_bgr", To, toPlanes(nearest(Data, From, To), To)) &&
      write("t2", "resized_bgr", To, linear(toPlanes(Data, From), From, To));
  return Written ? 0 : 1;
}
