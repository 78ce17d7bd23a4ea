#include "tools/bench/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace lanediff::bench {
namespace {

using Status = Result::Status;

std::string SecondsText(double seconds) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits = {
      {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}}};
  for (const auto& [size, unit] : kUnits) {
    if (seconds >= size) return fmt::format("{:.3g} {}", seconds / size, unit);
  }
  return fmt::format("{:.3g} ns", seconds / 1e-9);
}

std::string RateText(double rate, std::string_view unit) {
  if (rate >= 1e6) return fmt::format("{:.3g} M {}/s", rate / 1e6, unit);
  return fmt::format("{:.0f} {}/s", rate, unit);
}

std::string FigureText(const Row& row, double value) {
  switch (row.required.figure) {
    case Requirement::Figure::kRatio:
      return fmt::format("{:.3g} x", value);
    case Requirement::Figure::kRate:
      return RateText(value, row.unit);
    case Requirement::Figure::kSeconds:
      return SecondsText(value);
    case Requirement::Figure::kBeside:
      return fmt::format("{} more", SecondsText(value));
  }
  std::unreachable();
}

std::string RequiredText(const Row& row) {
  if (row.required.value == 0) return "-";
  return (row.required.at_least() ? ">= " : "<= ") +
         FigureText(row, row.required.value);
}

/// Of the widest row.
constexpr int kNameWidth = 45;
constexpr int kWhatWidth = 73;

std::string Line(std::string_view name, std::string_view what,
                 std::string_view time, std::string_view yardstick,
                 std::string_view figure, std::string_view required,
                 std::string_view status) {
  return fmt::format("{:<{}} {:<{}} {:>8}  {:<33} {:>14} {:>15}  {}\n", name,
                     kNameWidth, what, kWhatWidth, time, yardstick, figure,
                     required, status);
}

using Json = nlohmann::ordered_json;

/// In the order of `Requirement::Figure`.
constexpr std::array kFigures = {"ratio", "rate", "seconds", "beside"};

Json TimingJson(const Timing& timing) {
  return {{"best", timing.best}, {"median", timing.median}};
}

Json RowJson(const Result& result) {
  const Row& row = *result.row;
  Json json = {
      {"name", row.name},
      {"what", row.what},
      {"yardstick", row.yardstick},
      {"figure", kFigures[static_cast<std::size_t>(row.required.figure)]},
      {"unit", row.unit},
      {"asked", row.required.value == 0 ? Json() : Json(row.required.value)},
      {"status", Word(result.status)}};
  if (!result.why.empty()) {
    json["why"] = result.why;
    return json;
  }
  json["value"] = result.figure;
  json["medianValue"] = result.median_figure;
  json["work"] = TimingJson(result.work);
  if (result.yardstick.best > 0) {
    json["yardstickTime"] = TimingJson(result.yardstick);
  }
  return json;
}

}  // namespace

std::string_view Word(Status status) {
  constexpr std::array kWords = {"met", "missed", "shown", "skipped", "WRONG"};
  return kWords[static_cast<std::size_t>(status)];
}

std::string MachineText(const Machine& machine) {
  return fmt::format(
      "machine: {}, {} cores, {}\ncompiler: {}\n"
      "emulator: {}\n",
      machine.processor, machine.cores, fmt::join(machine.caches, ", "),
      machine.compiler, machine.emulator);
}

std::string HeadingText() {
  return Line("row", "work", "time", "held against", "figure", "required",
              "status");
}

std::string RowText(const Result& result) {
  const Row& row = *result.row;
  if (!result.why.empty()) {
    return Line(row.name, row.what, "", row.yardstick, "", RequiredText(row),
                fmt::format("{}: {}", Word(result.status), result.why));
  }
  const std::string yardstick =
      result.yardstick.best > 0
          ? fmt::format("{}, {}", row.yardstick,
                        SecondsText(result.yardstick.best))
          : "";
  return Line(row.name, row.what, SecondsText(result.work.best), yardstick,
              FigureText(row, result.figure), RequiredText(row),
              Word(result.status));
}

std::string SummaryText(std::span<const Result> results) {
  const auto count = [&](Status status) {
    return std::ranges::count(results, status, &Result::status);
  };
  return fmt::format(
      "bench: {} rows: {} met, {} missed, {} shown, {} skipped, {} wrong\n",
      results.size(), count(Status::kMet), count(Status::kMissed),
      count(Status::kShown), count(Status::kSkipped), count(Status::kWrong));
}

std::string Markdown(const Machine& machine, std::span<const Result> results) {
  std::string text = fmt::format(
      "lanediff {} on {}, {} cores ({}), {}, `emulator:{}`.\n\n"
      "| row | required | measured | status |\n|---|---:|---:|---|\n",
      machine.version.empty() ? "of unknown version" : machine.version,
      machine.processor, machine.cores, fmt::join(machine.caches, ", "),
      machine.compiler, machine.emulator);
  for (const Result& result : results) {
    const Row& row = *result.row;
    text +=
        fmt::format("| `{}` | {} | {} | {} |\n", row.name, RequiredText(row),
                    result.why.empty() ? FigureText(row, result.figure) : "–",
                    Word(result.status));
  }
  return text;
}

std::string ToJson(const Machine& machine, std::span<const Result> results) {
  Json rows = Json::array();
  for (const Result& result : results) rows.push_back(RowJson(result));
  const Json json = {{"format", "lanediff-bench/1"},
                     {"machine",
                      {{"processor", machine.processor},
                       {"cores", machine.cores},
                       {"caches", machine.caches},
                       {"avx2", machine.avx2},
                       {"compiler", machine.compiler},
                       {"emulator", machine.emulator},
                       {"version", machine.version}}},
                     {"rows", rows}};
  return json.dump(2) + "\n";
}

}  // namespace lanediff::bench
