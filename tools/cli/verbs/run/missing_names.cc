#include "tools/cli/verbs/run/missing_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

namespace lanediff::cli {
namespace {

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

}  // namespace

std::vector<std::string> MissingNames(std::string_view compiler,
                                      std::string_view headers) {
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

}  // namespace lanediff::cli
