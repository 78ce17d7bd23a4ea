#pragma once

#include <fmt/format.h>

#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "differential/targets/external/register.h"
#include "differential/targets/target.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {

/// The target called `name`, which `make()` makes on the first request: a
/// unique_ptr to a `T`, or why there is none. It stays until the
/// program ends; its processes end with those of all outside targets.
template <class T, class Make>
std::expected<const Target*, std::string> KnownTarget(std::string_view name,
                                                      const Make& make) {
  static std::mutex mutex;
  static auto* const targets =
      new std::map<std::string, std::unique_ptr<T>, std::less<>>;
  const std::lock_guard lock(mutex);
  if (const auto found = targets->find(name); found != targets->end()) {
    return found->second.get();
  }
  std::expected<std::unique_ptr<T>, std::string> made = make();
  if (!made) {
    return std::unexpected(
        fmt::format("{}: {}", Quote(name, 300), made.error()));
  }
  T* const there = made->get();
  AtOutsideEnd([there] { return there->End(); });
  targets->emplace(name, *std::move(made));
  return there;
}

}  // namespace lanediff::diff
