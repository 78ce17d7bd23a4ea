#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/kernel_record.h"

/// What a run of kernels can be requested: one table, of which `lanediff run`
/// makes its options and which reads the variable LANEDIFF_OPTIONS.
namespace lanediff::kernel {

struct RunOptions {
  Settings settings;
  /// --product: among those with the macros that the program was compiled with.
  std::optional<isa::Product> product;
  /// A line for each older spelling that was read.
  std::vector<std::string> renamed;
};

struct OptionRow {
  const char* name;   ///< "--auto-sync"
  const char* value;  ///< what help calls its value; null: a flag
  const char* help;
  /// All that are allowed, where listed.
  std::vector<std::string> (*words)();
  /// Takes what was given, "" for a flag; else what is allowed in its place.
  std::expected<void, std::string> (*take)(RunOptions& options,
                                           std::string_view value);
  bool several = false;  ///< it may be given more than once
  /// An older spelling, which is read for one version; null: there is none.
  const char* old = nullptr;
};

/// In the order of --help.
std::span<const OptionRow> OptionRows();

/// Sets the option `row` to `value`. The error is a line: option, value, what
/// is allowed.
std::expected<void, std::string> TakeOption(const OptionRow& row,
                                            std::string_view value,
                                            RunOptions& options);

/// Reads words as a command line has them, "--seconds 5" or "--seconds=5". The
/// error is a line.
std::expected<RunOptions, std::string> ReadOptions(
    const std::vector<std::string>& words);

/// The words of a text (diff::SplitWords) as options.
std::expected<RunOptions, std::string> ReadOptionsText(std::string_view text);

/// `word` as `diff::SplitWords` reads it.
std::string Quoted(std::string_view word);

/// Which of the products that share macros with `compiled` the run is of: that
/// which was requested, else `compiled`. The error is a line.
std::expected<isa::Product, std::string> ProductOfRun(
    isa::Product compiled, std::optional<isa::Product> requested);

}  // namespace lanediff::kernel
