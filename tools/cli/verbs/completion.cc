#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/cli/options.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs.h"
#include "tools/cli/version.h"

namespace lanediff::cli {
namespace {

struct CompletionOptions {
  std::string shell;
  std::vector<std::string> words;  ///< typed so far
};

}  // namespace

void AddCompletion(CommandLine& line) {
  const auto options = std::make_shared<CompletionOptions>();
  Verb& verb = line.Add(
      "completion", "print what makes a shell complete these words",
      [options, &line] {
        fmt::print("{}", options->shell == "man" ? ManPage(line, kVersion)
                         : options->shell == "words"
                             ? Completions(line, options->words)
                             : CompletionScript(options->shell));
        return static_cast<int>(kAgree);
      });
  verb.Add("SHELL", options->shell,
           "bash, zsh or fish; man for the page of the manual; words: what may "
           "stand in place of the last word behind --")
      .Required()
      .OneOf({"bash", "zsh", "fish", "man", "words"});
  verb.rest = &options->words;
  verb.Docs("command-line.md", {{"completion bash"}, {"completion man"}});
}

}  // namespace lanediff::cli
