#include "differential/targets/target_kind.h"

#include <fmt/format.h>

#include "differential/targets/emulators.h"
#include "differential/targets/external/exec_target.h"
#include "differential/targets/external/plugin_target.h"
#include "differential/targets/mutants.h"
#include "differential/targets/oracle.h"
#include "differential/targets/recorded/target.h"
#include "differential/targets/registered.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {
namespace {

constexpr TargetKind kKinds[] = {
    {.prefix = "emulator",
     .usage = "",
     .description = "",
     .find = FindEmulator,
     .listed = ListedEmulators},
    {.prefix = "oracle",
     .usage = "",
     .description = "",
     .find = FindOracle,
     .listed = ListedOracles},
    {.prefix = kMutantPrefix,
     .usage = "mutant:NAME",
     .description = "the emulator with a known bug; \"lanediff list mutants\" "
                    "names them",
     .find = FindMutantTarget},
    {.prefix = kRecordedPrefix,
     .usage = "recorded:DIR",
     .description =
         "outcomes that a device, a simulator or another team had of given "
         "cases, DIR/ID.json of the case called ID; for check, exec, explain "
         "and audit",
     .find = FindRecordedTarget},
    {.prefix = kExecPrefix,
     .usage = "exec:COMMAND",
     .description = "a program that speaks lanediff-target/1; COMMAND is split "
                    "into words as a shell would",
     .find = FindExecTarget},
    {.prefix = kPluginPrefix,
     .usage = "plugin:PATH",
     .description = "a shared library with the C ABI of "
                    "lanediff/plugin.h, in a "
                    "process of its own",
     .find = FindPluginTarget},
};

}  // namespace

std::span<const TargetKind> TargetKinds() { return kKinds; }

std::vector<const Target*> ListedTargets() {
  std::vector<const Target*> all = RegisteredTargets();
  for (const TargetKind& kind : TargetKinds()) {
    if (kind.listed == nullptr) continue;
    for (const Target* target : kind.listed()) all.push_back(target);
  }
  return all;
}

std::unexpected<std::string> NoSuchTarget(std::string_view name) {
  std::vector<std::string_view> words;
  for (const Target* target : RegisteredTargets()) {
    words.push_back(target->name());
  }
  for (const TargetKind& kind : TargetKinds()) {
    if (kind.listed != nullptr) {
      for (const Target* target : kind.listed()) {
        words.push_back(target->name());
      }
    }
    if (!kind.usage.empty()) words.push_back(kind.usage);
  }
  const std::string_view last = words.back();
  words.pop_back();
  return std::unexpected(fmt::format("no target \"{}\"; {} and {} are there",
                                     Quote(name), fmt::join(words, ", "),
                                     last));
}

}  // namespace lanediff::diff
