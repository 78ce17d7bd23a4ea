#pragma once

#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// The command line as data: a table of options for each verb, of which
/// parsing, --help, completion and the manual page are made.
namespace lanediff::cli {

/// What the files of an argument are. A file that is not there ends the verb,
/// and so does one of another kind, with the verb that takes it.
enum class FileKind : std::uint8_t { kNone, kAny, kCases, kSources };

/// An older spelling: accepted with a line on stderr that states the new one,
/// and not in help, manual page or completion.
struct OldName {
  std::string name;
  std::map<std::string, std::string> words = {};  ///< its values, as of now
};

/// An option, a flag or an argument of a verb: a row of its table.
struct Option {
  using Into = std::variant<bool*, std::string*, std::int64_t*, std::uint64_t*,
                            double*, std::vector<std::string>*>;
  /// Changes the value, or returns why it is refused.
  using Check = std::function<std::string(std::string& value)>;

  std::vector<std::string> names;  ///< "-o", "--out"; of an argument "PATH"
  Into into;                       ///< keeps what it has where nothing is given
  std::string help;                ///< one sentence
  std::string value = {};          ///< what help calls it; or by type
  std::vector<std::string> words = {};  ///< all that are allowed, where listed
  std::string range = {};               ///< "0 to 1024", where there is one
  std::vector<Check> checks = {};
  std::vector<OldName> old = {};
  FileKind files = FileKind::kNone;
  bool required = false;
  bool shows_default = false;  ///< help has the value of `into`
  bool by_commas = false;      ///< one word has several values
  bool each = false;           ///< each value goes with an option of its own
  /// An older spelling had no value; it stands for "-".
  bool was_flag = false;

  bool is_argument() const { return !names[0].starts_with('-'); }
  bool is_flag() const { return std::holds_alternative<bool*>(into); }
  bool takes_value() const { return !is_argument() && !is_flag(); }
  /// What help calls the value.
  std::string ValueName() const;

  Option& Required() { return Set(&Option::required, true); }
  Option& ShowDefault() { return Set(&Option::shows_default, true); }
  Option& ByCommas() { return Set(&Option::by_commas, true); }
  Option& Each() { return Set(&Option::each, true); }
  Option& WasFlag() { return Set(&Option::was_flag, true); }
  Option& Of(FileKind kind) { return Set(&Option::files, kind); }
  Option& Was(const char* name, std::map<std::string, std::string> of = {});
  /// Only a number from `least` to `most` is allowed.
  Option& Within(long double least, long double most);
  /// Only these words are allowed.
  Option& OneOf(std::vector<std::string> allowed);
  /// `parse` gives what the variable becomes, or why the value is refused.
  Option& ParsedBy(
      std::function<std::expected<std::string, std::string>(const std::string&)>
          parse);
  /// Something is to follow, not "".
  Option& NotEmpty(const std::string& allowed);

 private:
  template <class T>
  Option& Set(T Option::* member, T now) {
    this->*member = now;
    return *this;
  }
};

/// A command that --help shows and a test runs at the root of the tree.
struct Example {
  std::string words;            ///< behind "lanediff "
  std::string not_tested = {};  ///< why the test leaves it out; empty: it runs
};

/// A subcommand, "target", or a variant of one, which a word or an option
/// selects and which has options of its own: "target run", "run --barriers",
/// "test --source random".
struct Verb {
  std::string name;
  std::string does;  ///< in a line of --help
  std::function<int()> run;
  std::string older = {};  ///< a word that is read in place of `name`
  std::string footer = {};
  std::string page = {};  ///< in docs/
  std::vector<Example> examples = {};
  std::deque<Option> options = {};
  std::vector<std::string>* rest = nullptr;  ///< gets what follows "--"

  /// `names` is "--flag", "--option VALUE", "-o,--option VALUE" or, of an
  /// argument, "NAME".
  template <class T>
  Option& Add(std::string_view names, T& into, std::string help) {
    return AddRow(names, &into, std::move(help));
  }
  /// Whether it is one of another verb.
  bool is_variant() const { return name.find(' ') != std::string::npos; }
  /// The first word of `name`.
  std::string group() const { return name.substr(0, name.find(' ')); }
  /// Of a variant the word that selects it, and the value of one that is an
  /// option with a value: "run", "--barriers", "--source" and "random".
  std::pair<std::string, std::string> selector() const;
  /// The end of --help: two examples, and where there is more.
  void Docs(std::string file, std::vector<Example> two);
  /// What --help prints below the options.
  std::string HelpEnd() const;
  /// The option of that name; null where there is none.
  const Option* Find(std::string_view option) const;

 private:
  Option& AddRow(std::string_view names, Option::Into into, std::string help);
};

class CommandLine {
 public:
  /// `program` is the name of the call, `version` the text of --version, `does`
  /// the description in --help, in paragraphs.
  CommandLine(std::string program, std::string version, std::string does)
      : program_(std::move(program)),
        version_(std::move(version)),
        does_(std::move(does)) {}

  const std::string& program() const { return program_; }
  const std::string& does() const { return does_; }
  const std::deque<Verb>& verbs() const { return verbs_; }
  /// The variants of `verb`; empty where `verb` is one.
  std::vector<const Verb*> VariantsOf(const Verb& verb) const;
  /// The verb, or variant, that `words` select, without the words that select
  /// it: its options are left. Null where there is none.
  const Verb* Select(std::vector<std::string>& words) const;

  /// A verb; `run` returns the exit status. Help lists verbs in the order of
  /// the calls.
  Verb& Add(std::string name, std::string does, std::function<int()> run);

  /// The same with values of its options.
  template <class Options>
  std::pair<Verb&, std::remove_const_t<Options>&> Add(std::string name,
                                                      std::string does,
                                                      int (*run)(Options&)) {
    const auto options = std::make_shared<std::remove_const_t<Options>>();
    return {
        Add(std::move(name), std::move(does), [=] { return run(*options); }),
        *options};
  }

  /// Reads `words`, which follow the program's name, and runs the verb among
  /// them. The exit status is the verb's, 0 where help or version is requested,
  /// or 2, with a line on stderr, where the words are not allowed: what a verb
  /// does not know, what is out of range, a file that is not there, one file
  /// for two reports.
  int Run(std::vector<std::string> words);

 private:
  std::string Footer() const;
  /// What is wrong with `words`, which `verb`, as `typed`, does not take:
  /// `extra` are those that are left over.
  std::string Unexpected(const Verb& verb, const std::string& typed,
                         const std::vector<std::string>& words,
                         const std::vector<std::string>& extra) const;

  std::string program_;
  std::string version_;
  std::string does_;
  std::deque<Verb> verbs_;
};

}  // namespace lanediff::cli
