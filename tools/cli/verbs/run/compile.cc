#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "kernel/engine/options.h"
#include "kernel/launch/supervisor.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs/run/run.h"
#include "tools/cli/work_folder.h"
#include "tools/prepare/prepare.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// The words of a variable of the environment.
Words VariableWords(const char* name, const char* otherwise) {
  const char* const text = std::getenv(name);
  return diff::SplitWords(text != nullptr && *text != 0 ? text : otherwise)
      .value_or(Words());
}

/// Blocks the signals that end a process while there is a temporary folder.
class BlockedSignals {
 public:
  BlockedSignals() : signals_(host::WatchedSignals()) {
    sigprocmask(SIG_BLOCK, &signals_, &before_);
    signal(SIGCHLD, SIG_DFL);
  }
  ~BlockedSignals() {
    if (!stay_) sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  const sigset_t& signals() const { return signals_; }
  const sigset_t& before() const { return before_; }
  /// This process ends by itself: a second signal changes nothing.
  void Stay() { stay_ = true; }

 private:
  sigset_t signals_;
  sigset_t before_;
  bool stay_ = false;
};

/// Runs compilers until a signal that would end this process, which ends them
/// and all that they started. Their temporary files lie in `folder`.
class Compilers {
 public:
  Compilers(BlockedSignals& blocked, std::string folder)
      : blocked_(blocked), folder_(std::move(folder)) {}

  diff::Spawn SpawnOf(Words words, Words variables = {}) const {
    variables.push_back("TMPDIR=" + folder_);
    return {.words = std::move(words),
            .environment = diff::EnvironmentWith(std::move(variables)),
            .blocked = blocked_.before()};
  }
  bool EndsWell(diff::Process& process) {
    const auto status =
        process.Wait(diff::kForever, [this] { return GoesOn(); });
    EndIfInterrupted();
    return status && *status == 0;
  }
  /// What it prints, in English; nothing where it ends well.
  std::string MessagesOf(Words words) {
    auto result = diff::RunToEnd(SpawnOf(std::move(words), {"LC_ALL=C"}),
                                 diff::kForever, [this] { return GoesOn(); });
    EndIfInterrupted();
    return result.status == 0 ? "" : std::move(result.output);
  }

 private:
  bool GoesOn() {
    siginfo_t info = {};
    const timespec at_once = {};
    while (!interrupted_ &&
           sigtimedwait(&blocked_.signals(), &info, &at_once) > 0) {
      struct sigaction action = {};
      sigaction(info.si_signo, nullptr, &action);
      interrupted_ = info.si_signo != SIGCHLD && info.si_signo != SIGUSR1 &&
                     info.si_signo != SIGUSR2 && action.sa_handler != SIG_IGN;
    }
    if (interrupted_) blocked_.Stay();
    return !interrupted_;
  }
  void EndIfInterrupted() const {
    if (!interrupted_) return;
    descendants_.Kill();
    Fail("interrupted while it compiles");
  }

  BlockedSignals& blocked_;
  std::string folder_;
  const diff::Descendants descendants_;
  bool interrupted_ = false;
};

/// The files that a rule of make, which a compiler wrote, names.
void AddSources(std::string_view rule, std::set<std::string>& sources) {
  std::string word;
  const auto add = [&] {
    if (!word.empty() && !word.ends_with(':')) sources.insert(word);
    word.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (rule[i] == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word += rule[++i];
    } else if (rule[i] == '\\' && next == '\n') {
      add();
    } else if (rule[i] == '$' && next == '$') {
      word += rule[++i];
    } else if (rule[i] == ' ' || rule[i] == '\n') {
      add();
    } else {
      word += rule[i];
    }
  }
  add();
}

std::string ProductMacro(isa::Product product) {
  std::string name = "-DLANEDIFF_PRODUCT_";
  for (const char c : isa::Name(product)) {
    name += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  }
  return name;
}

/// All but what is compiled, and to where.
Words Compiler(const Kit& kit, const Compilation& c) {
  Words words = VariableWords("CXX", "c++");
  words.insert(words.end(), {"-std=c++20", "-O1", ProductMacro(c.product)});
  if (c.debug) words.emplace_back("-g");
  for (const std::string& one : VariableWords("CXXFLAGS", "")) {
    words.push_back(one);
  }
  for (const std::string& one : c.include) words.push_back("-I" + one);
  for (const std::string& one : c.define) words.push_back("-D" + one);
  // Behind all of the user's: a data_utils.h of theirs comes first.
  for (const char* const part :
       {"", "/lanediff/ascendc", "/lanediff/pto", "/lanediff/acl_host"}) {
    words.insert(words.end(), {"-isystem", kit.include + part});
  }
  return words;
}

/// A source as the compiler is given it.
struct Unit {
  std::string name;  ///< of the user
  std::string text;  ///< where it lies
  std::string object;
};

/// Prepares each source; with a call to make, one program includes them all.
std::vector<Unit> Prepare(const Compilation& c, const ScratchFolder& scratch) {
  std::vector<Unit> units;
  for (std::size_t i = 0; i < c.sources.size(); ++i) {
    const std::string& source = c.sources[i];
    const auto text = OrFail(ReadFile(source), source + ": ");
    const std::string base = scratch.In(std::to_string(i));
    OrFail(WriteFile(base + ".cpp", OrFail(prepare::Prepare(text, source))));
    units.push_back({source, base + ".cpp", base + ".o"});
  }
  if (c.call.kernel.empty()) return units;
  Words texts;
  for (const Unit& unit : units) texts.push_back(unit.text);
  const std::string base = scratch.In("main");
  OrFail(WriteFile(base + ".cpp", KernelMain(c.call, texts)));
  return std::vector<Unit>{
      {fmt::format("{} with --kernel '{}'", c.sources[0], c.call.kernel),
       base + ".cpp", base + ".o"}};
}

/// The text of our headers.
std::string HeadersOf(const Kit& kit) {
  std::string text;
  std::error_code error;
  for (const char* const part : {"ascendc", "pto"}) {
    for (const auto& entry : fs::recursive_directory_iterator(
             fs::path(kit.include) / "lanediff" / part, error)) {
      if (!entry.is_regular_file(error)) continue;
      text += ReadFile(entry.path().string()).value_or("");
    }
  }
  return text;
}

Words SourceFolders(const Compilation& c) {
  Words words;
  for (const std::string& source : c.sources) {
    const std::string folder = fs::path(source).parent_path().string();
    words.push_back("-iquote" + (folder.empty() ? std::string(".") : folder));
  }
  return words;
}

/// The texts around NAME in a message on a missing one.
struct Phrase {
  std::string_view before;
  std::string_view behind;
  bool in_namespace;  ///< looked for in AscendC
};
constexpr Phrase kPhrases[] = {
    {"'", "' is not a member of 'AscendC'", true},
    {"no member named '", "' in namespace 'AscendC'", true},
    {"no type named '", "' in namespace 'AscendC'", true},
    {"no template named '", "' in namespace 'AscendC'", true},
    {"'", "' was not declared in this scope", false},
    {"'", "' does not name a t", false},
    {"use of undeclared identifier '", "'", false},
    {"unknown type name '", "'", false},
    {"no template named '", "'", false},
};

struct Missing {
  std::string_view name;
  bool in_namespace = false;
};

bool IsOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Names of the vendor begin with a capital or an underscore.
bool MayBeTheirs(std::string_view name) {
  return !name.empty() &&
         (std::isupper(static_cast<unsigned char>(name[0])) != 0 ||
          name[0] == '_');
}

std::optional<Missing> MissingIn(std::string_view message) {
  for (const Phrase& phrase : kPhrases) {
    if (!message.starts_with(phrase.before)) continue;
    const std::string_view rest = message.substr(phrase.before.size());
    std::size_t end = 0;
    while (end < rest.size() && IsOfWord(rest[end])) ++end;
    if (end == 0 || !rest.substr(end).starts_with(phrase.behind)) continue;
    return Missing{rest.substr(0, end), phrase.in_namespace};
  }
  return std::nullopt;
}

bool HasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !IsOfWord(text[at - 1])) &&
        (end == text.size() || !IsOfWord(text[end]))) {
      return true;
    }
  }
  return false;
}

std::string WhatToDo(const Missing& missing, std::string_view headers) {
  if (!missing.in_namespace && HasWord(headers, missing.name)) {
    return fmt::format(
        "{} is a name of AscendC: put AscendC:: before it; where it has "
        "template arguments, compiling as C++20 does, too",
        missing.name);
  }
  return fmt::format(
      "{} is not among the names that lanediff knows (docs/own-kernel.md, "
      "\"What "
      "compiles\"): define it from calls that are, or leave it out where "
      "ASCENDC_CPU_DEBUG is defined",
      missing.name);
}

/// What to do about names of Ascend C that a compiler (g++ or clang, in the C
/// locale) did not find: a line each, "add.cpp:24: Silu is …". `headers` is the
/// text of ours, with all known names.
Words MissingNames(std::string_view compiler, std::string_view headers) {
  constexpr std::string_view kError = ": error: ";
  std::vector<std::string> lines;
  std::set<std::string_view> printed;
  while (!compiler.empty()) {
    const std::string_view line = compiler.substr(0, compiler.find('\n'));
    compiler.remove_prefix(std::min(line.size() + 1, compiler.size()));
    const std::size_t at = line.find(kError);
    if (at == line.npos) continue;
    const auto missing = MissingIn(line.substr(at + kError.size()));
    if (!missing || !MayBeTheirs(missing->name) ||
        !printed.insert(missing->name).second) {
      continue;
    }
    // FILE:LINE:COLUMN.
    const std::string_view place = line.substr(0, line.rfind(':', at - 1));
    lines.push_back(fmt::format("{}: {}", place, WhatToDo(*missing, headers)));
  }
  return lines;
}

/// Behind the compiler's messages on a unit: compiles it again, to read them.
void PrintMissingNames(const Kit& kit, Words words, Compilers& compilers) {
  words.insert(words.end(), {"-w", "-fsyntax-only"});
  const std::string messages = compilers.MessagesOf(std::move(words));
  for (const std::string& line : MissingNames(messages, HeadersOf(kit))) {
    FailUsage(line);
  }
}

}  // namespace

Compiled Compile(const Kit& kit, const Compilation& compilation) {
  // Nothing compiles for it.
  if (compilation.product == isa::Product::kAtlas200_300_500) {
    Fail(
        "--product atlas-200-300-500 is for a script of TIK; a source of C++ "
        "is compiled for another product");
  }
  BlockedSignals blocked;
  const ScratchFolder scratch;
  if (!scratch.made()) {
    Fail("can't make a folder in " + fs::temp_directory_path().string());
  }
  Compilers compilers(blocked, scratch.path());
  const std::vector<Unit> units = Prepare(compilation, scratch);
  const Words compiler = Compiler(kit, compilation);
  if (compiler.empty() || compiler[0].starts_with('-')) {
    Fail("CXX names no compiler");
  }
  const auto compiles = [&](const Unit& unit) {
    Words words = compiler;
    for (const std::string& one : SourceFolders(compilation)) {
      words.push_back(one);
    }
    words.insert(words.end(), {"-MD", "-MF", unit.object + ".d", "-x", "c++",
                               "-c", unit.text, "-o", unit.object});
    return words;
  };
  std::vector<diff::Process> running;
  for (const Unit& unit : units) {
    auto started = diff::Process::Start(compilers.SpawnOf(compiles(unit)));
    if (!started) {
      Fail("can't run the compiler {}; the variable CXX names one",
           compiler[0]);
    }
    running.push_back(*std::move(started));
  }
  const Unit* failed = nullptr;
  for (std::size_t i = 0; i < running.size(); ++i) {
    const bool well = compilers.EndsWell(running[i]);
    if (!well && failed == nullptr) failed = &units[i];
  }
  if (failed != nullptr) {
    PrintMissingNames(kit, compiles(*failed), compilers);
    Fail(failed->name + " doesn't compile");
  }
  Words link = compiler;
  for (const Unit& unit : units) link.push_back(unit.object);
  const std::string program = scratch.In("program");
  link.insert(link.end(),
              {"-o", program, "-Wl,--no-as-needed", kit.library, "-pthread",
               "-Wl,-rpath," + fs::path(kit.library).parent_path().string()});
  auto linker = diff::Process::Start(compilers.SpawnOf(std::move(link)));
  if (!linker || !compilers.EndsWell(*linker)) {
    Fail(compilation.call.kernel.empty()
             ? "the program doesn't link; a kernel without main needs --kernel"
             : "the program doesn't link");
  }
  Compiled compiled{
      .file = open(program.c_str(), O_RDONLY | O_CLOEXEC),
      .sources = {compilation.sources.begin(), compilation.sources.end()}};
  if (compiled.file < 0) Fail("can't open the program");
  for (const Unit& unit : units) {
    AddSources(ReadFile(unit.object + ".d").value_or(""), compiled.sources);
  }
  return compiled;
}

}  // namespace lanediff::cli
