#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "generators/coverage/model.h"
#include "generators/coverage/never.h"
#include "reports/printable.h"
#include "tools/cli/run_source.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {
namespace {

using make::coverage::Bin;
using make::coverage::Model;
using Clock = std::chrono::steady_clock;

/// A part of the run's own time, within bounds.
std::chrono::duration<double> TimeToLook(const FuzzOptions& options) {
  const double share = static_cast<double>(options.seconds) / 10;
  return std::chrono::duration<double>(std::clamp(share, 2.0, 30.0));
}

}  // namespace

std::vector<make::coverage::Fillers::Known> KnownCases(
    const std::string& corpus, const std::string& edition) {
  std::vector<make::coverage::Fillers::Known> cases;
  for (const CasePath& path : FindCases({corpus})) {
    FileCase read = ReadFileCase(path);
    if (!read.error.empty()) {
      fmt::print(stderr, "lanediff: skipped: {}: {}\n",
                 reports::InOneLine(read.path), reports::InOneLine(read.error));
      continue;
    }
    const isa::Edition own = read.c.edition;
    ReadAs(edition, read.c);
    cases.push_back({read.c.edition == own
                         ? read.path
                         : read.path + " --edition " + edition,
                     std::move(read.c)});
  }
  return cases;
}

std::vector<reports::CoverageRecord> CoverageOf(
    const FuzzOptions& options, const std::vector<std::string>& instructions,
    const std::set<std::string>& reached) {
  const isa::Edition edition = EditionOf(options.edition);
  const Model& model = Model::Get(edition);
  std::map<std::string_view, std::size_t> slugs;  // the bins that were reached
  make::coverage::Reached bins;
  std::size_t strange = 0;
  for (const std::string& name : reached) {
    const auto bin = model.Find(name);
    strange += !bin;
    if (!bin || bins.Add({*bin}) == 0) continue;
    // The corpus, from which all programs start, reaches other instructions as
    // well.
    const std::string_view slug = model.Module(*bin);
    if (std::ranges::find(instructions, slug) != instructions.end()) {
      ++slugs[slug];
    }
  }
  if (strange > 0) {
    fmt::print(stderr,
               "lanediff: {} bins that the fuzz programs reached have no name "
               "here; build both from one tree\n",
               strange);
  }
  if (slugs.empty()) return {};

  const auto corpus = KnownCases(options.corpus, options.edition);
  make::coverage::Fillers fillers(corpus, 100'000, edition);
  std::vector<Bin> holes;
  for (const auto& [slug, count] : slugs) {
    std::ranges::copy(Holes(bins, slug, edition), std::back_inserter(holes));
  }
  const auto deadline = Clock::now() + TimeToLook(options);
  fillers.Find(holes, [&] { return Clock::now() > deadline || Interrupted(); });

  std::vector<reports::CoverageRecord> records;
  for (const auto& [slug, count] : slugs) {
    reports::CoverageRecord record;
    record.slug = slug;
    record.reached = count;
    for (Bin bin : Holes(bins, slug, edition)) {
      const auto* const filler = fillers.Of(bin);
      record.holes.push_back(
          {model.Name(bin), filler == nullptr ? "" : filler->what,
           std::string(make::coverage::WhyNever(bin, edition).value_or(""))});
    }
    record.bins = count + record.holes.size();
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace lanediff::cli
