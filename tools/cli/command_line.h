#pragma once

#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/cli/description.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// The command line as verbs declare it. CLI11, which reads it, takes seconds
/// to compile: only command_line.cc includes it.
namespace lanediff::cli {

/// An option of a verb, or an argument, with values of type T: string,
/// int64_t, uint64_t, double, or a vector of strings for several.
template <class T>
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& Required();
  /// Help shows the value that its variable has now.
  Option& ShowDefault();
  /// Only a number from `least` to `most` is allowed.
  Option& Within(T least, T most)
    requires std::is_arithmetic_v<T>;
  /// Only these words are allowed.
  Option& OneOf(std::vector<std::string> words);
  /// `parse` gives what the variable becomes, or why the value is refused.
  Option& ParsedBy(
      std::function<std::expected<std::string, std::string>(const std::string&)>
          parse)
    requires std::is_same_v<T, std::string>;
  /// Something is to follow, not "".
  Option& NotEmpty(std::string allowed);
  /// Values are apart by commas, and each goes with an option of its own. Of
  /// vectors.
  Option& ByCommas();
  /// Each value goes with an option of its own. Of vectors.
  Option& Each();
  /// What help calls a value.
  Option& Called(const char* value);
  /// An older spelling: accepted, but not in help, man page or completion.
  Option& Hidden();

 private:
  CLI::Option* option_;
};

/// A subcommand.
class Verb {
 public:
  explicit Verb(CLI::App* app) : app_(app) {}

  /// The help text below the options.
  void Footer(const std::string& text);
  /// `name` is "--option", "-o" or, of an argument, "NAME". Its value goes to
  /// `into`, which stays as it is where there is none; `help` describes it.
  template <class T>
  Option<T> Add(const char* name, T& into, const char* help);
  /// `into` becomes true where it is given.
  void Flag(const char* name, bool& into, const char* help);
  /// Not the two at once; both were added.
  void Excludes(const char* name, const char* other);

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  /// `program` is the name of the call, `version` the text of --version, `does`
  /// the description in --help.
  CommandLine(std::string program, const std::string& version,
              const char* does);
  ~CommandLine();

  const std::string& program() const { return program_; }

  /// A verb, with what it `does` in a line of --help. `run` returns the exit
  /// status. Help lists verbs in the order of the calls.
  Verb Add(const char* name, const char* does, std::function<int()> run);

  /// The same with options of its own.
  template <class Options>
  std::pair<Verb, std::remove_const_t<Options>&> Add(const char* name,
                                                     const char* does,
                                                     int (*run)(Options&)) {
    const auto options = std::make_shared<std::remove_const_t<Options>>();
    return {Add(name, does, [=] { return run(*options); }), *options};
  }

  /// What follows "--" behind the verb `name` goes to `into`.
  void Rest(const std::string& name, std::vector<std::string>& into);

  /// All verbs that were added, with what they take.
  Description Describe() const;

  /// Reads `words`, which follow the program's name, and runs the verb among
  /// them. The exit status is the verb's, 0 where help or version is requested,
  /// or 2, with a line on stderr, where the words are not allowed: what a verb
  /// does not know, what is out of range, one file for two reports.
  int Run(std::vector<std::string> words);

 private:
  std::string program_;
  std::unique_ptr<CLI::App> app_;
  std::function<int()> run_;  ///< of the verb that was named
  std::map<std::string, std::vector<std::string>*> rest_;
};

}  // namespace lanediff::cli
