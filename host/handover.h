#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "kernel/record.h"

/// How `lanediff run` gets the records of the programs that a run starts, of
/// which a script may start several.
namespace lanediff::host {

/// Names the file that they write to.
inline constexpr const char* kHandoverVariable = "LANEDIFF_HANDOVER";

/// The side of a process that watches over a program.
class Handover {
 public:
  /// Nothing where no run waits for a record.
  static std::optional<Handover> Begin();
  /// How many programs of the run began before this one.
  std::size_t before() const { return before_; }
  void Write(const kernel::RunRecord& record) const;
  /// In the process of the program, which has no part in it.
  void Close();

 private:
  Handover() = default;
  int file_ = -1;
  std::size_t before_ = 0;
};

/// The side of the run.
class HandedOver {
 public:
  /// Makes the file and names it in the environment; false if it can't be made.
  bool Begin();
  /// The processes that watch over the programs, from the first one on.
  std::vector<pid_t> Watchers() const;
  /// All in one record, of `settings`; how the worst one ended. Nothing where
  /// no program uses the library.
  std::optional<kernel::RunRecord> Record(
      const kernel::Settings& settings) const;

 private:
  std::string Text() const;
  int file_ = -1;
};

}  // namespace lanediff::host
