// Compiles kernels and runs them; what is checked, the library does that they
// are linked with.

#include "tools/cli/verbs/run/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "kernel/engine/options.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

using Words = std::vector<std::string>;

struct RunWords {
  Compilation compilation;
  std::string program;
  Words feeds;      ///< of TIK
  Words arguments;  ///< of the program, behind "--"
  /// What was given to each row of kernel::OptionRows().
  std::vector<std::string> values;
  std::vector<Words> lists;  ///< of those that may be given more than once
  std::unique_ptr<bool[]> flags;
};

/// The options in the form of LANEDIFF_OPTIONS, behind what is there.
std::string OptionsText(const RunWords& words, bool with_product) {
  std::string text;
  if (const char* const there = std::getenv("LANEDIFF_OPTIONS")) text = there;
  auto options = OrFail(kernel::ReadOptionsText(text), "LANEDIFF_OPTIONS: ");
  for (const std::string& line : options.renamed) {
    FailUsage("LANEDIFF_OPTIONS: " + line);
  }
  const auto rows = kernel::OptionRows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool product = std::string_view(rows[i].name) == "--product";
    if (product && !with_product) continue;
    Words given = words.lists[i];
    if (words.flags[i] || !words.values[i].empty()) {
      given.push_back(words.values[i]);
    }
    for (const std::string& value : given) {
      if (std::string_view(rows[i].name) == "--html") IsOldPage(value);
      OrFail(TakeOption(rows[i], value, options));
      text += fmt::format(" {}", rows[i].name);
      if (rows[i].value != nullptr) text += " " + kernel::Quoted(value);
    }
  }
  return text;
}

/// Whether a program that was built is one of the library's, so that something
/// is checked; scripts may start one.
std::string ObjectionToProgram(const std::string& path) {
  const auto bytes = ReadFile(path);
  if (!bytes) return path + ": " + bytes.error();
  if (access(path.c_str(), X_OK) != 0) return path + " is not executable";
  if (bytes->starts_with("\x7f"
                         "ELF") &&
      !bytes->contains("liblanediff_kernel")) {
    return path +
           " is not linked with liblanediff_kernel.so, nothing would be "
           "checked";
  }
  return "";
}

int RunKernels(RunWords& words) {
  Compilation& c = words.compilation;
  if (c.sources.empty() == words.program.empty()) {
    return FailUsage("expected either SOURCE or --program");
  }
  const bool script = c.sources.size() == 1 && c.sources[0].ends_with(".py");
  if (!script && !words.feeds.empty()) {
    return FailUsage("--feed is for a script of TIK; --arg feeds a kernel");
  }
  if (c.call.kernel.empty() && !c.call.arguments.empty()) {
    return FailUsage("--arg is of a kernel; --kernel names it");
  }
  const auto options = OptionsText(words, script || !words.program.empty());
  if (words.program == "-") {
    return RunPrograms(*kernel::ReadOptionsText(options));
  }
  if (!words.program.empty()) {
    const std::string objection = ObjectionToProgram(words.program);
    if (!objection.empty()) return FailUsage(objection);
    const std::string path = std::filesystem::absolute(words.program).string();
    return Execute({.path = path,
                    .sources = {},
                    .name = words.program,
                    .arguments = words.arguments,
                    .options_text = options,
                    .options = *kernel::ReadOptionsText(options)});
  }
  const auto kit = FindKit();
  if (script) {
    return RunScript({.file = c.sources[0],
                      .feeds = words.feeds,
                      .arguments = words.arguments,
                      .packages = kit.tik,
                      .options = options});
  }
  const auto rows = kernel::OptionRows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string_view name = rows[i].name;
    if (name == "--product" && !words.values[i].empty()) {
      c.product = *isa::Parse<isa::Product>(words.values[i]);
    }
    c.debug = c.debug || (name == "--stack" && words.flags[i]);
  }
  const auto program = Compile(kit, c);
  auto read = *kernel::ReadOptionsText(options);
  read.settings.product = c.product;
  return Execute({.file = program.file,
                  .path = {},
                  .sources = program.sources,
                  .name = fmt::format("{}", fmt::join(c.sources, " ")),
                  .arguments = words.arguments,
                  .options_text = options,
                  .options = std::move(read)});
}

}  // namespace

Kit FindKit() {
  std::filesystem::path prefix;
  std::error_code error;
  if (const char* const given = std::getenv("LANEDIFF_PREFIX")) {
    prefix = given;
  } else {
    prefix = std::filesystem::read_symlink("/proc/self/exe", error)
                 .parent_path()
                 .parent_path();
  }
  Kit kit{.include = (prefix / "include").string(),
          .library = "",
          .tik = (prefix / "share/lanediff/tik").string()};
  for (const char* const folder : {"lib", LANEDIFF_LIBDIR}) {
    const std::filesystem::path library =
        prefix / folder / "liblanediff_kernel.so";
    if (std::filesystem::exists(library, error)) kit.library = library.string();
  }
  if (kit.library.empty() ||
      !std::filesystem::exists(kit.include + "/lanediff/kernel_abi.h", error)) {
    Fail("{} has no {}; LANEDIFF_PREFIX names the folder that has it",
         prefix.string(),
         kit.library.empty() ? std::string("lib/liblanediff_kernel.so")
                             : "include/lanediff/kernel_abi.h");
  }
  return kit;
}

void AddCompilation(Verb& verb, Compilation& compilation) {
  verb.Add("-I DIR", compilation.include, "where includes are looked for")
      .Each();
  verb.Add("-D NAME[=VALUE]", compilation.define,
           "a macro, such as DTYPE_X=half")
      .Each();
  KernelCall& call = compilation.call;
  verb.Add("--kernel NAME", call.kernel,
           "a kernel whose sources have no main: \"f<half>\"");
  verb.Add("--blocks", call.blocks, "of how many blocks")
      .Within(1, 65535)
      .ShowDefault();
  verb.Add("--arg ARG", call.arguments,
           "its next argument: in:TYPE:COUNT:fill:V (or ramp:FROM:STEP, "
           "file:PATH), inout:… likewise, out:TYPE:COUNT (and file:PATH), "
           "TYPE:V")
      .Each();
}

void AddRun(CommandLine& line) {
  auto [verb, words] = line.Add(
      "run", "compiles kernels of Ascend C, PTO or TIK, runs and checks them",
      RunKernels);
  Compilation& c = words.compilation;
  verb.Add("SOURCE", c.sources,
           "files of C++, compiled with $CXX $CXXFLAGS, or a script of TIK")
      .Of(FileKind::kSources);
  verb.Add(
      "--program FILE", words.program,
      "run this, which is built already; -: a recorded program, from stdin");
  AddCompilation(verb, c);
  verb.Add("--feed INPUT", words.feeds,
           "of TIK, an input: NAME=FILE, NAME=ramp:FROM:STEP or NAME=fill:V")
      .Each();
  const auto rows = kernel::OptionRows();
  words.values.resize(rows.size());
  words.lists.resize(rows.size());
  words.flags = std::make_unique<bool[]>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const kernel::OptionRow& row = rows[i];
    if (row.value == nullptr) {
      verb.Add(row.name, words.flags[i], row.help);
      continue;
    }
    Option& option =
        row.several
            ? verb.Add(row.name, words.lists[i], row.help).Each()
            : verb.Add(row.name, words.values[i], row.help).NotEmpty(row.value);
    option.value = row.value;
    if (row.old != nullptr) option.Was(row.old);
    if (auto allowed = row.words(); !allowed.empty()) {
      option.OneOf(std::move(allowed));
    }
  }
  verb.rest = &words.arguments;
  verb.Docs("own-kernel.md",
            {{"run docs/examples/kernels/add.cpp"},
             {"run docs/examples/kernels/add.cpp --auto-sync both --html "
              "page"}});
  verb.footer =
      "What follows -- are arguments of the program. The options above, but "
      "for "
      "those of\ncompiling, may stand in the variable LANEDIFF_OPTIONS, too.";
}

}  // namespace lanediff::cli
