#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What an author of a target begins with: the files of docs/examples/targets.
namespace lanediff::cli {

/// A file of docs/examples/targets, in this program.
struct EmbeddedText {
  std::string_view name;
  std::string_view text;
};

/// All of them, in the order of tools/cli/CMakeLists.txt.
std::span<const EmbeddedText> EmbeddedTexts();

/// Words of --language.
std::vector<std::string> SkeletonLanguages();

/// Writes a target called `name` to the folder that it is run in, and prints
/// what to do with it. A name has letters, digits and underscores, and begins
/// with a letter. Nothing is overwritten. Returns the exit status.
int WriteSkeleton(const std::string& language, const std::string& name);

}  // namespace lanediff::cli
