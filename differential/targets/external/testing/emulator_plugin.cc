// Our own emulator as a plugin: what anybody's would be.

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "differential/targets/external/testing/from_plugin_step.h"
#include "emulator/emulator.h"
#include "lanediff/plugin.h"
#ifdef LANEDIFF_MUTANT
#include "emulator/mutants/mutant.h"
#endif

namespace {

using namespace lanediff;
using Status = isa::StepResult::Status;

/// What is at work: of a library of mutants, the one that a variable names.
const emulator::Seams& TheSeams() {
#ifdef LANEDIFF_MUTANT
  const char* const name = std::getenv("LANEDIFF_TEST_MUTANT");
  return mutants::FindMutant(name == nullptr ? "" : name)->seams;
#else
  return emulator::FastestSeams();
#endif
}

struct Session {
  explicit Session(const lanediff_machine& machine)
      : emulator({static_cast<isa::Product>(machine.product),
                  static_cast<isa::Edition>(machine.edition)},
                 MemoriesOf(machine), TheSeams()) {
    emulator.MakeSpaceFor(64);
  }

  static isa::Memories MemoriesOf(const lanediff_machine& machine) {
    isa::Memories memories;
    for (int m = 0; m < LANEDIFF_MEMORIES; ++m) {
      memories[static_cast<isa::Memory>(m)] = {machine.memory[m].bytes,
                                               machine.memory[m].size};
    }
    return memories;
  }

  /// Ids of the catalogue end with their constants, so that texts have an end.
  const char* const* Texts(const isa::RuleSet& rules) {
    texts.clear();
    pointers.clear();
    for (isa::RuleId rule : rules) texts.emplace_back(rule.text());
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    return pointers.data();
  }

  emulator::Emulator emulator;
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
};

void* Open(const lanediff_machine* machine) { return new Session(*machine); }

lanediff_status Execute(void* handle, const lanediff_step* step,
                        lanediff_answer* answer) {
  auto& session = *static_cast<Session*>(handle);
  const auto ours = diff::test::FromPluginStep(*step);
  if (!ours) return LANEDIFF_UNSUPPORTED;
  const isa::StepResult result = session.emulator.Execute(*ours);
  if (result.status == Status::kUnsupported) return LANEDIFF_UNSUPPORTED;
  if (result.status == Status::kRejected) {
    answer->rules = session.Texts(result.rules);
    answer->rule_count = result.rules.size();
    return LANEDIFF_REJECTED;
  }
  answer->notes = session.Texts(result.notes);
  answer->note_count = result.notes.size();
  return LANEDIFF_EXECUTED;
}

void Close(void* handle) { delete static_cast<Session*>(handle); }

constexpr lanediff_plugin kPlugin = {
    LANEDIFF_PLUGIN_ABI_VERSION,
    sizeof(lanediff_plugin),
    "lanediff's emulator",
    "1",
    R"({"legality": "rules", "notes": true})",
    Open,
    Execute,
    Close,
    LANEDIFF_PLUGIN_THREADS | LANEDIFF_PLUGIN_CALLS};

}  // namespace

#ifdef LANEDIFF_HOSTILE
extern "C" const lanediff_plugin* lanediff_emulator_plugin_get(void) {
  return &kPlugin;
}
#else
extern "C" LANEDIFF_PLUGIN_EXPORT const lanediff_plugin* lanediff_plugin_get(
    void) {
  return &kPlugin;
}
#endif
