#pragma once

#include <string>

#include "tools/cli/testing.h"

/// For the tests of targets in processes of their own. `LANEDIFF_TARGETS` is
/// the folder of the libraries and programs of
/// differential/targets/external/testing.
namespace lanediff::cli::test {

/// Its words with spaces between them; empty if the process has ended, which it
/// may between two reads.
inline std::string CommandLine(const fs::path& process) {
  std::string words = Slurp(process / "cmdline");
  std::ranges::replace(words, '\0', ' ');
  return words;
}

/// How many processes have `text` in their command line.
inline int ProcessesWith(const std::string& text) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    count += Has(CommandLine(entry.path()), text);
  }
  return count;
}

/// How a target fails, and what is reported then.
struct Bad {
  const char* does;
  const char* kind;
  const char* words;
};

/// The name of a test with what its target does.
inline std::string NameOf(std::string does) {
  std::erase(does, '-');
  return does;
}

class OutsideTest : public ProgramTest {
 protected:
  using Cases = std::vector<std::pair<std::string, std::string>>;
  /// These in cases/, by name, and no others.
  void WriteCases(const Cases& cases) const {
    fs::remove_all(In("cases"));
    fs::create_directories(In("cases"));
    for (const auto& [name, text] : cases) {
      Spill(In("cases/" + name + ".json"), text);
    }
  }
  /// Five cases of which the third has "trigger" in its id.
  void WriteMinCases() const {
    for (const std::string name : {"a", "b", "c-trigger", "d", "e"}) {
      WriteMinCase(name);
    }
  }
  void WriteMinCase(const std::string& name) const {
    fs::create_directories(In("cases"));
    Spill(In("cases/" + name + ".json"), MinCase(name));
  }
  void WriteMinCases(const std::string& begin, int first, int count) const {
    fs::remove_all(In("cases"));
    for (int i = 0; i < count; ++i) {
      WriteMinCase(begin + std::to_string(first + i));
    }
  }
  static std::string MinCase(const std::string& id) {
    return R"({"format": "lanediff-case/1", "id": "t/)" + id +
           R"(", "product": "atlas-a2", "memory": {"UB": {"regions": [
             {"at": 0, "dtype": "int16", "values": [5, -3, 7, 100]},
             {"at": 32, "dtype": "int16", "values": [1, -30, 70, 10]}]}},
             "program": [{"op": "Min", "dtype": "int16",
               "dst": {"position": "VECOUT", "at": 64, "bytes": 32},
               "src0": {"position": "VECIN", "at": 0, "bytes": 32},
               "src1": {"position": "VECIN", "at": 32, "bytes": 32},
               "count": 16}]})";
  }

  /// The same for the plugin: the second of the steps that set something before
  /// the third's Min is the mask that triggers it. `size`: a
  /// member of its UB.
  void WritePluginCases(const std::string& size = "") const {
    WriteMinCases();
    std::string text = MinCase("c-trigger");
    const std::string program = "\"program\": [";
    text.insert(text.find(program) + program.size(),
                R"({"op": "SetVectorMask", "high": "0x0", "low": "0x1"},
                   {"op": "SetVectorMask", "high": "0x0", "low": "0xdead"},
                   {"op": "SetVectorMask", "high": "0x0", "low": "0x1"},)");
    text.insert(text.find("\"regions\""), size);
    Spill(In("cases/c-trigger.json"), text);
  }

  /// Before a command: all the time that a start or an answer may take where
  /// others use the processors. Who never answers is waited for in vain, and
  /// has an option of its own.
  static constexpr const char* kPatient =
      "LANEDIFF_TIMEOUT=60 LANEDIFF_TARGET_MEMORY=256 ";
  static std::string TimeFor(const std::string& does) {
    const std::set<std::string> never = {"hangs",
                                         "half",
                                         "spins",
                                         "stops-its-parent",
                                         "is-traced",
                                         "stops-all-above",
                                         "traces-its-parent"};
    return never.contains(does) ? "--timeout 3" : "";
  }

  /// A mark in the command line by which its processes are known.
  std::string Mark() const {
    return "--mark-" + std::to_string(getpid()) + "-";
  }

  std::string Program(const std::string& does) const {
    return "'exec:python3 " LANEDIFF_SOURCE_DIR
           "/differential/targets/external/testing/hostile.py " +
           does + " " + Mark() + "'";
  }
  Result CheckProgram(const std::string& does,
                      const std::string& more = "") const {
    return Shell(std::string(kPatient) +
                 "lanediff check cases --jobs 1 --json run.json --target " +
                 Program(does) + " " + more);
  }

  Result CheckPlugin(const std::string& does,
                     const std::string& more = "") const {
    fs::copy_file(LANEDIFF_TARGETS "/hostile_plugin.so",
                  In("hostile" + Mark() + ".so"),
                  fs::copy_options::overwrite_existing);
    return Shell(std::string(kPatient) + "LANEDIFF_TEST_DOES=" + does +
                 " lanediff check cases --jobs 1 --json run.json --target "
                 "plugin:hostile" +
                 Mark() + ".so " + more);
  }

  /// Four agree, and one shows one finding of this kind with these words.
  void ExpectOneFailure(const Result& r, const std::string& kind,
                        const std::string& words) const {
    Expect(r, 3,
           {.out = {"check: 5 cases: 4 agree, 1 disagree", "  " + kind + ": ",
                    words, "disagree cases/c-trigger.json"}});
    EXPECT_EQ(ProcessesWith(Mark()), 0);
  }
};

}  // namespace lanediff::cli::test
