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

bool FunctionDecoder::takeTextureShape(TextureOp &Op) {
  static const std::pair<std::string_view, TextureShape> Shapes[] = {
      {"1d", TextureShape::OneD},         {"2d", TextureShape::TwoD},
      {"3d", TextureShape::ThreeD},       {"a1d", TextureShape::OneDLayers},
      {"a2d", TextureShape::TwoDLayers},  {"cube", TextureShape::Cube},
      {"acube", TextureShape::CubeLayers}};
  for (const auto &[Name, Shape] : Shapes)
    if (takeMod(Name)) {
      Op.Shape = Shape;
      return true;
    }
  return fail("textures and surfaces are 1D, 2D, 3D, layers of the first two, "
              "cubes and layers of those; multisampled ones are not supported");
}

/// The modifiers of tex.{level,grad}.GEOMETRY.v4.TYPE.COORDINATES and of
/// tld4.COMPONENT.2d.v4.TYPE.f32.
bool FunctionDecoder::textureForm(TextureOp &Op) {
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
  if (!takeTextureShape(Op))
    return false;
  if (S->Opcode == "tld4" && (Op.Shape != TextureShape::TwoD || Op.Gather < 0))
    return fail("tld4 names a component, r, g, b or a, of .2d");
  if (Op.isCube() && Op.HasIndices)
    return fail("the direction of a fetch from a cube is .f32");
  return true;
}

bool FunctionDecoder::textureCoordinates(const TextureOp &Op,
                                         const ptx::Operand &A) {
  if (A.K != ptx::Operand::Address || A.Elements.size() != 2 ||
      A.Elements[1].K != ptx::Operand::Vector || A.Value)
    return fail("a texture fetch reads [object, {coordinates}]");
  if (A.Elements[0].K != ptx::Operand::Reg)
    return fail("a texture fetch takes its object from a register: texture "
                "references went with CUDA 12");
  if (!source(A.Elements[0], ScalarType::U64, I.Ops[I.Count]))
    return false;
  unsigned Wanted = Op.numCoordinates();
  const std::vector<ptx::Operand> &Given = A.Elements[1].Elements;
  // Three are written as four, of which the last means nothing.
  if (Given.size() != Wanted && !(Wanted == 3 && Given.size() == 4))
    return fail("the texture has " + std::to_string(Wanted) + " coordinates, " +
                std::to_string(Given.size()) + " are given");
  for (unsigned K = 0; K != Wanted; ++K) {
    bool IsIndex = Op.HasIndices || (Op.hasLayers() && K == 0);
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
  if (!textureCoordinates(Op, op(1)))
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

/// suld.b.GEOMETRY{.v2,.v4}.TYPE.EDGE and sust.b with the same: bytes of a
/// surface, whatever its texels are.
bool FunctionDecoder::surface() {
  TextureOp Op{.HasIndices = true, .IsSurface = true};
  bool IsLoad = S->Opcode == "suld";
  if (!takeMod("b"))
    return fail("only surface accesses by bytes, .b, are supported");
  // Caches are coherent here.
  for (std::string_view Hint : {"ca", "cg", "cs", "cv", "wb", "wt"})
    takeMod(Hint);
  Op.Edge = takeMod("zero")    ? SurfaceEdge::Zero
            : takeMod("clamp") ? SurfaceEdge::Clamp
                               : SurfaceEdge::Trap;
  if (Op.Edge == SurfaceEdge::Trap && !takeMod("trap"))
    return fail("a surface access says .trap, .clamp or .zero");
  I.Count = takeMod("v4") ? 4 : takeMod("v2") ? 2 : 1;
  ScalarType T;
  if (!takeType(T) || !takeTextureShape(Op) || !expectOps(2, 2))
    return false;
  if (Op.isCube())
    return fail("the faces of a cube are layers of a surface: .a2d");
  I.Size = uint8_t(sizeOf(T));
  if (!I.Size || I.Size > 8 || I.Size * I.Count > 16)
    return fail("a surface access is of .b8 to .b64, at most 16 bytes");
  I.Kind = InstKind::Memory;
  I.Unit = UnitClass::LoadStore;
  I.Where = Space::Global;
  I.Flags |= FlagTexture;
  (IsLoad ? I.IsLoad : I.IsStore) = true;
  I.Imm = Op.pack();
  zeroFrom(0);
  const ptx::Operand &D = op(IsLoad ? 0 : 1);
  bool IsList = D.K == ptx::Operand::Vector;
  if ((IsList ? D.Elements.size() : 1) != I.Count)
    return fail("the vector operand does not fit the instruction");
  if (!textureCoordinates(Op, op(IsLoad ? 1 : 0)))
    return false;
  for (unsigned K = 0; K != I.Count; ++K) {
    const ptx::Operand &E = IsList ? D.Elements[K] : D;
    if (IsLoad ? !dest(E, T, I.Ops[K]) : !source(E, T, I.Ops[K]))
      return false;
  }
  return handler(IsLoad ? "suld" : "sust");
}

} // namespace regshare::sim
