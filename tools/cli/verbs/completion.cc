#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/options.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs.h"
#include "tools/cli/version.h"

namespace lanediff::cli {
namespace {

/// The formats of the description of the command line.
constexpr std::pair<const char*, std::string (*)(const CommandLine&)>
    kReaders[] = {{"bash", BashCompletion},
                  {"zsh", ZshCompletion},
                  {"fish", FishCompletion},
                  {"man", [](const CommandLine& line) {
                     return ManPage(line, kVersion);
                   }}};

}  // namespace

void AddCompletion(CommandLine& line) {
  const auto shell = std::make_shared<std::string>();
  std::vector<std::string> words;
  for (const auto& reader : kReaders) words.emplace_back(reader.first);
  Verb& verb =
      line.Add("completion", "print what makes a shell complete these words",
               [shell, &line] {
                 for (const auto& [name, text] : kReaders) {
                   if (*shell == name) fmt::print("{}", text(line));
                 }
                 return static_cast<int>(kAgree);
               });
  verb.Add("SHELL", *shell, "bash, zsh or fish; man for the page of the manual")
      .Required()
      .OneOf(std::move(words));
  verb.Docs("command-line.md", {{"completion bash"}, {"completion man"}});
}

}  // namespace lanediff::cli
