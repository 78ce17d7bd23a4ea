#pragma once

#include <expected>
#include <string>
#include <string_view>

/// Sources of kernels as a compiler of C++ takes them.
namespace lanediff::prepare {

/// `text`, the source `file`, with each launch
///
///     f<T><<<blocks, ub, stream>>>(arguments)
///
/// made `::lanediff::KernelLaunch(blocks, ub, stream).Run([&]{ f<T>(arguments);
/// })`, for which lanediff/kernel.h is included first. All else
/// stays as it is, every line on its own, and
/// `#line` states which file they are of. Comments, texts, raw texts and lines
/// of the preprocessor other than #define and conditions are not looked into;
/// what is included is not prepared.
///
/// The error is a line "FILE:LINE: what is wrong".
std::expected<std::string, std::string> Prepare(std::string_view text,
                                                std::string_view file);

/// `text` as a literal of C++ and of `#line`, in one line.
std::string Literal(std::string_view text);

/// Whether `<<<` stands in the text at all: else there is nothing to prepare.
bool MayLaunch(std::string_view text);

}  // namespace lanediff::prepare
