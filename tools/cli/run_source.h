#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/runner.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_reader.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/shard.h"

/// How verbs run a source, and the source of files.
namespace lanediff::cli {

/// Runs a source, with progress about `things`, up to an interrupt or `stop`.
template <class Item, class Result>
diff::RunEnd RunSource(
    diff::CaseSource<Item>& source, const Sides& sides,
    diff::Sink<Item, Result>& sink, std::size_t jobs = 1,
    const std::string& things = "cases",
    const std::function<bool()>& stop = [] { return false; }) {
  std::optional<Progress> progress;
  return diff::Runner(source, *sides.target, *sides.reference, sink)
      .Run({.jobs = jobs,
            .stop = [&] { return Interrupted() || stop(); },
            .watch =
                [&](std::uint64_t done, std::uint64_t total,
                    std::uint64_t found) {
                  if (!progress) progress.emplace(total, things);
                  progress->Step(done, found);
                }});
}

/// The sides of a run that announces no case to a target.
inline Sides OracleAlone() { return {&diff::TheOracle(), &diff::TheOracle()}; }

/// A case that is read; what is wrong with the file is in `error`.
struct FileCase {
  std::uint64_t number = 0;  ///< of all files, whichever shard has it
  std::string path;
  std::string error;
  Case c;
};

inline FileCase ReadFileCase(const CasePath& path,
                             const std::string& edition = "",
                             const std::string& product = "") {
  FileCase read{.path = path.path, .error = path.error, .c = {}};
  if (!read.error.empty()) return read;
  const auto thrown = Thrown([&] {
    auto c = ReadCaseFile(path.path);
    if (c) {
      read.c = *std::move(c);
      ReadAs(edition, read.c, product);
    } else {
      read.error = c.error();
    }
  });
  if (thrown) read.error = *thrown;
  return read;
}

/// The cases of a shard. A part has several where the target looks ahead, so
/// that a thread seldom waits.
class FileSource final : public diff::CaseSource<FileCase> {
 public:
  /// `edition` and `product`: as for `ReadAs`.
  explicit FileSource(std::vector<CasePath> files, std::string edition = "",
                      std::string product = "", Shard shard = {},
                      std::size_t foresight = 0)
      : files_(std::move(files)),
        edition_(std::move(edition)),
        product_(std::move(product)),
        shard_(shard),
        some_(std::max<std::size_t>(1, 4 * foresight)) {}

  std::uint64_t size() const override {
    return (files_.size() + shard_.count - 1 - shard_.index) / shard_.count;
  }
  std::size_t parts() const override { return (size() + some_ - 1) / some_; }
  void Produce(std::size_t part,
               const std::function<bool(FileCase&&)>& take) override {
    const std::uint64_t end = std::min(size(), (part + 1) * some_);
    for (std::uint64_t i = part * some_; i < end; ++i) {
      const std::uint64_t number = i * shard_.count + shard_.index;
      FileCase read = ReadFileCase(files_[number], edition_, product_);
      read.number = number;
      if (!take(std::move(read))) return;
    }
  }
  void Announce(const FileCase& read, const diff::Target& target,
                const diff::Target& reference) const override {
    if (read.error.empty()) diff::AnnounceCase(read.c, target, reference);
  }

 private:
  std::vector<CasePath> files_;
  std::string edition_;
  std::string product_;
  Shard shard_;
  std::size_t some_;
};

}  // namespace lanediff::cli
