#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "isa/vocabulary.h"
#include "tools/cli/description.h"
#include "tools/cli/options.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs.h"
#include "tools/cli/version.h"

namespace lanediff::cli {

/// The formats of the description of the command line.
enum class Reader : std::uint8_t { kBash, kZsh, kFish, kMan };

}  // namespace lanediff::cli

template <>
struct lanediff::isa::Words<lanediff::cli::Reader> {
  static constexpr std::string_view kWhat = "shell";
  static constexpr std::array<std::string_view, 4> kSpelling = {"bash", "zsh",
                                                                "fish", "man"};
};

namespace lanediff::cli {
namespace {

std::string TextFor(Reader reader, const Description& description) {
  switch (reader) {
    case Reader::kBash:
      return BashCompletion(description);
    case Reader::kZsh:
      return ZshCompletion(description);
    case Reader::kFish:
      return FishCompletion(description);
    case Reader::kMan:
      return ManPage(description, kVersion);
  }
  return "";
}

}  // namespace

void AddCompletion(CommandLine& line) {
  const auto shell = std::make_shared<std::string>();
  Verb verb = line.Add(
      "completion", "print what makes a shell complete these words",
      [shell, &line] {
        fmt::print("{}", TextFor(*isa::Parse<Reader>(*shell), line.Describe()));
        return static_cast<int>(kAgree);
      });
  verb.Add("SHELL", *shell, "bash, zsh or fish; man for the page of the manual")
      .Required()
      .OneOf(AllWords<Reader>());
}

}  // namespace lanediff::cli
