#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tools/cli/description.h"

namespace lanediff::cli {
namespace {

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

std::string Synopsis(const Description& d, const VerbDescription& verb) {
  std::string roff =
      fmt::format(".B {} {}\n[\\fIoptions\\fR]", Roff(d.program), verb.name);
  for (const Parameter& p : verb.parameters) {
    if (p.is_argument) roff += fmt::format(" \\fI{}\\fR", Roff(p.names[0]));
  }
  return roff + "\n.br\n";
}

std::string Term(const Parameter& p) {
  std::string names;
  for (const std::string& name : p.names) {
    if (!names.empty()) names += ", ";
    names += fmt::format("\\f{}{}\\fR", p.is_argument ? 'I' : 'B', Roff(name));
  }
  if (p.takes_value) names += fmt::format(" \\fI{}\\fR", Roff(p.value));
  return fmt::format(".TP\n{}\n{}\n", names, Roff(p.help));
}

}  // namespace

std::string ManPage(const Description& d, const std::string& version) {
  std::string page = fmt::format(
      ".TH LANEDIFF 1 \"\" \"lanediff {}\" \"User Commands\"\n"
      ".SH NAME\nlanediff \\- compare vector intrinsics with their documents\n"
      ".SH SYNOPSIS\n",
      Roff(version));
  for (const VerbDescription& verb : d.verbs) page += Synopsis(d, verb);
  page += ".SH DESCRIPTION\n" + Paragraphs(d.does) + ".SH VERBS\n";
  for (const VerbDescription& verb : d.verbs) {
    page += fmt::format(".SS {}\n{}.\n", verb.name, Roff(verb.does));
    for (const Parameter& p : verb.parameters) page += Term(p);
    page += Paragraphs(verb.footer);
  }
  return page;
}

}  // namespace lanediff::cli
