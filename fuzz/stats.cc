#include "fuzz/stats.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "fuzz/findings.h"
#include "fuzz/guidance.h"
#include "fuzz/record.h"
#include "make/coverage/model.h"

namespace lanediff::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point kStart = Clock::now();

double Seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string PaceLines(std::string_view kind, const diff::PacePart& part) {
  return fmt::format(
      "{0}_cases {1}\n{0}_seconds {2:.6f}\n{0}_reference_seconds {3:.6f}\n"
      "{0}_target_seconds {4:.6f}\n",
      kind, part.cases, part.seconds, part.reference_seconds,
      part.target_seconds);
}

}  // namespace

Stats& GlobalStats() {
  static Stats stats;
  // What is used at exit has to be made before the exit function is known.
  make::coverage::Model::Get();
  [[maybe_unused]] static const int at_exit = std::atexit(WriteStats);
  return stats;
}

void NoteCaseDone() {
  static Clock::time_point last = kStart;
  ++GlobalStats().cases;
  const Clock::time_point now = Clock::now();
  if (now - last < std::chrono::seconds(1)) return;
  last = now;
  WriteStats();
}

void WriteStats() {
  const Stats& s = GlobalStats();
  WriteRecord(
      RecordPath(""),
      fmt::format(
          "seconds {:.3f}\ncases {}\nlegal {}\nnodes {}\noperations {}\n"
          "long_repeats {}\nfindings {}\n",
          Seconds(Clock::now() - kStart), s.cases, s.legal, s.nodes,
          s.operations, s.long_repeats, s.findings) +
          PaceLines("legal", s.pace.legal) +
          PaceLines("illegal", s.pace.illegal) +
          fmt::format("build {}\n", diff::BuildName()));
  WriteBins();
  WriteCounts();
}

}  // namespace lanediff::fuzz
