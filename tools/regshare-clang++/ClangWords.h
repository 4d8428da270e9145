//===- ClangWords.h - What clang calls nvcc's options -*- C++ -*-----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Options of nvcc's (Options.td) that have another word with clang.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_CLANGWORDS_H
#define REGSHARE_TOOLS_CLANGWORDS_H

#include "CommandLine.h"
#include "Options.h"

namespace regshare {

/// What clang calls an option of nvcc's.
struct ClangWord {
  enum Form {
    Alone,  ///< It has no value.
    Joined, ///< The value follows in the same word.
    Apart,  ///< The value is a word of its own.
    Typed,  ///< Where it is typed as clang has it, it stays; otherwise Apart.
  };
  unsigned ID;
  const char *Word;
  Form How;
  Argument::Kind For = Argument::Both;
};

inline constexpr ClangWord ClangWords[] = {
    {OPT_include_path, "-I", ClangWord::Typed},
    {OPT_library_path, "-L", ClangWord::Typed},
    {OPT_define_macro, "-D", ClangWord::Typed},
    {OPT_undefine_macro, "-U", ClangWord::Typed},
    {OPT_system_include, "-isystem", ClangWord::Typed},
    {OPT_pre_include, "-include", ClangWord::Typed},
    {OPT_optimize, "-O", ClangWord::Joined},
    {OPT_standard, "-std=", ClangWord::Joined},
    {OPT_debug, "-g", ClangWord::Alone},
    {OPT_shared, "-shared", ClangWord::Alone},
    {OPT_disable_warnings, "-w", ClangWord::Alone},
    {OPT_no_exceptions, "-fno-exceptions", ClangWord::Alone, Argument::Host},
    {OPT_profile, "-pg", ClangWord::Alone, Argument::Host},
    {OPT_m64, "-m64", ClangWord::Alone},
    // clang does these always; headers ask whether nvcc would.
    {OPT_relaxed_constexpr, "-D__CUDACC_RELAXED_CONSTEXPR__", ClangWord::Alone},
    {OPT_extended_lambda, "-D__CUDACC_EXTENDED_LAMBDA__", ClangWord::Alone},
    {OPT_no_deprecated, "-Wno-deprecated-declarations", ClangWord::Alone},
    {OPT_template_depth, "-ftemplate-depth=", ClangWord::Joined},
    {OPT_template_backtrace, "-ftemplate-backtrace-limit=", ClangWord::Joined},
    {OPT_dependencies_too, "-MD", ClangWord::Alone, Argument::Host},
    {OPT_user_dependencies_too, "-MMD", ClangWord::Alone, Argument::Host},
    {OPT_dependency_targets, "-MP", ClangWord::Alone, Argument::Host},
    {OPT_dependency_output, "-MF", ClangWord::Apart, Argument::Host},
    {OPT_dependency_name, "-MT", ClangWord::Apart, Argument::Host},
    {OPT_linker_options, "-Wl,", ClangWord::Joined, Argument::Host},
};

} // namespace regshare

#endif // REGSHARE_TOOLS_CLANGWORDS_H
