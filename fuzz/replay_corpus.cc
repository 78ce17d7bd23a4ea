// Replays cases: lanediff-replay PATH..., files and folders. Status 0 if all
// agree, 1 if one disagrees, 2 if one was not compared or there is none.
// `lanediff check` reports more; it takes longer to build.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "differential/compare/check.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_reader.h"
#include "fuzz/case_files.h"

namespace {

namespace fs = std::filesystem;

/// The status of one case.
int Replay(const fs::path& path) {
  using namespace lanediff;
  using namespace lanediff::diff;
  const auto c = ReadCaseFile(path.string());
  if (!c) {
    fmt::print("malformed {}: {}\n", path.string(), c.error());
    return 2;
  }
  const auto compared =
      CheckCase(*c, **FindTarget("emulator"), **FindTarget("oracle"));
  for (const Finding& finding : compared.findings) {
    fmt::print("disagree {}: {}\n", path.string(), finding.message);
  }
  if (!compared.findings.empty()) return 1;
  if (!compared.unsupported) return 0;
  fmt::print("unsupported {}: a side can't do a step\n", path.string());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t cases = 0;
  std::size_t bad[3] = {};
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& path : lanediff::fuzz::CasesIn(argv[i])) {
      ++cases;
      ++bad[Replay(path)];
    }
  }
  fmt::print("{} cases: {} agree, {} disagree, {} not compared\n", cases,
             bad[0], bad[1], bad[2]);
  if (bad[1] > 0) return 1;
  return bad[2] > 0 || cases == 0 ? 2 : 0;
}
