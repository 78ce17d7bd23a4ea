#pragma once

#include <exception>
#include <new>
#include <optional>
#include <string>

namespace lanediff::diff {

/// Calls `work`, and returns its exception as one line, if it throws.
template <class Work>
std::optional<std::string> Thrown(const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace lanediff::diff
