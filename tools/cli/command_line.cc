#include "tools/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <system_error>

#include "differential/testcase/json.h"
#include "differential/testcase/nearest.h"
#include "tools/cli/common.h"
#include "tools/cli/progress.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The value of an option that was once a flag.
constexpr const char* kBare = "(standard output)";

/// Prints that the older spelling `old` was read.
void PrintNewName(const std::string& old, const std::string& now) {
  FailUsage("{} is now {}; the older spelling is read for one version", old,
            now);
}

/// The option `row` of `app`, under `names`.
CLI::Option* AddTo(CLI::App& app, const Option& row, const std::string& names) {
  return std::visit(
      [&]<class T>(T* into) {
        if constexpr (std::is_same_v<T, bool>) {
          return app.add_flag(names, *into, row.help);
        } else {
          return app.add_option(names, *into, row.help);
        }
      },
      row.into);
}

/// Makes each check of `row`, and that of an older spelling before them.
void AddChecks(CLI::Option& option, const Option& row,
               const Option::Check& first) {
  const auto add = [&](const Option::Check& check) {
    option.transform(CLI::Validator(check, ""));  // each before the others
  };
  for (const Option::Check& check : row.checks | std::views::reverse) {
    add(check);
  }
  if (first) add(first);
}

/// What help calls the value: its name, and what is allowed.
std::string TypeText(const Option& row) {
  const std::string type = row.ValueName();
  if (!row.words.empty()) {
    return fmt::format("{}:{{{}}}", type, fmt::join(row.words, ","));
  }
  return row.range.empty() ? type : type + ":" + row.range;
}

void AddOption(CLI::App& app, const Option& row) {
  const auto set_up = [&](CLI::Option& option) {
    if (row.by_commas) option.delimiter(',');
    if (row.by_commas || row.each) option.allow_extra_args(false);
    if (row.was_flag) option.expected(0, 1)->default_str(kBare);
  };
  CLI::Option& option =
      *AddTo(app, row, fmt::format("{}", fmt::join(row.names, ",")));
  set_up(option);
  option.required(row.required);
  if (row.shows_default) option.capture_default_str();
  if (!row.is_flag()) option.type_name(TypeText(row));
  const std::string& now = row.names.back();
  AddChecks(option, row,
            row.was_flag ? [now](std::string& value) {
              if (value == kBare) {
                PrintNewName(now + " without FILE", now + "=-");
                value = "-";
              }
              return std::string();
            } : Option::Check());
  for (const OldName& old : row.old) {
    CLI::Option& older = *AddTo(app, row, old.name);
    set_up(older);
    older.group("");  // hidden
    AddChecks(older, row, [old, now](std::string& value) {
      const auto word = old.words.find(value);
      if (word != old.words.end()) {
        PrintNewName(old.name + " " + value, now + " " + word->second);
        value = word->second;
      } else {
        PrintNewName(old.name, now);
      }
      return std::string();
    });
  }
}

void AddVerbTo(CLI::App& app, const Verb& verb, const std::string& variants) {
  CLI::App& sub = *app.add_subcommand(verb.group(), verb.does);
  sub.footer(variants + verb.HelpEnd());
  for (const Option& row : verb.options) {
    if (!row.names.back().starts_with("--help")) AddOption(sub, row);
  }
}

/// The texts that `row` was given, and what it has without.
Words GivenTo(const Option& row) {
  if (const auto* const* list = std::get_if<Words*>(&row.into)) return **list;
  const auto* const* text = std::get_if<std::string*>(&row.into);
  return text == nullptr || (**text).empty() ? Words() : Words{**text};
}

/// The file that two of a verb's reports would go to; empty if they are apart.
std::string NamedTwice(const Verb& verb) {
  std::set<std::string> files;
  for (const char* const name : {"--json", "--junit", "--sarif"}) {
    const Option* const row = verb.Find(name);
    if (row == nullptr) continue;
    for (const std::string& file : GivenTo(*row)) {
      std::error_code error;
      const bool regular =
          !fs::exists(file, error) || fs::is_regular_file(file, error);
      if (regular && !files.insert(file).second) return file;
    }
  }
  return "";
}

bool IsSource(const fs::path& path) {
  const Words endings = {".cc", ".cpp", ".cxx", ".cce", ".asc", ".py"};
  return std::ranges::count(endings, path.extension().string()) != 0;
}

bool IsMissing(const std::string& path) {
  std::error_code error;
  return fs::status(path, error).type() == fs::file_type::not_found;
}

/// Where a target's command was not one word for the shell, which one would be;
/// empty where it was. `unknown`: a word that is neither option nor file.
std::string Unquoted(const Words& words,
                     const std::function<bool(const std::string&)>& unknown) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::size_t at = words[i].find("exec:");
    const bool is_target = at == 0 || words[i].starts_with("--target=exec:");
    if (!is_target || words[i].contains(' ') || !unknown(words[i + 1])) {
      continue;
    }
    const std::string command = fmt::format("{} {}", words[i], words[i + 1]);
    return fmt::format(
        "\"{}\" behind {} is no part of the target; fix: quote the command, "
        "--target {}",
        Quote(words[i + 1], 80), words[i], ShellWord(command.substr(at)));
  }
  return "";
}

/// Why a file that was named is not what `verb` takes; empty if all are. One
/// that is not there beside others is the verb's to report.
std::string WrongFile(const Verb& verb, const Words& words) {
  if (const std::string twice = NamedTwice(verb); !twice.empty()) {
    return "two reports can't be one file: " + twice;
  }
  for (const Option& row : verb.options) {
    if (row.files == FileKind::kNone) continue;
    const Words paths = GivenTo(row);
    const std::string unquoted = Unquoted(words, [&](const std::string& word) {
      return std::ranges::count(paths, word) != 0 && IsMissing(word);
    });
    if (!unquoted.empty()) return unquoted;
    for (const std::string& path : paths) {
      if (IsMissing(path)) continue;
      const char* other = nullptr;
      if (row.files == FileKind::kCases && IsSource(path)) other = "run";
      if (row.files == FileKind::kSources && path.ends_with(".json")) {
        other = "test";
      }
      if (other == nullptr) continue;
      return fmt::format(
          "{}: is {}, which {} does not take; fix: lanediff {} {}", path,
          row.files == FileKind::kCases ? "a kernel's source" : "a case",
          verb.name, other, ShellWord(path));
    }
    if (!paths.empty() && std::ranges::all_of(paths, IsMissing)) {
      return paths.front() + ": not found";
    }
  }
  return "";
}

/// The value of the option `name` among `words`; nothing where it is not there.
std::optional<std::string> ValueOf(const Words& words,
                                   const std::string& name) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name) return i + 1 < words.size() ? words[i + 1] : "";
    if (words[i].starts_with(name + "=")) {
      return words[i].substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

/// "help", "version" and "man" as verbs.
Words AsOptions(Words words) {
  if (words.empty()) return words;
  if (words[0] == "version") words[0] = "--version";
  if (words[0] == "man") return {"completion", "man"};
  if (words[0] == "help") {
    std::ranges::rotate(words, words.begin() + 1);
    words.back() = "--help";
  }
  return words;
}

}  // namespace

Verb& CommandLine::Add(std::string name, std::string does,
                       std::function<int()> run) {
  static bool help = false;  // CLI11 prints it
  Verb& verb = verbs_.emplace_back(
      Verb{std::move(name), std::move(does), std::move(run)});
  verb.Add("-h,--help", help, "print this help and exit");
  verb.Add("--help-all", help, "print the help of every verb");
  return verb;
}

namespace {

/// Removes the words that select the variant `verb` from `words`, which begin
/// with its group; false where they are not all there.
bool TakeSelection(const Verb& verb, Words& words) {
  Words left = words;
  auto [name, value] = verb.selector();
  if (!name.starts_with('-')) {
    if (left.size() < 2 || left[1] != name) return false;
    left.erase(left.begin() + 1);
  } else {
    const auto end = std::ranges::find(left, "--");
    auto at = std::find(left.begin(), end, name);
    if (at == end && !value.empty()) {
      at = std::find(left.begin(), end, name + "=" + value);
      value.clear();
    }
    if (at == end) return false;
    if (!value.empty() && (at + 1 == end || *(at + 1) != value)) return false;
    left.erase(at, at + (value.empty() ? 1 : 2));
  }
  words = std::move(left);
  return true;
}

}  // namespace

const Verb* CommandLine::Select(Words& words) const {
  if (words.empty()) return nullptr;
  for (const Verb& verb : verbs_) {
    if (verb.older.empty() || verb.older != words[0]) continue;
    words[0] = verb.group();
    if (verb.is_variant()) return &verb;
    break;
  }
  const Verb* found = nullptr;
  for (const Verb& verb : verbs_) {
    if (verb.group() != words[0]) continue;
    if (!verb.is_variant()) {
      found = &verb;
    } else if (TakeSelection(verb, words)) {
      return &verb;
    }
  }
  return found;
}

std::vector<const Verb*> CommandLine::VariantsOf(const Verb& verb) const {
  std::vector<const Verb*> variants;
  for (const Verb& other : verbs_) {
    if (other.is_variant() && other.group() == verb.name) {
      variants.push_back(&other);
    }
  }
  return variants;
}

std::string CommandLine::Footer() const {
  Words older;
  for (const Verb& verb : verbs_) {
    if (verb.older.empty()) continue;
    older.push_back(fmt::format("{} ({})", verb.older, verb.name));
  }
  Verb all;
  all.footer = fmt::format(
      "Also: lanediff help [VERB], lanediff version, lanediff man.\n\nOlder "
      "names: {}.",
      fmt::join(older, ", "));
  all.Docs(
      "command-line.md",
      {{"help test"}, {"explain corpus/min/count-129-halves-accepted.json"}});
  return all.HelpEnd();
}

std::string CommandLine::Unexpected(const Verb& verb, const std::string& typed,
                                    const Words& words,
                                    const Words& extra) const {
  Words names;  // that select a variant
  for (const Verb* const variant : VariantsOf(verb)) {
    const auto [name, value] = variant->selector();
    const auto found = ValueOf(words, name);
    if (!value.empty() && verb.Find(name) == nullptr && found) {
      return fmt::format("{} {}: expected {}, found \"{}\"{}", typed, name,
                         value, Quote(*found, 80), DidYouMean(*found, {value}));
    }
    names.push_back(name);
  }
  if (extra.empty()) {  // a word in place of one that selects a variant
    return words.size() > 1 ? DidYouMean(words[1], {names.begin(), names.end()})
                            : "";
  }
  const std::string& word = extra.front();
  if (!word.starts_with('-')) {
    return fmt::format("{}: \"{}\" is one argument too many", typed,
                       Quote(word, 80));
  }
  for (const Option& row : verb.options) {
    if (row.is_argument()) continue;
    names.insert(names.end(), row.names.begin(), row.names.end());
  }
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("{} has no option \"{}\"{}", typed, Quote(name, 80),
                     DidYouMean(name, {names.begin(), names.end()}));
}

int CommandLine::Run(std::vector<std::string> words) {
  words = AsOptions(std::move(words));
  const bool named = !words.empty() && !words.front().starts_with('-');
  std::string typed = named ? words.front() : "";
  const Verb* const verb = named ? Select(words) : nullptr;
  if (verb != nullptr && verb->older != typed) typed = verb->name;
  if (named && verb == nullptr) {
    std::vector<std::string_view> names = {"help", "version", "man"};
    for (const Verb& one : verbs_) {
      if (!one.is_variant()) names.push_back(one.name);
      if (!one.older.empty()) names.push_back(one.older);
    }
    return FailUsage("no verb \"{}\"{}; lanediff help lists them",
                     Quote(typed, 80), DidYouMean(typed, names));
  }
  if (named && verb->rest != nullptr) {
    const auto dashes = std::ranges::find(words, "--");
    if (dashes != words.end()) verb->rest->assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  CLI::App app(does_, "lanediff");
  app.require_subcommand(1);
  app.set_version_flag("--version", "lanediff " + version_);
  app.set_help_all_flag("--help-all", "print the help of every verb");
  app.footer(Footer());
  for (const Verb& one : verbs_) {
    if (named ? &one != verb : one.is_variant()) continue;
    std::string variants;
    for (const Verb* const variant : VariantsOf(one)) {
      variants +=
          fmt::format("lanediff {}: {}\n", variant->name, variant->does);
    }
    AddVerbTo(app, one, variants.empty() ? "" : variants + "\n");
  }
  try {
    app.parse(Words(words.rbegin(), words.rend()));  // as CLI11 takes them
  } catch (const CLI::Success& success) {
    std::ostringstream help;
    app.exit(success, help);
    std::string text = help.str();
    if (named && verb->is_variant()) {  // CLI11 knows only the group
      const std::string usage = "lanediff " + verb->group();
      const std::size_t at = text.find(usage);
      if (at != std::string::npos) {
        text.replace(at, usage.size(), "lanediff " + verb->name);
      }
    }
    std::fputs(text.c_str(), stdout);
    return kAgree;
  } catch (const CLI::ParseError& error) {
    std::string wrong = error.what();
    const Words extra = app.remaining(true);
    if (named && extra.empty()) wrong += Unexpected(*verb, typed, words, extra);
    if (named && !extra.empty()) {
      wrong = Unquoted(words, [&](const std::string& word) {
        return std::ranges::count(extra, word) != 0;
      });
      if (wrong.empty()) wrong = Unexpected(*verb, typed, words, extra);
    }
    return FailUsage("{}; see lanediff {}--help", wrong,
                     named ? typed + " " : "");
  }
  if (verb == nullptr) return kUsage;  // not without a word
  const std::string wrong = WrongFile(*verb, words);
  if (!wrong.empty()) return FailUsage(wrong);
  const Watch watch("lanediff " + typed);
  try {
    return verb->run();
  } catch (const Exit& exit) {
    return exit.status;
  }
}

}  // namespace lanediff::cli
