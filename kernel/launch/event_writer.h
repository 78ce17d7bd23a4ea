#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/engine/engine.h"
#include "kernel/launch/channel.h"

namespace lanediff::host {

/// Sends the findings of the engine and the program's end to the supervisor.
class EventWriter : public kernel::Sink {
 public:
  /// `with_stack`: with the call stack.
  EventWriter(Channel& channel, bool with_stack)
      : channel_(channel), with_stack_(with_stack) {}

  void Found(std::size_t index, kernel::Finding& finding) override;
  void Noted(std::size_t index, const kernel::Note& note) override;
  void Refused(const kernel::Refusal& refusal) override;
  void Hid(const kernel::Hidden& hidden) override;
  void FoundAgain(std::size_t index, std::uint64_t times) override;
  void NotedAgain(std::size_t index, std::uint64_t times) override;

  void Product(isa::Product product);
  /// All rows by now; those that were sent before are dropped.
  void Rows(const std::vector<kernel::SiteRow>& rows);
  void Ended(kernel::End::How how, const std::string& text);

 private:
  Channel& channel_;
  bool with_stack_;
  std::size_t findings_ = 0;
  std::size_t hidden_ = 0;
  std::set<std::pair<std::string, kernel::Site>> refused_;
};

/// Calls visit(kind, part) for each part of a record that goes as events; of a
/// list each member is one.
template <class Record, class Visit>
void ForParts(Record& record, const Visit& visit) {
  visit("settings", record.settings);
  visit("finding", record.findings);
  visit("note", record.notes);
  visit("refusal", record.refusals);
  visit("hidden", record.hidden);
  visit("row", record.sites);
  visit("counts", record.counts);
  visit("end", record.end);
}

/// Adds a piece to the record: "KIND INDEX TEXT", as `EventWriter` writes it.
/// False if it is not readable, as one of another version may be.
bool ReadEvent(kernel::RunRecord& record, std::string_view line);

kernel::End Crashed(std::string text);
/// By signal `number`; `place` ends the text.
kernel::End Killed(int number, const std::string& place);
/// The end of a run with an event that is not readable.
kernel::End Unreadable();

/// The record of the events in `channel`. The text of the end names the place
/// of the program, where it didn't end by itself; `status` is of waitpid.
kernel::RunRecord ReadEvents(const Channel& channel,
                             const kernel::Settings& settings, int status);

}  // namespace lanediff::host
