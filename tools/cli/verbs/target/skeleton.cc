#include "tools/cli/verbs/target/skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>
#include <vector>

#include "differential/testcase/json.h"
#include "tools/cli/common.h"
#include "tools/cli/status.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

/// With what the example's names begin.
constexpr std::string_view kExample = "model";

bool IsName(std::string_view text) {
  const auto is_word = [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
  };
  return !text.empty() && text.size() <= 64 &&
         std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, is_word);
}

std::string TextOf(std::string_view file) {
  for (const EmbeddedText& text : EmbeddedTexts()) {
    if (text.name.ends_with(file)) return std::string(text.text);
  }
  return "";
}

bool IsWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// `text` with `name` for the example's own.
std::string Renamed(const std::string& text, const std::string& name) {
  std::string renamed;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !IsWordChar(text[at - 1]) ||
                        text.substr(0, at).ends_with("lib");
    const std::size_t end = at + kExample.size();
    if (begins && text.compare(at, kExample.size(), kExample) == 0 &&
        (end == text.size() ||
         !std::isalnum(static_cast<unsigned char>(text[end])))) {
      renamed += name;
      at = end;
    } else {
      renamed += text[at++];
    }
  }
  return renamed;
}

struct Skeleton {
  std::string_view ending;
  std::string_view next;  ///< "{0}" is the name, "{1}" where the header is
};

Skeleton SkeletonOf(Language language) {
  switch (language) {
    case Language::kPython:
      return {".py", "lanediff target check \"exec:python3 {0}.py\""};
    case Language::kC:
      return {".c",
              "cc -shared -fPIC{1} -o lib{0}.so {0}.c && lanediff target check "
              "plugin:./lib{0}.so"};
    case Language::kCxx:
      return {".cc",
              "cmake -B build && cmake --build build && build/{0} target check "
              "{0}"};
  }
  return {};
}

/// " -I DIR" for the folder that has lanediff/plugin.h: of
/// the package that this program is of, or of the tree that it was built in.
/// Empty where a compiler looks anyway, or the folder is unknown.
std::string IncludeOption() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  for (fs::path above = self.parent_path(); above.has_relative_path();
       above = above.parent_path()) {
    for (const fs::path& folder : {above / "include", above}) {
      if (!fs::exists(folder / "lanediff" / "plugin.h", error)) continue;
      const bool standard =
          folder == "/usr/include" || folder == "/usr/local/include";
      return standard ? "" : " -I " + ShellWord(folder.string());
    }
  }
  return "";
}

}  // namespace

int WriteSkeleton(Language language, const std::string& name) {
  if (!IsName(name)) {
    return FailUsage(fmt::format(
        "target new: \"{}\" is no name; letters, digits and _ are allowed, a "
        "letter first",
        Quote(name, 80)));
  }
  const Skeleton skeleton = SkeletonOf(language);
  std::vector<std::pair<std::string, std::string>> files = {
      {name + std::string(skeleton.ending),
       Renamed(TextOf(fmt::format("/{}{}", kExample, skeleton.ending)), name)}};
  if (language == Language::kCxx) {
    std::string project = TextOf("/project.cmake");
    files.emplace_back("CMakeLists.txt", Renamed(project, name));
  }
  for (const auto& [path, text] : files) {
    if (fs::exists(path)) {
      return FailUsage(
          fmt::format("target new: {} is there; nothing was written", path));
    }
  }
  for (const auto& [path, text] : files) {
    if (!WriteTo(path, [&text] { return text; })) return kUsage;
    fmt::print("wrote {}\n", path);
  }
  fmt::print("next: {}\n",
             fmt::format(fmt::runtime(skeleton.next), name, IncludeOption()));
  return kAgree;
}

}  // namespace lanediff::cli
