// Runs every verb that reads a case, and every page of one, on cases and on
// damaged copies of them; built with sanitizers:
//
//   lanediff-exercise OUT COPIES SEED PATH...
//
// OUT is a new folder, COPIES how many damaged copies of each case of PATH...
// are tried, which SEED chooses. Status 0 if each verb came back with a status
// of its own and, of what is malformed, one line; else 1, and OUT keeps the
// document. The documents of a seed are the same each time.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "tools/cli/command_line.h"
#include "tools/cli/common.h"
#include "tools/cli/exercise/damage.h"
#include "tools/cli/verbs.h"

namespace {

namespace fs = std::filesystem;
using namespace lanediff;  // NOLINT: a program of its own

/// What a process may take for cases that do little each, under sanitizers.
constexpr std::int64_t kMostBytes = std::int64_t{1500} << 20;
/// The status of a process that has reported an error; sanitizers use 1.
constexpr int kWrong = 42;

class Outputs {
 public:
  explicit Outputs(const fs::path& folder)
      : out_(folder / "stdout"), err_(folder / "stderr") {
    Redirect(1, out_);
    Redirect(2, err_);
  }
  /// Empties them but for `head` on stderr: what a sanitizer writes before it
  /// ends the process stands below it.
  void Begin(const std::string& head) {
    fflush(nullptr);
    for (const int file : {1, 2}) {
      if (ftruncate(file, 0) != 0) std::abort();
    }
    fmt::print(stderr, "{}", head);
    fflush(stderr);
    head_ = head.size();
  }
  /// What was written since then.
  std::pair<std::string, std::string> Take() {
    fflush(nullptr);
    return {ReadFile(out_.string()).value_or(""),
            ReadFile(err_.string()).value_or("").substr(head_)};
  }

 private:
  static void Redirect(int file, const fs::path& path) {
    const int to =
        open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_APPEND, 0644);
    if (to < 0 || dup2(to, file) < 0) std::abort();
    close(to);
  }

  fs::path out_;
  fs::path err_;
  std::size_t head_ = 0;
};

struct Verb {
  std::string name;
  std::function<int(const std::string& path)> run;
};

int Run(cli::AddVerb& add, const std::vector<std::string>& words) {
  cli::CommandLine line("lanediff-exercise", "", "");
  add(line);
  return line.Run(words);
}

int CheckHtml(const std::string& path, const std::string& target,
              const fs::path& left) {
  return Run(cli::AddTest,
             {"check", path, "--target", target, "--jobs", "1", "--json",
              left / "check.json", "--junit", left / "check.xml", "--sarif",
              left / "check.sarif", "--html", left / "page"});
}

/// The verbs, leaving what they leave in `left`.
std::vector<Verb> VerbsIn(const fs::path& left) {
  using Path = const std::string&;
  const std::string outcomes = left / "outcomes";
  return {
      {"check --html", [=](Path p) { return CheckHtml(p, "emulator", left); }},
      {"exec",
       [](Path p) {
         return Run(cli::AddExec, {"exec", p});
       }},
      {"exec --out",
       [=](Path p) {
         return Run(cli::AddExec,
                    {"exec", p, "--target", "oracle", "--out", outcomes});
       }},
      {"check --target recorded",
       [=](Path p) {
         fs::create_directories(outcomes);
         return CheckHtml(p, "recorded:" + outcomes, left);
       }},
      {"explain --html",
       [=](Path p) {
         return Run(cli::AddExplain,
                    {"explain", p, "--all", "--html", left / "case"});
       }},
      {"export",
       [](Path p) {
         return Run(cli::AddExport, {"export", p});
       }},
      {"export -o",
       [=](Path p) {
         return Run(cli::AddExport, {"export", p, "-o", left / "snippet.cc"});
       }},
      {"convert to a case",
       [=](Path p) {
         return Run(cli::AddConvert, {"convert", p, "-o", left / "case.json"});
       }},
      {"convert to bytes",
       [=](Path p) {
         return Run(cli::AddConvert, {"convert", p, "-o", left / "case.bin"});
       }},
  };
}

bool IsOneLine(std::string_view text) {
  return !text.empty() && text.back() == '\n' && text.size() < 2000 &&
         std::ranges::count_if(text, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         }) == 1;
}

/// What is wrong with how `verb` took the document in `path`; empty if nothing.
std::string Wrong(const Verb& verb, const std::string& path, bool malformed,
                  Outputs& outputs) {
  int status = 0;
  try {
    status = verb.run(path);
  } catch (const std::exception& e) {
    return fmt::format("threw {}", e.what());
  }
  const auto [out, err] = outputs.Take();
  if (status < 0 || status > 3) return fmt::format("status {}", status);
  if (!malformed) return "";
  if (status != 2) return fmt::format("malformed, but status {}", status);
  // With several cases in a run the line is among the results.
  const std::string_view line =
      out.empty() ? std::string_view(err)
                  : std::string_view(out).substr(0, out.find('\n') + 1);
  if (IsOneLine(line)) return "";
  return "not in one line: " + (out + err).substr(0, 3000);
}

/// Tries every verb on `text`; false, with a message to `terminal`, if one
/// goes wrong.
bool Exercise(const std::string& name, const std::string& text,
              const fs::path& folder, Outputs& outputs, FILE* terminal) {
  const fs::path left = folder / "left";
  fs::remove_all(left);
  fs::create_directories(left);
  const std::string path = (folder / "document.json").string();
  if (!WriteFile(path, text)) std::abort();
  const bool malformed = !ReadCaseFile(path);
  for (const Verb& verb : VerbsIn(left)) {
    outputs.Begin(fmt::format("{} {}, which is {}\n", verb.name, path, name));
    const std::string wrong = Wrong(verb, path, malformed, outputs);
    if (wrong.empty()) continue;
    fmt::print(terminal, "{} {}, which is {}: {}\n", verb.name, path, name,
               wrong);
    return false;
  }
  return true;
}

/// Every `parts`-th case from `part` on; the status of the process.
int ExercisePart(const std::vector<cli::CasePath>& paths, std::size_t part,
                 std::size_t parts, std::uint64_t copies, std::uint64_t seed,
                 const fs::path& out, FILE* terminal) {
  const fs::path folder = out / fmt::format("{}", part);
  fs::create_directories(folder);
  Outputs outputs(folder);
  bool good = true;
  for (std::size_t i = part; good && i < paths.size(); i += parts) {
    const auto text = ReadFile(paths[i].path);
    if (!text) {
      fmt::print(terminal, "{}: {}\n", paths[i].path, text.error());
      return kWrong;
    }
    good = Exercise(paths[i].path, *text, folder, outputs, terminal);
    for (std::uint64_t n = 0; good && n < copies; ++n) {
      std::mt19937_64 random(seed + i * 1000 + n);
      good = Exercise(fmt::format("copy {} of {}", n, paths[i].path),
                      cli::Damaged(*text, random), folder, outputs, terminal);
    }
  }
  if (!good) return kWrong;
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss * std::int64_t{1024} > kMostBytes) {
    fmt::print(terminal, "a process had {} MiB; at most {} are allowed\n",
               usage.ru_maxrss / 1024, kMostBytes >> 20);
    return kWrong;
  }
  fs::remove_all(folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    return cli::FailUsage(
        "lanediff-exercise OUT COPIES SEED PATH... is allowed");
  }
  const fs::path out = argv[1];
  if (!cli::MakeNewFolder(out.string())) return 2;
  const std::uint64_t copies = std::stoull(argv[2]);
  const std::uint64_t seed = std::stoull(argv[3]);
  const auto paths = cli::FindCases({argv + 4, argv + argc});
  const std::size_t parts = cli::JobsOf(0);
  std::vector<pid_t> children;
  for (std::size_t part = 0; part < parts; ++part) {
    children.push_back(fork());
    if (children.back() == 0) {
      FILE* const terminal = fdopen(dup(1), "w");
      const int status =
          ExercisePart(paths, part, parts, copies, seed, out, terminal);
      fclose(terminal);
      _exit(status);
    }
  }
  int failed = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    int status = 0;
    waitpid(children[part], &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    ++failed;
    if (WIFEXITED(status) && WEXITSTATUS(status) == kWrong) continue;
    const auto text = ReadFile((out / fmt::format("{}/stderr", part)).string());
    fmt::print("{}\n", text.value_or("a process ended and left nothing"));
  }
  fmt::print("exercise: {} cases and {} damaged copies of each: {}\n",
             paths.size(), copies, failed == 0 ? "nothing wrong" : "wrong");
  return failed == 0 ? 0 : 1;
}
