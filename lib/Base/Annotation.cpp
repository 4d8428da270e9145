//===- Annotation.cpp - The annotated-PTX grammar -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Annotation.h"

#include <algorithm>
#include <charconv>

namespace regshare {

static constexpr std::string_view Prefix = "regshare.";

const std::string *Directive::find(std::string_view Key) const {
  for (const auto &[K, V] : Fields)
    if (K == Key)
      return &V;
  return nullptr;
}

std::string printPragma(const Directive &D) {
  std::string Text = ".pragma \"" + std::string(Prefix) + D.Verb;
  for (const auto &[Key, Value] : D.Fields)
    Text += " " + Key + "=" + Value;
  return Text + "\";";
}

namespace {
/// The fields of the kernel descriptor, for the printer and the parser.
struct TextField {
  const char *Key;
  std::string KernelDescriptor::*Member;
};
struct NumberField {
  const char *Key;
  unsigned KernelDescriptor::*Member;
};
} // namespace

static constexpr TextField TextFields[] = {
    {"name", &KernelDescriptor::Kernel},
    {"scheme", &KernelDescriptor::Scheme},
    {"target", &KernelDescriptor::Target},
};
static constexpr NumberField NumberFields[] = {
    {"regs", &KernelDescriptor::Regs},
    {"preds", &KernelDescriptor::Preds},
    {"peak", &KernelDescriptor::Peak},
    {"shared", &KernelDescriptor::SharedBytes},
    {"local", &KernelDescriptor::LocalBytes},
};

Directive toDirective(const KernelDescriptor &K) {
  Directive D;
  D.Verb = "kernel";
  D.Fields.emplace_back("version", std::to_string(AnnotationVersion));
  for (const TextField &F : TextFields)
    D.Fields.emplace_back(F.Key, K.*F.Member);
  for (const NumberField &F : NumberFields)
    D.Fields.emplace_back(F.Key, std::to_string(K.*F.Member));
  return D;
}

std::vector<Directive> toDirectives(const RegisterMap &Map,
                                    std::string_view Verb) {
  std::vector<Directive> Result(1);
  Result.back().Verb = Verb;
  size_t Length = Prefix.size() + Verb.size();
  for (const auto &[Name, Reg] : Map) {
    std::string Value = Reg.name();
    size_t More = Name.size() + Value.size() + 2;
    if (Length + More > MaxPragmaLength && !Result.back().Fields.empty()) {
      Result.emplace_back();
      Result.back().Verb = Verb;
      Length = Prefix.size() + Verb.size();
    }
    Result.back().Fields.emplace_back(Name, std::move(Value));
    Length += More;
  }
  return Result;
}

Result<std::optional<Directive>> parseDirective(std::string_view Text) {
  if (Text.substr(0, Prefix.size()) != Prefix)
    return std::nullopt;
  Text.remove_prefix(Prefix.size());
  Directive D;
  bool First = true;
  while (!Text.empty()) {
    size_t End = std::min(Text.find(' '), Text.size());
    std::string_view Word = Text.substr(0, End);
    Text.remove_prefix(std::min(End + 1, Text.size()));
    if (Word.empty())
      continue;
    if (First) {
      D.Verb = Word;
      First = false;
      continue;
    }
    size_t Equals = Word.find('=');
    if (Equals == 0 || Equals == Word.npos || Equals + 1 == Word.size())
      return fail("regshare." + D.Verb + ": expected key=value, found '" +
                  std::string(Word) + "'");
    if (D.find(Word.substr(0, Equals)))
      return fail("regshare." + D.Verb + ": '" +
                  std::string(Word.substr(0, Equals)) + "' is given twice");
    D.Fields.emplace_back(Word.substr(0, Equals), Word.substr(Equals + 1));
  }
  static constexpr std::string_view Verbs[] = {"kernel", "map", "temps"};
  if (std::find(std::begin(Verbs), std::end(Verbs), D.Verb) == std::end(Verbs))
    return fail("unknown annotation 'regshare." + D.Verb + "'");
  return D;
}

static Result<unsigned> parseNumber(const std::string &Key,
                                    const std::string &Text) {
  unsigned N = 0;
  auto [End, Ec] = std::from_chars(Text.data(), Text.data() + Text.size(), N);
  if (Ec != std::errc() || End != Text.data() + Text.size())
    return fail("regshare.kernel: '" + Key + "' is not a number: " + Text);
  return N;
}

Result<KernelDescriptor> parseKernelDescriptor(const Directive &D) {
  const std::string *Version = D.find("version");
  if (!Version || *Version != std::to_string(AnnotationVersion))
    return fail("regshare.kernel: version " +
                (Version ? *Version : std::string("(none)")) +
                " of the annotations; this reads version " +
                std::to_string(AnnotationVersion));
  KernelDescriptor K;
  size_t Known = 1;
  for (const TextField &F : TextFields) {
    const std::string *Value = D.find(F.Key);
    if (!Value)
      return fail(std::string("regshare.kernel: '") + F.Key + "' is missing");
    K.*F.Member = *Value;
    ++Known;
  }
  for (const NumberField &F : NumberFields) {
    const std::string *Value = D.find(F.Key);
    if (!Value)
      return fail(std::string("regshare.kernel: '") + F.Key + "' is missing");
    Result<unsigned> N = parseNumber(F.Key, *Value);
    if (!N)
      return fail(N.error());
    K.*F.Member = *N;
    ++Known;
  }
  if (Known != D.Fields.size())
    return fail("regshare.kernel: a key that version " + *Version +
                " does not have");
  return K;
}

Result<RegisterMap> parseRegisterMap(const Directive &D) {
  RegisterMap Map;
  for (const auto &[Name, Value] : D.Fields) {
    Result<ArchReg> R = ArchReg::parse(Value);
    if (!R)
      return fail("regshare." + D.Verb + ": " + Name + ": " +
                  R.error().Message);
    Map.emplace_back(Name, *R);
  }
  return Map;
}

namespace {

/// Walks a PTX text by its tokens as far as the annotations need: comments and
/// strings are skipped, braces counted, `.entry NAME` and `.pragma "…"` seen.
class AnnotationScanner {
public:
  explicit AnnotationScanner(std::string_view PTX) : Text(PTX) {}

  Result<std::vector<KernelAnnotations>> run();

private:
  void advance(size_t N);
  bool skipComment();
  std::string_view word();
  std::string_view string();
  Result<void> pragma(std::string_view Body, unsigned At);
  Result<void> apply(const Directive &D, unsigned At);
  Result<void> closeKernel(unsigned At);

  std::string_view Text;
  unsigned Line = 1;
  unsigned Depth = 0;
  std::string Entry; ///< Kernel whose body this is.
  bool HasDescriptor = false;
  KernelAnnotations Current;
  std::vector<KernelAnnotations> Kernels;
};

} // namespace

void AnnotationScanner::advance(size_t N) {
  N = std::min(N, Text.size());
  Line += std::count(Text.begin(), Text.begin() + N, '\n');
  Text.remove_prefix(N);
}

bool AnnotationScanner::skipComment() {
  if (Text.substr(0, 2) == "//") {
    advance(Text.find('\n'));
    return true;
  }
  if (Text.substr(0, 2) == "/*") {
    size_t End = Text.find("*/", 2);
    advance(End == Text.npos ? Text.size() : End + 2);
    return true;
  }
  return false;
}

std::string_view AnnotationScanner::word() {
  size_t N = 0;
  while (N < Text.size() &&
         (std::isalnum(static_cast<unsigned char>(Text[N])) ||
          std::string_view("_$.%").find(Text[N]) != std::string_view::npos))
    ++N;
  std::string_view W = Text.substr(0, N);
  advance(N);
  return W;
}

/// The inside of the string literal at hand.
std::string_view AnnotationScanner::string() {
  size_t End = 1;
  while (End < Text.size() && Text[End] != '"')
    End += Text[End] == '\\' ? 2 : 1;
  End = std::min(End, Text.size());
  std::string_view S = Text.substr(1, End - 1);
  advance(End + 1);
  return S;
}

static tl::unexpected<Diagnostic> atLine(Diagnostic D, unsigned Line) {
  D.Line = Line;
  return fail(std::move(D));
}

Result<void> AnnotationScanner::apply(const Directive &D, unsigned At) {
  if (D.Verb == "kernel") {
    Result<KernelDescriptor> K = parseKernelDescriptor(D);
    if (!K)
      return fail(K.error());
    if (HasDescriptor)
      return fail("a second regshare.kernel in '" + Entry + "'");
    if (K->Kernel != Entry)
      return fail("regshare.kernel names '" + K->Kernel + "' inside '" + Entry +
                  "'");
    HasDescriptor = true;
    Current.Descriptor = *K;
    return {};
  }
  Result<RegisterMap> Map = parseRegisterMap(D);
  if (!Map)
    return fail(Map.error());
  if (!HasDescriptor)
    return fail("regshare." + D.Verb + " before regshare.kernel");
  if (D.Verb == "temps")
    Current.InlineTemps.push_back({At, std::move(*Map)});
  else
    Current.Registers.insert(Current.Registers.end(), Map->begin(), Map->end());
  return {};
}

Result<void> AnnotationScanner::pragma(std::string_view Body, unsigned At) {
  Result<std::optional<Directive>> D = parseDirective(Body);
  if (!D)
    return atLine(D.error(), At);
  if (!*D)
    return {};
  if (Entry.empty() || Depth == 0)
    return atLine({"regshare." + (*D)->Verb + " outside of a kernel", {}, 0, 0},
                  At);
  if (Result<void> R = apply(**D, At); !R)
    return atLine(R.error(), At);
  return {};
}

/// A register has one place, and one inside the descriptor's count.
Result<void> AnnotationScanner::closeKernel(unsigned At) {
  std::vector<std::string_view> Names;
  for (const auto &[Name, Reg] : Current.Registers) {
    unsigned End = Reg.Index + std::max(1u, Reg.units());
    unsigned Have =
        Reg.isPred() ? Current.Descriptor.Preds : Current.Descriptor.Regs;
    if (End > Have)
      return atLine({"'" + Entry + "': " + Name + "=" + Reg.name() +
                         " is beyond the registers the kernel has",
                     {},
                     0,
                     0},
                    At);
    Names.push_back(Name);
  }
  std::sort(Names.begin(), Names.end());
  auto Twice = std::adjacent_find(Names.begin(), Names.end());
  if (Twice != Names.end())
    return atLine(
        {"'" + Entry + "': " + std::string(*Twice) + " is mapped twice",
         {},
         0,
         0},
        At);
  if (HasDescriptor)
    Kernels.push_back(std::move(Current));
  Current = {};
  HasDescriptor = false;
  Entry.clear();
  return {};
}

Result<std::vector<KernelAnnotations>> AnnotationScanner::run() {
  bool NameFollows = false, PragmaFollows = false;
  while (!Text.empty()) {
    if (skipComment())
      continue;
    char C = Text.front();
    unsigned At = Line;
    if (C == '"') {
      std::string_view Body = string();
      if (PragmaFollows)
        if (Result<void> R = pragma(Body, At); !R)
          return fail(R.error());
      continue;
    }
    if (std::string_view W = word(); !W.empty()) {
      if (NameFollows)
        Entry = W;
      NameFollows = W == ".entry";
      PragmaFollows = W == ".pragma";
      continue;
    }
    if (C == ';')
      PragmaFollows = false;
    if (C == '{')
      ++Depth;
    if (C == '}' && Depth && --Depth == 0 && !Entry.empty())
      if (Result<void> R = closeKernel(At); !R)
        return fail(R.error());
    advance(1);
  }
  return std::move(Kernels);
}

Result<std::vector<KernelAnnotations>> parseAnnotations(std::string_view PTX) {
  return AnnotationScanner(PTX).run();
}

} // namespace regshare
