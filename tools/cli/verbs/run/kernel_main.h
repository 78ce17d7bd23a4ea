#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace lanediff::cli {

/// A kernel that has no host main.
struct KernelCall {
  std::string kernel;  ///< "f<half>"
  std::int64_t blocks = 1;
  /// "in:half:2048:fill:1", "in:half:2048:ramp:0:0.5",
  /// "in:half:2048:file:PATH" and the same with inout, "inout:half:16",
  /// "out:half:16", "out:half:16:file:PATH",
  /// "int32:5": in the kernel's order.
  std::vector<std::string> arguments;
};

/// Source of a program that includes `sources`, makes the arguments, launches
/// the kernel and prints what `out` arguments hold. The error is a line:
/// argument, what is allowed.
std::expected<std::string, std::string> KernelMain(
    const KernelCall& call, const std::vector<std::string>& sources);

}  // namespace lanediff::cli
