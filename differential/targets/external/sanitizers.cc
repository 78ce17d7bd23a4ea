#include "differential/targets/external/sanitizers.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>
#include <utility>

#include "differential/subprocess/environment.h"

namespace lanediff::diff {
namespace {

/// The words of a library's string table that begin so are libraries it needs:
/// the name is looked for in the text, which is good enough to preload it.
std::string NeededRuntime(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream whole;
  whole << file.rdbuf();
  const std::string text = std::move(whole).str();
  for (const std::string_view begin :
       {"libasan.so", "libclang_rt.asan", "libtsan.so", "libubsan.so",
        "libclang_rt.ubsan"}) {
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) continue;
    return text.substr(at, text.find('\0', at) - at);
  }
  return "";
}

/// The same, looked up once for each library.
const std::string& RuntimeOf(const std::string& path) {
  static std::mutex mutex;
  static auto* const known = new std::map<std::string, std::string>;
  const std::lock_guard lock(mutex);
  const auto found = known->find(path);
  if (found != known->end()) return found->second;
  return known->emplace(path, NeededRuntime(path)).first->second;
}

void SetDefault(const std::string& name, const std::string& value,
                std::vector<std::string>& variables) {
  const bool set = std::ranges::any_of(variables, [&](const std::string& v) {
    return v.starts_with(name + "=");
  });
  if (!set) variables.push_back(name + "=" + value);
}

}  // namespace

bool NeedsPreload(const std::string& path) { return !RuntimeOf(path).empty(); }

std::vector<std::string> EnvironmentFor(const std::string& path) {
  std::vector<std::string> variables = OwnEnvironment();
  const std::string& runtime = RuntimeOf(path);
  if (runtime.empty()) return variables;
  std::erase_if(variables, [](const std::string& variable) {
    return variable.starts_with("LD_PRELOAD=");
  });
  variables.push_back("LD_PRELOAD=" + runtime);
  // Leaks of the host are not the plugin's; the legend would take the place
  // of the report.
  SetDefault("ASAN_OPTIONS", "detect_leaks=0:print_legend=0", variables);
  // Going on after a report, no process would read the report.
  SetDefault("UBSAN_OPTIONS",
             "halt_on_error=1:print_stacktrace=1:print_summary=1:"
             "report_error_type=1",
             variables);
  return variables;
}

}  // namespace lanediff::diff
