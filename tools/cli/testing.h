#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// For the tests that run the real program. `LANEDIFF_PROGRAM` is its path,
/// `LANEDIFF_SOURCE_DIR` the root of this tree.
namespace lanediff::cli::test {

namespace fs = std::filesystem;

inline std::string Slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void Spill(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string CorpusFile(const std::string& name) {
  return LANEDIFF_SOURCE_DIR "/corpus/repeat_reduce_sum/" + name;
}

inline bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Shell: waits until the run `$pid`, a job in the background, is at work. A
/// shell has such a job ignore SIGINT; where it is caught, the run watches for
/// signals, and 0.6 s of its processor time later it has done something.
inline constexpr const char* kUntilBusy =
    "used() { cut -d' ' -f14 /proc/$pid/stat; }; "
    "until grep -qs '^SigCgt:.*[2367abef]$' /proc/$pid/status; do "
    "kill -0 $pid || exit 99; done; from=$(used); "
    "while [ $(($(used) - from)) -lt 60 ]; do "
    "kill -0 $pid || exit 99; done; ";

struct Result {
  int status;
  std::string out;
  std::string err;
};

/// Each test has an empty folder of its own, in which the program is run.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string("lanediff-") + info->test_suite_name() + "-" +
               info->name() + "-" + std::to_string(getpid()));
    fs::create_directories(folder_ / "in");
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs a shell command in `in`; "lanediff" is the program under test. What
  /// leads git, or a campaign, elsewhere is of no effect.
  Result Shell(const std::string& command) const {
    const std::string whole =
        "cd '" + (folder_ / "in").string() + "' && PATH='" +
        fs::path(LANEDIFF_PROGRAM).parent_path().string() +
        "':\"$PATH\" && unset LANEDIFF_CAMPAIGN GIT_DIR GIT_WORK_TREE "
        "GIT_INDEX_FILE && export GIT_CONFIG_GLOBAL=/dev/null "
        "GIT_CONFIG_NOSYSTEM=1 && (" +
        command + ") >../out 2>../err </dev/null";
    const int status = std::system(whole.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            Slurp(folder_ / "out"), Slurp(folder_ / "err")};
  }
  Result Lanediff(const std::string& arguments) const {
    return Shell("lanediff " + arguments);
  }

  /// A path in the folder in which the program is run.
  fs::path In(const std::string& name) const { return folder_ / "in" / name; }

  /// A copy of the worked example with `old` replaced.
  void WriteCaseAs(const std::string& name, const std::string& old = "",
                   const std::string& now = "") const {
    std::string text = Slurp(CorpusFile("worked-saturates-at-65504-a2.json"));
    const auto at = text.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    Spill(In(name), text.replace(at, old.size(), now));
  }

 private:
  fs::path folder_;
};

}  // namespace lanediff::cli::test
