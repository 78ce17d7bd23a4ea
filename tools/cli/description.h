#pragma once

#include <string>
#include <vector>

/// What a command line takes, as data: for the man page and for shells.
namespace lanediff::cli {

/// An option, a flag or an argument of a verb.
struct Parameter {
  std::vector<std::string> names;  ///< "-o", "--jobs"; of an argument "PATH"
  bool is_argument = false;
  bool takes_value = false;        ///< of an option: it is no flag
  std::string value;               ///< what help calls its value, as "FILE"
  std::vector<std::string> words;  ///< all that are allowed, where listed
  std::string help;
};

struct VerbDescription {
  std::string name;
  std::string does;
  std::string footer;  ///< help below the options; may be empty
  std::vector<Parameter> parameters;
};

struct Description {
  std::string program;
  std::string does;  ///< paragraphs
  std::vector<VerbDescription> verbs;
};

/// A page of the manual, section 1, in roff. `version` is what it is of.
std::string ManPage(const Description& description, const std::string& version);

/// What makes a shell complete verbs, options and their words; files elsewhere.
std::string BashCompletion(const Description& description);
std::string ZshCompletion(const Description& description);
std::string FishCompletion(const Description& description);

}  // namespace lanediff::cli
