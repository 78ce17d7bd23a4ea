#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/vocabulary.h"

/// What an author of a target begins with: the files of docs/examples/targets.
namespace lanediff::cli {

enum class Language : std::uint8_t { kPython, kC, kCxx };

/// A file of docs/examples/targets, in this program.
struct EmbeddedText {
  std::string_view name;
  std::string_view text;
};

/// All of them, in the order of tools/cli/CMakeLists.txt.
std::span<const EmbeddedText> EmbeddedTexts();

/// Writes a target called `name` to the folder that it is run in, and prints
/// what to do with it. A name has letters, digits and underscores, and begins
/// with a letter. Nothing is overwritten. Returns the exit status.
int WriteSkeleton(Language language, const std::string& name);

}  // namespace lanediff::cli

template <>
struct lanediff::isa::Words<lanediff::cli::Language> {
  static constexpr std::array<std::string_view, 3> kSpelling = {"python", "c",
                                                                "c++"};
};
