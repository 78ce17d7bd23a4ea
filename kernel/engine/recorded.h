#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "reports/kernel_record.h"

namespace lanediff::kernel {

/// What a program left in memory: all of GM, and of each local memory that the
/// last block has used, what it has.
using Left = std::array<std::vector<std::uint8_t>, isa::kCount<isa::Memory>>;

/// Programs of kernels that were recorded elsewhere, run one after another as
/// the launches of one process: rejected steps are skipped and reported, and
/// end nothing.
class Recorded {
 public:
  /// `record` has the settings; `settings.product` is left out: programs have
  /// one. What is found is put there at once, but for the program's name.
  explicit Recorded(RunRecord& record);
  ~Recorded();

  /// Runs the program of `c`; no step begins any more once `stop` is set, and
  /// none behind --max-errors, which `record.end` then states. The error is a
  /// line: the programs before were of another product, or started otherwise.
  std::expected<Left, std::string> Run(const Case& c,
                                       const std::atomic<bool>& stop);
  /// --poison both: bytes of GM that two runs of the last program left
  /// different.
  void ReportPoison(const std::string& kernel, std::int64_t at,
                    std::int64_t bytes, const Site& site);
  /// A call that the recorder does not support.
  void Refuse(const Refusal& refusal);

  /// Findings so far, how often they were met counted.
  std::uint64_t Found() const;
  /// " behind launch 0, after kernel.py:24", of where it is; empty before the
  /// first program.
  std::string Place() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace lanediff::kernel
