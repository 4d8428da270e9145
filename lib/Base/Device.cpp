//===- Device.cpp - What a device has -------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// yaml-cpp reports by exceptions: this file is compiled with them, and lets
/// none out.
///
//===----------------------------------------------------------------------===//

#include "DeviceFigures.h"

#include "regshare/Base/ArchReg.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <yaml-cpp/yaml.h>

namespace fs = std::filesystem;

namespace regshare {

namespace {
struct FigureRow {
  DeviceField Field;
  unsigned Min, Max;
};
} // namespace

/// The ranges go beyond any machine.
static const std::vector<FigureRow> &figureRows() {
  using D = DeviceDescription;
  static const std::vector<FigureRow> Rows = {
      {{"sms", "streaming multiprocessors", &D::NumSMs}, 1, 1024},
      {{"warp_size", "threads of a warp", &D::WarpSize}, 1, 1024},
      {{"max_warps", "resident warps of an SM", &D::MaxWarps}, 1, 1024},
      {{"max_threads", "resident threads of an SM", &D::MaxThreads},
       1,
       1 << 16},
      {{"max_ctas", "resident CTAs of an SM", &D::MaxCTAs}, 1, 1024},
      {{"max_threads_per_cta", "threads of a CTA", &D::MaxThreadsPerCTA},
       1,
       1 << 16},
      {{"registers", "32-bit registers of an SM", &D::Registers}, 1, 1 << 24},
      {{"max_regs_per_thread", "registers a thread can name",
        &D::MaxRegsPerThread},
       1,
       MaxArchUnits},
      {{"regs_per_thread_unit", "registers per thread are rounded up to this",
        &D::RegsPerThreadUnit},
       1,
       256},
      {{"regs_per_warp_unit", "registers of a warp are rounded up to this",
        &D::RegsPerWarpUnit},
       1,
       8192},
      {{"register_partitions", "parts of the register file; a warp is in one",
        &D::RegisterPartitions},
       1,
       64},
      {{"shared_memory", "bytes of shared memory of an SM", &D::SharedMemory},
       0,
       1 << 26},
      {{"max_shared_per_cta", "bytes of shared memory a CTA can have",
        &D::MaxSharedPerCTA},
       0,
       1 << 26},
      {{"shared_unit", "bytes that shared memory of a CTA is rounded up to",
        &D::SharedUnit},
       1,
       1 << 16},
      {{"shared_reserved_per_cta", "bytes the system keeps for each CTA",
        &D::SharedReservedPerCTA},
       0,
       1 << 20},
      {{"core_clock_mhz", "clock of the SMs in MHz", &D::CoreClockMHz},
       1,
       100000},
  };
  return Rows;
}

static const FigureRow *rowOf(const DeviceField &Field) {
  return &*std::ranges::find(
      figureRows(), Field.Member,
      [](const FigureRow &Row) { return Row.Field.Member; });
}

const std::vector<DeviceField> &deviceFields() {
  static const std::vector<DeviceField> Fields = [] {
    std::vector<DeviceField> All;
    for (const FigureRow &Row : figureRows())
      All.push_back(Row.Field);
    return All;
  }();
  return Fields;
}

static tl::unexpected<Diagnostic> outOfRange(const DeviceField &Field,
                                             const std::string &Found) {
  const FigureRow *Row = rowOf(Field);
  return fail("'" + std::string(Field.Key) + "' is '" + Found +
              "'; expected a whole number from " + std::to_string(Row->Min) +
              " to " + std::to_string(Row->Max) + " (" + Field.Help + ")");
}

Result<void> checkFigure(const DeviceField &Field, uint64_t Value) {
  const FigureRow *Row = rowOf(Field);
  if (Value < Row->Min || Value > Row->Max)
    return outOfRange(Field, std::to_string(Value));
  return {};
}

Result<unsigned> parseFigure(const DeviceField &Field, std::string_view Value) {
  uint64_t Number = 0;
  const char *End = Value.data() + Value.size();
  auto [Stop, Error] = std::from_chars(Value.data(), End, Number);
  if (Error != std::errc() || Stop != End)
    return outOfRange(Field, std::string(Value));
  if (Result<void> Fits = checkFigure(Field, Number); !Fits)
    return fail(Fits.error());
  return unsigned(Number);
}

namespace {

class DeviceReader {
public:
  explicit DeviceReader(std::string Path) : Path(std::move(Path)) {}

  Result<DeviceDescription> read();

private:
  tl::unexpected<Diagnostic> at(const YAML::Mark &Mark,
                                std::string Message) const {
    return fail(Diagnostic{std::move(Message), Path, unsigned(Mark.line + 1),
                           unsigned(Mark.column + 1)});
  }
  Result<void> readText(const YAML::Node &Root, const char *Key,
                        std::string &To) const;
  Result<void> readFigure(const YAML::Node &Root, const DeviceField &Field,
                          DeviceDescription &D) const;
  /// Checks that \p Entry is `{value: …, source: "…"}` and nothing more.
  Result<void> checkSourced(const YAML::Node &Entry,
                            const std::string &Key) const;
  Result<void> readCode(const YAML::Node &Root, DeviceDescription &D) const;
  Result<void> readTiming(const YAML::Node &Map, const std::string &Prefix,
                          DeviceDescription &D) const;
  Result<void> rejectUnknown(const YAML::Node &Root) const;
  Result<DeviceDescription> readRoot() const;

  std::string Path;
};

} // namespace

Result<void> DeviceReader::readText(const YAML::Node &Root, const char *Key,
                                    std::string &To) const {
  YAML::Node Value = Root[Key];
  if (!Value)
    return at(Root.Mark(), std::string("missing '") + Key + "'");
  if (!Value.IsScalar())
    return at(Value.Mark(), std::string("'") + Key + "' is not a text");
  To = Value.Scalar();
  return {};
}

Result<void> DeviceReader::checkSourced(const YAML::Node &Entry,
                                        const std::string &Key) const {
  if (!Entry.IsMap() || !Entry["value"] || !Entry["value"].IsScalar())
    return at(Entry.Mark(), Key + " needs the form {value: n, source: …}");
  if (!Entry["source"] || !Entry["source"].IsScalar() ||
      Entry["source"].Scalar().empty())
    return at(Entry.Mark(), Key + " has no source");
  if (Entry.size() != 2)
    return at(Entry.Mark(), Key + " has more than a value and a source");
  return {};
}

Result<void> DeviceReader::readFigure(const YAML::Node &Root,
                                      const DeviceField &Field,
                                      DeviceDescription &D) const {
  std::string Key = std::string("'") + Field.Key + "'";
  YAML::Node Entry = Root[Field.Key];
  if (!Entry)
    return at(Root.Mark(), "missing " + Key + " (" + Field.Help + ")");
  if (Result<void> R = checkSourced(Entry, Key); !R)
    return R;
  Result<unsigned> Value = parseFigure(Field, Entry["value"].Scalar());
  if (!Value)
    return at(Entry["value"].Mark(), Value.error().Message);
  D.*Field.Member = *Value;
  return {};
}

Result<void> DeviceReader::readCode(const YAML::Node &Root,
                                    DeviceDescription &D) const {
  YAML::Node Entry = Root["code"];
  if (!Entry)
    return {};
  if (Result<void> R = checkSourced(Entry, "'code'"); !R)
    return R;
  Result<CodeForm> Form = parseCodeForm(Entry["value"].Scalar());
  if (!Form)
    return at(Entry["value"].Mark(), Form.error().Message);
  D.Code = *Form;
  return {};
}

/// Maps down to those that have a value.
Result<void> DeviceReader::readTiming(const YAML::Node &Map,
                                      const std::string &Prefix,
                                      DeviceDescription &D) const {
  if (!Map.IsMap())
    return at(Map.Mark(), "'" + Prefix + "' is not a map of figures");
  for (const auto &Entry : Map) {
    std::string Key = Prefix + "." + Entry.first.Scalar();
    bool IsGroup = Entry.second.IsMap() && !Entry.second["value"];
    Result<void> R = IsGroup ? readTiming(Entry.second, Key, D)
                             : checkSourced(Entry.second, "'" + Key + "'");
    if (!R)
      return R;
    if (!IsGroup)
      D.Timing.push_back({Key.substr(Key.find('.') + 1),
                          Entry.second["value"].Scalar(),
                          Entry.second["source"].Scalar(),
                          unsigned(Entry.first.Mark().line + 1)});
  }
  return {};
}

Result<void> DeviceReader::rejectUnknown(const YAML::Node &Root) const {
  std::set<std::string> Known = {"name", "description", "target", "code",
                                 "timing"};
  std::set<std::string> Seen;
  for (const DeviceField &Field : deviceFields())
    Known.insert(Field.Key);
  for (const auto &Entry : Root)
    if (!Known.count(Entry.first.Scalar()))
      return at(Entry.first.Mark(),
                "unknown key '" + Entry.first.Scalar() + "'");
    else if (!Seen.insert(Entry.first.Scalar()).second)
      return at(Entry.first.Mark(),
                "'" + Entry.first.Scalar() + "' is given twice");
  return {};
}

/// Figures that no SM can have together.
std::optional<FigureFault> findFault(const DeviceDescription &D) {
  if (D.MaxSharedPerCTA > D.SharedMemory)
    return FigureFault{"max_shared_per_cta",
                       "a CTA cannot have more shared memory than the SM"};
  return std::nullopt;
}

Result<DeviceDescription> DeviceReader::readRoot() const {
  YAML::Node Root = YAML::LoadFile(Path);
  if (!Root.IsMap())
    return at(Root.Mark(), "a device is a map of its figures");
  if (Result<void> R = rejectUnknown(Root); !R)
    return fail(R.error());
  DeviceDescription D;
  D.File = Path;
  for (auto [Key, To] :
       {std::pair("name", &D.Name), std::pair("description", &D.Description),
        std::pair("target", &D.Target)})
    if (Result<void> R = readText(Root, Key, *To); !R)
      return fail(R.error());
  for (const DeviceField &Field : deviceFields())
    if (Result<void> R = readFigure(Root, Field, D); !R)
      return fail(R.error());
  if (Result<void> R = readCode(Root, D); !R)
    return fail(R.error());
  if (YAML::Node Timing = Root["timing"])
    if (Result<void> R = readTiming(Timing, "timing", D); !R)
      return fail(R.error());
  if (std::optional<FigureFault> Fault = findFault(D))
    return at(Root[Fault->Key].Mark(), Fault->Message);
  return D;
}

Result<DeviceDescription> DeviceReader::read() {
  try {
    return readRoot();
  } catch (const YAML::BadFile &) {
    return fail(Diagnostic{"cannot read the device", Path, 0, 0});
  } catch (const YAML::Exception &E) {
    return at(E.mark, E.msg);
  } catch (const std::exception &E) {
    return fail(Diagnostic{E.what(), Path, 0, 0});
  }
}

/// Directories that may hold configs, the first to look in first.
static std::vector<fs::path> configDirectories() {
  std::vector<fs::path> Dirs;
  if (const char *Env = std::getenv("REGSHARE_CONFIG_PATH"))
    Dirs.emplace_back(Env);
  std::error_code EC;
  fs::path Self = fs::read_symlink("/proc/self/exe", EC);
  if (!EC)
    Dirs.push_back(Self.parent_path().parent_path() / "share" / "regshare" /
                   "configs");
  Dirs.emplace_back(REGSHARE_SOURCE_CONFIG_DIR);
  Dirs.emplace_back(REGSHARE_INSTALL_CONFIG_DIR);
  return Dirs;
}

std::vector<std::string> knownDevices() {
  std::set<std::string> Names;
  for (const fs::path &Dir : configDirectories()) {
    std::error_code EC;
    for (fs::directory_iterator File(Dir, EC), End; !EC && File != End;
         File.increment(EC))
      if (File->path().extension() == ".yaml")
        Names.insert(File->path().stem().string());
  }
  return {Names.begin(), Names.end()};
}

static Result<DeviceDescription> loadUnchanged(const std::string &Name) {
  if (fs::path(Name).extension() == ".yaml")
    return DeviceReader(Name).read();
  for (const fs::path &Dir : configDirectories()) {
    fs::path File = Dir / (Name + ".yaml");
    std::error_code EC;
    if (!Name.empty() && fs::exists(File, EC))
      return DeviceReader(File.string()).read();
  }
  std::string Known;
  for (const std::string &Device : knownDevices())
    Known += (Known.empty() ? "" : ", ") + Device;
  return fail("unknown device '" + Name + "'; known: " + Known);
}

Result<DeviceDescription> loadDevice(std::string_view NameOrPath) {
  size_t Comma = NameOrPath.find(',');
  Result<DeviceDescription> D =
      loadUnchanged(std::string(NameOrPath.substr(0, Comma)));
  if (!D || Comma == std::string_view::npos)
    return D;
  if (Result<void> R = changeFigures(*D, NameOrPath.substr(Comma + 1)); !R)
    return fail(std::string(NameOrPath) + ": " + R.error().Message);
  return D;
}

} // namespace regshare
