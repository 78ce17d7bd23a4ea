#include <fmt/format.h>

#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/cli/command_line.h"
#include "tools/cli/program.h"
#include "tools/cli/verbs.h"
#include "tools/cli/version.h"

namespace lanediff::cli {
namespace {

// Each script queries the program for words.
constexpr const char* kBash = R"sh(_lanediff() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("${line%%$'\t'*}")
  done < <("${COMP_WORDS[0]}" completion words -- \
    "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _lanediff lanediff
)sh";

constexpr const char* kZsh = R"sh(#compdef lanediff
_lanediff() {
  local -a lines
  lines=(${(f)"$($words[1] completion words -- \
    "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  lines=(${lines//:/\\:})
  lines=(${lines/$'\t'/:})
  if (( $#lines )); then _describe -o word lines; else _files; fi
}
_lanediff "$@"
)sh";

constexpr const char* kFish = R"sh(function __lanediff_words
  set -l words (commandline -opc) (commandline -ct)
  $words[1] completion words -- $words[2..-1] 2>/dev/null
end
complete -c lanediff -a '(__lanediff_words)'
)sh";

/// `text` as roff shows it: no command, no escape, hyphens that can be copied.
std::string Roff(std::string_view text) {
  std::string roff;
  bool starts_line = true;
  for (const char c : text) {
    if (starts_line && (c == '.' || c == '\'')) roff += "\\&";
    starts_line = c == '\n';
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else {
      roff += c;
    }
  }
  return roff;
}

/// Paragraphs of `text`, which are apart by a line's end.
std::string Paragraphs(std::string_view text) {
  std::string roff;
  for (const auto line : text | std::views::split('\n')) {
    if (line.empty()) continue;
    roff += fmt::format(".PP\n{}\n", Roff({line.begin(), line.end()}));
  }
  return roff;
}

std::string Synopsis(const CommandLine& line, const Verb& verb) {
  std::string roff = fmt::format(".B {} {}\n[\\fIoptions\\fR]",
                                 Roff(line.program()), Roff(verb.name));
  for (const Option& p : verb.options) {
    if (p.is_argument()) roff += fmt::format(" \\fI{}\\fR", Roff(p.names[0]));
  }
  return roff + "\n.br\n";
}

std::string Term(const Option& p) {
  std::string names;
  for (const std::string& name : p.names) {
    if (!names.empty()) names += ", ";
    names +=
        fmt::format("\\f{}{}\\fR", p.is_argument() ? 'I' : 'B', Roff(name));
  }
  if (p.takes_value()) names += fmt::format(" \\fI{}\\fR", Roff(p.ValueName()));
  return fmt::format(".TP\n{}\n{}\n", names, Roff(p.help));
}

std::string CompletionScript(std::string_view shell) {
  return shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish;
}

/// What may stand in place of the last of `words`, which follow the program's
/// name: a line each, with its meaning behind a tab. Nothing where a file or
/// any text may.
std::string Completions(const CommandLine& line,
                        std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const std::string typed = std::move(words.back());
  words.pop_back();
  std::string lines;
  const auto propose = [&](std::string_view word, std::string_view meaning) {
    if (!word.starts_with(typed)) return;
    lines += fmt::format("{}\t{}\n", word, meaning);
  };
  if (words.empty()) {
    for (const Verb& verb : line.verbs()) {
      if (!verb.is_variant()) propose(verb.name, verb.does);
      if (!verb.older.empty()) propose(verb.older, verb.does);
    }
    for (const char* const word : {"--help", "--help-all", "--version"}) {
      propose(word, "");
    }
    return lines;
  }
  const std::string before = words.back();
  const Verb* const verb = line.Select(words);
  if (verb == nullptr) return "";
  const auto propose_all = [&](const std::vector<std::string>& values) {
    for (const std::string& value : values) propose(value, "");
  };
  if (const Option* const row = verb->Find(before)) {
    if (!row->is_argument() && row->takes_value()) {
      propose_all(row->words);
      return lines;
    }
  }
  for (const Verb* const other : line.VariantsOf(*verb)) {
    const auto [word, value] = other->selector();
    if (before == word) {
      propose(value, other->does);
    } else if (verb->Find(word) == nullptr &&
               (word.starts_with('-') ? typed.starts_with('-')
                                      : before == verb->name)) {
      propose(word, other->does);
    }
  }
  std::set<std::string_view> proposed;
  const auto propose_options = [&](const Verb& of) {
    for (const Option& row : of.options) {
      for (const std::string& name : row.names) {
        if (!row.is_argument() && proposed.insert(name).second) {
          propose(name, row.help);
        }
      }
    }
  };
  for (const Option& row : verb->options) {
    if (row.is_argument()) propose_all(row.words);
  }
  if (typed.starts_with('-')) {
    propose_options(*verb);
    // Those of a variant may come before what selects it.
    for (const Verb* const other : line.VariantsOf(*verb)) {
      propose_options(*other);
    }
  }
  return lines;
}

/// A page of the manual, section 1, in roff.
std::string ManPage(const CommandLine& line) {
  std::string page = fmt::format(
      ".TH LANEDIFF 1 \"\" \"lanediff {}\" \"User Commands\"\n"
      ".SH NAME\nlanediff \\- compare vector intrinsics with their documents\n"
      ".SH SYNOPSIS\n",
      Roff(kVersion));
  for (const Verb& verb : line.verbs()) page += Synopsis(line, verb);
  page += ".SH DESCRIPTION\n" + Paragraphs(line.does()) + ".SH VERBS\n";
  for (const Verb& verb : line.verbs()) {
    page += fmt::format(".SS {}\n{}.\n", Roff(verb.name), Roff(verb.does));
    for (const Option& p : verb.options) page += Term(p);
    page += Paragraphs(verb.HelpEnd());
  }
  return page;
}

struct CompletionOptions {
  std::string shell;
  std::vector<std::string> words;  ///< typed so far
};

}  // namespace

void AddCompletion(CommandLine& line) {
  const auto options = std::make_shared<CompletionOptions>();
  Verb& verb =
      line.Add("completion", "print what makes a shell complete these words",
               [options, &line] {
                 fmt::print("{}", options->shell == "man" ? ManPage(line)
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
