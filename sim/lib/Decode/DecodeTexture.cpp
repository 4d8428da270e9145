//===- DecodeTexture.cpp - Texture fetches --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Texture/TextureFetch.h"

namespace regshare::sim {

/// The modifiers of tex.{level,grad}.GEOMETRY.v4.TYPE.COORDINATES and of
/// tld4.COMPONENT.2d.v4.TYPE.f32.
bool FunctionDecoder::textureForm(TextureOp &Op) {
  static const std::pair<std::string_view, TextureShape> Shapes[] = {
      {"1d", TextureShape::OneD},
      {"2d", TextureShape::TwoD},
      {"3d", TextureShape::ThreeD},
      {"a1d", TextureShape::OneDLayers},
      {"a2d", TextureShape::TwoDLayers}};
  ScalarType Coordinates, Result;
  if (!takeMod("v4"))
    return fail("a texture fetch has four results: .v4");
  if (!takeType(Coordinates) || !takeType(Result))
    return false;
  bool IsFloat = Coordinates == ScalarType::F32;
  if (!IsFloat && Coordinates != ScalarType::S32)
    return fail("texture coordinates are .f32 or .s32");
  if (Result != ScalarType::F32 && Result != ScalarType::U32 &&
      Result != ScalarType::S32)
    return fail("a texture fetch delivers .f32, .u32 or .s32");
  Op.HasIndices = !IsFloat;
  constexpr std::string_view Components[] = {"r", "g", "b", "a"};
  if (S->Opcode == "tld4")
    for (unsigned K = 0; K != 4; ++K)
      if (takeMod(Components[K]))
        Op.Gather = int8_t(K);
  for (const auto &[Name, Shape] : Shapes)
    if (takeMod(Name)) {
      Op.Shape = Shape;
      bool IsGather = S->Opcode == "tld4";
      if (IsGather && (Shape != TextureShape::TwoD || Op.Gather < 0))
        return fail("tld4 names a component, r, g, b or a, of .2d");
      return true;
    }
  return fail("textures are 1D, 2D and 3D, and layers of the first two; cube "
              "maps and multisampled ones are not supported");
}

bool FunctionDecoder::textureCoordinates(const TextureOp &Op) {
  const ptx::Operand &A = op(1);
  if (A.K != ptx::Operand::Address || A.Elements.size() != 2 ||
      A.Elements[1].K != ptx::Operand::Vector || A.Value)
    return fail("a texture fetch reads [object, {coordinates}]");
  if (A.Elements[0].K != ptx::Operand::Reg)
    return fail("a texture fetch takes its object from a register: texture "
                "references went with CUDA 12");
  if (!source(A.Elements[0], ScalarType::U64, I.Ops[I.Count]))
    return false;
  bool HasLayers = Op.Shape == TextureShape::OneDLayers ||
                   Op.Shape == TextureShape::TwoDLayers;
  unsigned Wanted = Op.Shape == TextureShape::OneD         ? 1
                    : Op.Shape == TextureShape::TwoD       ? 2
                    : Op.Shape == TextureShape::OneDLayers ? 2
                                                           : 3;
  const std::vector<ptx::Operand> &Given = A.Elements[1].Elements;
  // Three are written as four, of which the last means nothing.
  if (Given.size() != Wanted && !(Wanted == 3 && Given.size() == 4))
    return fail("the texture has " + std::to_string(Wanted) + " coordinates, " +
                std::to_string(Given.size()) + " are given");
  for (unsigned K = 0; K != Wanted; ++K) {
    bool IsIndex = Op.HasIndices || (HasLayers && K == 0);
    if (!source(Given[K], IsIndex ? ScalarType::S32 : ScalarType::F32,
                I.Ops[I.Count + 1 + K]))
      return false;
  }
  I.Target = Wanted;
  return true;
}

/// Textures have one level: a level of detail and gradients are read and
/// change nothing.
bool FunctionDecoder::texture() {
  bool HasLevel = takeMod("level"), HasGradients = takeMod("grad");
  TextureOp Op;
  if (!textureForm(Op))
    return false;
  unsigned More = HasLevel ? 1 : HasGradients ? 2 : 0;
  if (!expectOps(2 + More, 2 + More))
    return false;
  I.Kind = InstKind::Memory;
  I.Unit = UnitClass::LoadStore;
  I.Where = Space::Global;
  I.Flags |= FlagTexture;
  I.IsLoad = true;
  I.Size = 4;
  I.Count = 4;
  I.Imm = Op.pack();
  zeroFrom(0);
  const ptx::Operand &D = op(0);
  if (D.K != ptx::Operand::Vector || D.Elements.size() != 4)
    return fail("a texture fetch has four results and no predicate");
  if (!textureCoordinates(Op))
    return false;
  for (unsigned N = 2; N != 2 + More; ++N) {
    uint32_t Ignored;
    if (op(N).K != ptx::Operand::Vector) {
      if (!source(op(N), ScalarType::F32, Ignored))
        return false;
      continue;
    }
    for (const ptx::Operand &E : op(N).Elements)
      if (!source(E, ScalarType::F32, Ignored))
        return false;
  }
  for (unsigned K = 0; K != 4; ++K)
    if (!dest(D.Elements[K], ScalarType::B32, I.Ops[K]))
      return false;
  return handler("tex");
}

} // namespace regshare::sim
