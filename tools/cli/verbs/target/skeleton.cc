#include "tools/cli/verbs/target/skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/json.h"
#include "tools/cli/common.h"
#include "tools/cli/program.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

std::string TextOf(std::string_view file) {
  for (const EmbeddedText& text : EmbeddedTexts()) {
    if (text.name.ends_with(file)) return std::string(text.text);
  }
  return "";
}

/// `text` with `name` for the example's own, a word or behind "lib".
std::string Renamed(const std::string& text, const std::string& name) {
  static const std::regex example("(^|lib|[^0-9A-Za-z_])model(?![0-9A-Za-z])");
  return std::regex_replace(text, example, "$1" + name);
}

/// The example in one language.
struct Skeleton {
  std::string_view language;
  std::string_view ending;
  std::string_view next;  ///< "{0}" is the name, "{1}" where the header is
};
constexpr Skeleton kSkeletons[] = {
    {"python", ".py", "lanediff target check \"exec:python3 {0}.py\""},
    {"c", ".c",
     "cc -shared -fPIC{1} -o lib{0}.so {0}.c && lanediff target check "
     "plugin:./lib{0}.so"},
    {"c++", ".cc",
     "cmake -B build && cmake --build build && build/{0} target check {0}"}};

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

std::vector<std::string> SkeletonLanguages() {
  std::vector<std::string> words;
  for (const Skeleton& one : kSkeletons) words.emplace_back(one.language);
  return words;
}

int WriteSkeleton(const std::string& language, const std::string& name) {
  const auto* const skeleton =
      std::ranges::find(kSkeletons, language, &Skeleton::language);
  if (skeleton == std::end(kSkeletons)) {
    return FailUsage("target new: --language python, c or c++ is missing");
  }
  if (!std::regex_match(name, std::regex("[A-Za-z][0-9A-Za-z_]{0,63}"))) {
    return FailUsage(
        "target new: \"{}\" is no name; letters, digits and _ are allowed, a "
        "letter first",
        Quote(name, 80));
  }
  std::vector<std::pair<std::string, std::string>> files = {
      {name + std::string(skeleton->ending),
       Renamed(TextOf(fmt::format("/model{}", skeleton->ending)), name)}};
  if (language == "c++") {
    files.emplace_back("CMakeLists.txt",
                       Renamed(TextOf("/project.cmake"), name));
  }
  for (const auto& [path, text] : files) {
    if (fs::exists(path)) {
      return FailUsage("target new: {} is there; nothing was written", path);
    }
  }
  for (const auto& [path, text] : files) {
    if (!WriteTo(path, [&text] { return text; })) return kUsage;
    fmt::print("wrote {}\n", path);
  }
  fmt::print("next: {}\n",
             fmt::format(fmt::runtime(skeleton->next), name, IncludeOption()));
  return kAgree;
}

}  // namespace lanediff::cli
