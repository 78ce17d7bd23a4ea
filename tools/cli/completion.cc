#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/command_line.h"

namespace lanediff::cli {
namespace {

std::string Replaced(std::string text, std::string_view from,
                     std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// `text` as one word of a shell that has no other way to write a quote.
std::string Quoted(const std::string& text) {
  return fmt::format("'{}'", Replaced(text, "'", "'\\''"));
}

std::string Joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// Adds to `verb` what selects its variant `other`, and the options of that.
void AddVariant(const Verb& other, Verb& verb) {
  static bool none = false;
  static std::string no_text;
  std::istringstream selection(other.name.substr(verb.name.size()));
  std::string name;
  std::string value;
  selection >> name >> value;
  if (!name.starts_with('-')) {
    const auto argument = std::ranges::find_if(
        verb.options, [](const Option& p) { return !p.words.empty(); });
    if (argument != verb.options.end()) argument->words.push_back(name);
  } else if (verb.Find(name) == nullptr) {
    Option& row = value.empty() ? verb.Add(name, none, other.does)
                                : verb.Add(name, no_text, other.does);
    if (!value.empty()) row.words = {value};
  }
  for (const Option& p : other.options) {
    if (verb.Find(p.names.back()) == nullptr) verb.options.push_back(p);
  }
}

/// Verbs as one word each: with all options of their variants, and those with
/// an older name under it, too.
std::deque<Verb> WordsOf(const CommandLine& line) {
  std::deque<Verb> verbs;
  for (const Verb& one : line.verbs()) {
    if (!one.is_variant()) {
      verbs.push_back(one);
    } else {
      AddVariant(one, *std::ranges::find(verbs, one.group(), &Verb::name));
    }
  }
  for (const Verb& one : line.verbs()) {
    if (one.older.empty()) continue;
    verbs.push_back(one);
    verbs.back().name = one.older;
  }
  return verbs;
}

std::string VerbNames(const std::deque<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  return Joined(names);
}

std::string OptionNames(const Verb& verb) {
  std::vector<std::string> names;
  for (const Option& p : verb.options) {
    if (!p.is_argument())
      names.insert(names.end(), p.names.begin(), p.names.end());
  }
  return Joined(names);
}

std::string ArgumentWords(const Verb& verb) {
  for (const Option& p : verb.options) {
    if (p.is_argument() && !p.words.empty()) return Joined(p.words);
  }
  return "";
}

std::string BashValues(const std::deque<Verb>& verbs) {
  std::string lines;
  for (const Verb& verb : verbs) {
    for (const Option& p : verb.options) {
      if (!p.takes_value()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : p.names) {
        patterns.push_back(verb.name + ":" + name);
      }
      lines += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"),
                           p.words.empty()
                               ? "COMPREPLY=($(compgen -f -- \"$word\"))"
                               : fmt::format("COMPREPLY=($(compgen -W {} -- "
                                             "\"$word\"))",
                                             Quoted(Joined(p.words))));
    }
  }
  return lines;
}

std::string ZshArgument(const Option& p) {
  const auto plain = [](std::string text) {
    for (const char* c : {"\\", "[", "]", ":"}) {
      text = Replaced(std::move(text), c, std::string("\\") + c);
    }
    return text;
  };
  const std::string values =
      p.words.empty() ? "_files" : fmt::format("({})", Joined(p.words));
  if (p.is_argument()) {
    return fmt::format(
        " \\\n        {}",
        Quoted(fmt::format("*:{}:{}", plain(p.names[0]), values)));
  }
  std::string arguments;
  for (const std::string& name : p.names) {
    std::string argument = fmt::format("*{}[{}]", name, plain(p.help));
    if (p.takes_value()) {
      argument += fmt::format(":{}:{}", plain(p.ValueName()), values);
    }
    arguments += fmt::format(" \\\n        {}", Quoted(argument));
  }
  return arguments;
}

/// fish has an escape for quotes, and for backslashes.
std::string FishQuoted(const std::string& text) {
  return fmt::format("'{}'",
                     Replaced(Replaced(text, "\\", "\\\\"), "'", "\\'"));
}

std::string FishParameter(const std::string& program, const std::string& verb,
                          const Option& p) {
  std::string line = fmt::format(
      "complete -c {} -n '__fish_seen_subcommand_from {}'", program, verb);
  if (p.is_argument()) {
    if (p.words.empty()) return "";
    return fmt::format("{} -f -a {}\n", line, FishQuoted(Joined(p.words)));
  }
  for (const std::string& name : p.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2)
                                   : " -s " + name.substr(1);
  }
  if (p.takes_value()) line += " -r";
  if (!p.words.empty()) line += " -f -a " + FishQuoted(Joined(p.words));
  return fmt::format("{} -d {}\n", line, FishQuoted(p.help));
}

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
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) roff += fmt::format(".PP\n{}\n", Roff(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
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

}  // namespace

std::string BashCompletion(const CommandLine& line) {
  const auto verbs = WordsOf(line);
  std::string text = fmt::format(
      "# bash completion of {0}\n_{0}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} "
      "before=${{COMP_WORDS[COMP_CWORD - 1]}} verb=${{COMP_WORDS[1]}}\n"
      "  local options= words=\n  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{1} --help --help-all --version' -- "
      "\"$word\"))\n    return\n  fi\n"
      "  case $verb:$before in\n{2}  esac\n  case $verb in\n",
      line.program(), VerbNames(verbs), BashValues(verbs));
  for (const Verb& verb : verbs) {
    text += fmt::format("    {}) options={} words={} ;;\n", verb.name,
                        Quoted(OptionNames(verb)), Quoted(ArgumentWords(verb)));
  }
  return text + fmt::format(
                    "  esac\n  if [[ $word == -* ]]; then\n"
                    "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                    "  elif [ -n \"$words\" ]; then\n"
                    "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                    "  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n"
                    "}}\ncomplete -o filenames -F _{0} {0}\n",
                    line.program());
}

std::string ZshCompletion(const CommandLine& line) {
  const auto verbs = WordsOf(line);
  std::string text = fmt::format(
      "#compdef {0}\n_{0}() {{\n  local -a verbs\n  verbs=(\n", line.program());
  for (const Verb& verb : verbs) {
    text += fmt::format(
        "    {}\n", Quoted(verb.name + ":" + Replaced(verb.does, ":", "\\:")));
  }
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n"
      "    return\n  fi\n  local verb=$words[2]\n  shift words\n"
      "  (( CURRENT-- ))\n  case $verb in\n";
  for (const Verb& verb : verbs) {
    text += fmt::format("    {})\n      _arguments", verb.name);
    for (const Option& p : verb.options) text += ZshArgument(p);
    text += "\n      ;;\n";
  }
  return text + fmt::format("  esac\n}}\n_{0} \"$@\"\n", line.program());
}

std::string FishCompletion(const CommandLine& line) {
  const auto verbs = WordsOf(line);
  std::string text = fmt::format("# fish completion of {}\n", line.program());
  for (const Verb& verb : verbs) {
    text +=
        fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n",
                    line.program(), verb.name, FishQuoted(verb.does));
  }
  for (const Verb& verb : verbs) {
    for (const Option& p : verb.options) {
      text += FishParameter(line.program(), verb.name, p);
    }
  }
  return text;
}

std::string ManPage(const CommandLine& line, const std::string& version) {
  std::string page = fmt::format(
      ".TH LANEDIFF 1 \"\" \"lanediff {}\" \"User Commands\"\n"
      ".SH NAME\nlanediff \\- compare vector intrinsics with their documents\n"
      ".SH SYNOPSIS\n",
      Roff(version));
  for (const Verb& verb : line.verbs()) page += Synopsis(line, verb);
  page += ".SH DESCRIPTION\n" + Paragraphs(line.does()) + ".SH VERBS\n";
  for (const Verb& verb : line.verbs()) {
    page += fmt::format(".SS {}\n{}.\n", Roff(verb.name), Roff(verb.does));
    for (const Option& p : verb.options) page += Term(p);
    page += Paragraphs(verb.HelpEnd());
  }
  return page;
}

}  // namespace lanediff::cli
