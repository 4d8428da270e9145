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

#include <cstdlib>
#include <filesystem>
#include <set>
#include <yaml-cpp/yaml.h>

namespace fs = std::filesystem;

namespace regshare {

const std::vector<DeviceField> &deviceFields() {
  using D = DeviceDescription;
  static const std::vector<DeviceField> Fields = {
      {"sms", "streaming multiprocessors", &D::NumSMs},
      {"warp_size", "threads of a warp", &D::WarpSize},
      {"max_warps", "resident warps of an SM", &D::MaxWarps},
      {"max_threads", "resident threads of an SM", &D::MaxThreads},
      {"max_ctas", "resident CTAs of an SM", &D::MaxCTAs},
      {"max_threads_per_cta", "threads of a CTA", &D::MaxThreadsPerCTA},
      {"registers", "32-bit registers of an SM", &D::Registers},
      {"max_regs_per_thread", "registers a thread can name",
       &D::MaxRegsPerThread},
      {"regs_per_thread_unit", "registers per thread are rounded up to this",
       &D::RegsPerThreadUnit},
      {"regs_per_warp_unit", "registers of a warp are rounded up to this",
       &D::RegsPerWarpUnit},
      {"register_partitions", "parts of the register file; a warp is in one",
       &D::RegisterPartitions},
      {"shared_memory", "bytes of shared memory of an SM", &D::SharedMemory},
      {"max_shared_per_cta", "bytes of shared memory a CTA can have",
       &D::MaxSharedPerCTA},
      {"shared_unit", "bytes that shared memory of a CTA is rounded up to",
       &D::SharedUnit},
      {"shared_reserved_per_cta", "bytes the system keeps for each CTA",
       &D::SharedReservedPerCTA},
      {"core_clock_mhz", "clock of the SMs in MHz", &D::CoreClockMHz},
  };
  return Fields;
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
  long Value;
  if (!YAML::convert<long>::decode(Entry["value"], Value) || Value < 0 ||
      Value > LargestFigure)
    return at(Entry["value"].Mark(),
              Key + " is not a number that fits: " + Entry["value"].Scalar());
  D.*Field.Member = unsigned(Value);
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

/// Figures that would divide by zero, or that no SM can have together.
std::optional<FigureFault> findFault(const DeviceDescription &D) {
  using DD = DeviceDescription;
  for (const DeviceField &Field : deviceFields()) {
    bool MayBeZero = Field.Member == &DD::SharedReservedPerCTA ||
                     Field.Member == &DD::SharedMemory ||
                     Field.Member == &DD::MaxSharedPerCTA;
    if (!MayBeZero && !(D.*Field.Member))
      return FigureFault{Field.Key,
                         std::string("'") + Field.Key + "' cannot be 0"};
  }
  if (D.MaxRegsPerThread > MaxArchUnits)
    return FigureFault{"max_regs_per_thread", "a thread names at most " +
                                                  std::to_string(MaxArchUnits) +
                                                  " registers"};
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
