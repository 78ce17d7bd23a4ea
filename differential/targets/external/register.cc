#include "differential/targets/external/register.h"

#include <mutex>
#include <utility>

#include "differential/subprocess/fork_server.h"

namespace lanediff::diff {
namespace {

using End = std::function<std::vector<std::string>()>;

struct EndCalls {
  std::mutex lock;
  std::vector<End> all;
};

EndCalls& TheEnds() {
  static auto* const ends = new EndCalls;
  return *ends;
}

}  // namespace

bool& StartFailed() {
  thread_local bool failed = false;
  return failed;
}

void AtOutsideEnd(End end) {
  const std::lock_guard lock(TheEnds().lock);
  TheEnds().all.push_back(std::move(end));
}

std::vector<std::string> EndOutsideTargets() {
  const std::lock_guard lock(TheEnds().lock);
  std::vector<std::string> lines;
  for (const End& end : TheEnds().all) {
    for (std::string& line : end()) lines.push_back(std::move(line));
  }
  EndForkServer();
  return lines;
}

}  // namespace lanediff::diff
