#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "reports/kernel_record.h"

/// How `lanediff run` gets the records of the programs that a run starts, of
/// which a script may start several.
namespace lanediff::host {

/// Names the file that they write to. Where a script drops its environment,
/// they find it as one of a process above them.
inline constexpr const char* kHandoverVariable = "LANEDIFF_HANDOVER";

/// Sets, for the programs that this process starts, the folder of the run.
void NameRunFolder();

/// The side of a process that watches over a program, and of a run within a
/// run.
class Handover {
 public:
  /// Nothing where no run waits for a record.
  static std::optional<Handover> Begin();
  /// Where the cases of this one go, if those of the first go to `folder`.
  std::string OwnFolder(const std::string& folder) const;
  /// `options`, a text of options, with a folder of its own for the cases of
  /// each but the first that began.
  std::string OwnOptions(const std::string& options) const;
  void Write(const kernel::RunRecord& record) const;
  /// In the process of the program, which has no part in it.
  void Close();

 private:
  Handover() = default;
  int file_ = -1;
  std::size_t before_ = 0;  ///< so many began before
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
  /// Adds all to `record`.
  void AddTo(kernel::RunRecord& record) const;

 private:
  struct Part {
    pid_t pid = 0;
    kernel::RunRecord record;
    bool complete = false;
    bool readable = true;  ///< each event of it
  };
  std::string Text() const;
  std::vector<Part> Parts() const;
  int file_ = -1;
};

}  // namespace lanediff::host
