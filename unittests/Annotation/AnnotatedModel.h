//===- AnnotatedModel.h - Annotations in model functions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_ANNOTATION_ANNOTATEDMODEL_H
#define REGSHARE_UNITTESTS_ANNOTATION_ANNOTATEDMODEL_H

#include "RandomMachineFunction.h"

#include "regshare/Base/Annotation.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

namespace regshare::test {

/// What stands in a block, in order, before its terminator.
struct ModelItem {
  enum Kind : uint8_t {
    Instr,
    Acquire,
    Release,
    Free,
    Prefetch,
    Interval,
    Dead,
    Barrier,
    WarpBarrier
  };
  Kind K = Instr;
  /// Of the model's instruction, or the interval's number.
  unsigned Index = 0;
  std::vector<unsigned> Units; ///< Freed, prefetched or dead.
};
/// The number of code that belongs to no interval.
inline constexpr unsigned NoModelInterval = ~0u;

struct AnnotatedModel {
  ModelFunction F;
  std::vector<std::vector<ModelItem>> Items; ///< By block.
  std::optional<RegMutexSplit> Split;
  std::optional<IntervalBounds> Bounds; ///< Of neither: there are frees.

  /// The split or the bounds are the first instruction of the first block; then
  /// instruction i is item i.
  std::string mir() const;
  /// The item that instruction \p Instr of block \p Block is; the terminator's
  /// is one past the last.
  unsigned itemAt(unsigned Block, unsigned Instr) const;
};

enum class ModelScheme : uint8_t { RegMutex, Frees, Intervals };

struct RandomAnnotationOptions {
  uint64_t Seed = 0;
  ModelScheme Scheme = ModelScheme::RegMutex;
  /// Percent of places that get a barrier, of the CTA or of the warp.
  unsigned Barriers = 0;
};

/// Annotates \p F: mostly where they make sense, with mistakes now and then.
/// \p Divergent: by block, whether its branch parts a warp.
AnnotatedModel annotateAtRandom(const ModelFunction &F,
                                const std::vector<bool> &Divergent,
                                const RandomAnnotationOptions &Options);

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_ANNOTATION_ANNOTATEDMODEL_H
