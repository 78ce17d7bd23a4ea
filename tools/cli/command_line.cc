#include "tools/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

#include "tools/cli/common.h"

namespace lanediff::cli {
namespace {

/// The file that two of a verb's reports would go to; empty if they are apart.
std::string NamedTwice(const CLI::App& verb) {
  std::set<std::string> files;
  for (const char* option : {"--json", "--junit", "--sarif"}) {
    const auto* const given = verb.get_option_no_throw(option);
    if (given == nullptr || given->get_items_expected_max() == 0) continue;
    for (const std::string& file : given->results()) {
      const bool regular = !std::filesystem::exists(file) ||
                           std::filesystem::is_regular_file(file);
      if (regular && !files.insert(file).second) return file;
    }
  }
  return "";
}

/// Checks that an option is a number from `least` to `most`.
template <class T>
CLI::Validator IsWithin(T least, T most) {
  const auto check = [=](const std::string& text) -> std::string {
    T value{};
    // CLI11 takes -1, and what is too large, for the largest number; and what
    // compares with nothing, as NaN does, is not within.
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error == std::errc{} && end == last && value >= least &&
        value <= most) {
      return "";
    }
    return fmt::format("\"{}\" is no number from {} to {}", text, least, most);
  };
  return CLI::Validator(check, fmt::format("{} to {}", least, most));
}

/// The words that `OneOf` allows: CLI11 only keeps them in the help text,
/// "TEXT:{these,words}".
std::vector<std::string> WordsOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find(":{");
  if (begin == std::string::npos || type.back() != '}') return {};
  const std::size_t first = begin + 2;
  return CLI::detail::split(type.substr(first, type.size() - first - 1), ',');
}

Parameter ParameterOf(const CLI::Option& option) {
  Parameter p;
  p.is_argument = option.get_positional();
  for (const std::string& name : option.get_snames())
    p.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    p.names.push_back("--" + name);
  if (p.is_argument) p.names = {option.get_single_name()};
  p.takes_value = !p.is_argument && option.get_items_expected_max() > 0;
  p.words = WordsOf(option);
  const std::string type = option.get_type_name();
  p.value = type.substr(0, type.find(':'));
  p.help = option.get_description();
  return p;
}

}  // namespace

template <class T>
Option<T>& Option<T>::Required() {
  option_->required();
  return *this;
}

template <class T>
Option<T>& Option<T>::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

template <class T>
Option<T>& Option<T>::Within(T least, T most)
  requires std::is_arithmetic_v<T>
{
  option_->check(IsWithin(least, most));
  return *this;
}

template <class T>
Option<T>& Option<T>::OneOf(std::vector<std::string> words) {
  option_->check(CLI::IsMember(std::move(words)));
  return *this;
}

template <class T>
Option<T>& Option<T>::ParsedBy(
    std::function<std::expected<std::string, std::string>(const std::string&)>
        parse)
  requires std::is_same_v<T, std::string>
{
  option_->transform(CLI::Validator(
      [parse = std::move(parse)](std::string& text) {
        auto parsed = parse(text);
        if (!parsed) return parsed.error();
        text = *std::move(parsed);
        return std::string();
      },
      ""));
  return *this;
}

template <class T>
Option<T>& Option<T>::NotEmpty(std::string allowed) {
  option_->check([allowed = std::move(allowed)](const std::string& text) {
    return text.empty() ? "is empty; " + allowed + " is allowed" : "";
  });
  return *this;
}

template <class T>
Option<T>& Option<T>::ByCommas() {
  option_->delimiter(',')->allow_extra_args(false);
  return *this;
}

template <class T>
Option<T>& Option<T>::Each() {
  option_->allow_extra_args(false);
  return *this;
}

template <class T>
Option<T>& Option<T>::Called(const char* value) {
  option_->type_name(value);
  return *this;
}

template <class T>
Option<T>& Option<T>::Hidden() {
  option_->group("");
  return *this;
}

void Verb::Footer(const std::string& text) { app_->footer(text); }

template <class T>
Option<T> Verb::Add(const char* name, T& into, const char* help) {
  return Option<T>(app_->add_option(name, into, help));
}

void Verb::Flag(const char* name, bool& into, const char* help) {
  app_->add_flag(name, into, help);
}

void Verb::Excludes(const char* name, const char* other) {
  app_->get_option(name)->excludes(app_->get_option(other));
}

// All kinds of values that options have.
template class Option<std::string>;
template class Option<std::vector<std::string>>;
template class Option<std::int64_t>;
template class Option<std::uint64_t>;
template class Option<double>;
template Option<std::string> Verb::Add(const char*, std::string&, const char*);
template Option<std::vector<std::string>> Verb::Add(const char*,
                                                    std::vector<std::string>&,
                                                    const char*);
template Option<std::int64_t> Verb::Add(const char*, std::int64_t&,
                                        const char*);
template Option<std::uint64_t> Verb::Add(const char*, std::uint64_t&,
                                         const char*);
template Option<double> Verb::Add(const char*, double&, const char*);

CommandLine::CommandLine(std::string program, const std::string& version,
                         const char* does)
    : program_(std::move(program)),
      app_(std::make_unique<CLI::App>(does, "lanediff")) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", "lanediff " + version);
  app_->set_help_all_flag("--help-all", "print the help of every verb");
}

CommandLine::~CommandLine() = default;

Verb CommandLine::Add(const char* name, const char* does,
                      std::function<int()> run) {
  CLI::App* const verb = app_->add_subcommand(name, does);
  verb->callback([this, run = std::move(run)] { run_ = run; });
  return Verb(verb);
}

Description CommandLine::Describe() const {
  Description d{.program = app_->get_name(),
                .does = app_->get_description(),
                .verbs = {}};
  for (const CLI::App* const verb : app_->get_subcommands({})) {
    VerbDescription& described =
        d.verbs.emplace_back(verb->get_name(), verb->get_description(),
                             verb->get_footer(), std::vector<Parameter>());
    for (const CLI::Option* const option : verb->get_options()) {
      if (option->get_group().empty()) continue;  // hidden
      described.parameters.push_back(ParameterOf(*option));
    }
  }
  return d;
}

void CommandLine::Rest(const std::string& name,
                       std::vector<std::string>& into) {
  rest_[name] = &into;
}

int CommandLine::Run(std::vector<std::string> words) {
  const bool named = !words.empty() && !words.front().starts_with('-');
  const std::string first = named ? words.front() : "";
  if (const auto rest = rest_.find(first); rest != rest_.end()) {
    const auto dashes = std::ranges::find(words, "--");
    if (dashes != words.end()) rest->second->assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  std::ranges::reverse(words);  // as CLI11 takes them
  try {
    app_->parse(std::move(words));
  } catch (const CLI::Success& success) {
    std::ostringstream help;
    app_->exit(success, help);
    std::fputs(help.str().c_str(), stdout);
    return kAgree;
  } catch (const CLI::ParseError& error) {
    if (named && app_->get_subcommands().empty()) {
      return FailUsage(fmt::format("no verb \"{}\"; --help lists them", first));
    }
    return FailUsage(std::string(error.what()) + "; see --help");
  }
  if (const std::string twice = NamedTwice(*app_->get_subcommands().front());
      !twice.empty()) {
    return FailUsage("two reports can't be one file: " + twice);
  }
  try {
    return run_();
  } catch (const Exit& exit) {
    return exit.status;
  }
}

}  // namespace lanediff::cli
