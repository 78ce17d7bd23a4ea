#include "fuzz/stats.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace lanediff::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point kStart = Clock::now();

double Seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

Stats& GlobalStats() {
  static Stats stats;
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
  const char* const path = std::getenv("LANEDIFF_FUZZ_STATS");
  if (path == nullptr) return;
  const std::string temporary = std::string(path) + ".tmp";
  FILE* const file = std::fopen(temporary.c_str(), "w");
  if (file == nullptr) return;
  const Stats& s = GlobalStats();
  const std::string text = fmt::format(
      "seconds {:.3f}\ncases {}\nlegal {}\nnodes {}\noperations {}\n"
      "long_repeats {}\noracle_seconds {:.3f}\n"
      "findings {}\n",
      Seconds(Clock::now() - kStart), s.cases, s.legal, s.nodes, s.operations,
      s.long_repeats, s.oracle_seconds, s.findings);
  std::fputs(text.c_str(), file);
  std::fclose(file);
  std::rename(temporary.c_str(), path);
}

}  // namespace lanediff::fuzz
