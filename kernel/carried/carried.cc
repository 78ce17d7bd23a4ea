#include "kernel/carried/carried.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "kernel/carried/family.h"

namespace lanediff::kernel {
namespace {

const carried::Row* RowCalled(std::string_view name) {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, carried::Row> rows;
    for (const auto& family :
         {carried::LanewiseRows(), carried::CastRows(), carried::CopyRows(),
          carried::CompareRows(), carried::SelectRows(), carried::ReduceRows(),
          carried::RearrangeRows(), carried::SortRows(), carried::TileRows()}) {
      for (const carried::Row& row : family) rows.emplace(row.name, row);
    }
    return rows;
  }();
  const auto found = kRows.find(name);
  return found == kRows.end() ? nullptr : &found->second;
}

}  // namespace

const lanediff_parameter* GivenParameters::Find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      all, [&](const lanediff_parameter& one) { return name == one.name; });
  return found == all.end() ? nullptr : &*found;
}

std::int64_t GivenParameters::Number(std::string_view name,
                                     std::int64_t otherwise) const {
  const lanediff_parameter* const one = Find(name);
  return one == nullptr || one->text != nullptr ? otherwise : one->value;
}

std::string_view GivenParameters::Word(std::string_view name) const {
  const lanediff_parameter* const one = Find(name);
  return one == nullptr || one->text == nullptr ? "" : one->text;
}

bool CarriedOperand::HasUnwritten(std::int64_t offset,
                                  std::int64_t size) const {
  return std::ranges::any_of(unwritten, [&](const auto& run) {
    return run.first < offset + size && offset < run.second;
  });
}

bool LooksAtContents(std::string_view name) {
  constexpr std::array<std::string_view, 10> kNames = {
      "Gather",   "Gatherb", "Scatter",  "Sort",       "Sort32",
      "RpSort16", "MrgSort", "MrgSort4", "Reciprocal", "Rsqrt"};
  return std::ranges::find(kNames, name) != kNames.end();
}

bool IsCarried(std::string_view name) { return RowCalled(name) != nullptr; }

std::expected<CarriedPlan, std::string> PlanOf(const CarriedCall& call) {
  const carried::Row* const row = RowCalled(call.call->name);
  if (row == nullptr) {
    return std::unexpected(std::string(call.call->name) + " is no known call");
  }
  try {
    return row->plan(call);
  } catch (const carried::Refused& refused) {
    return std::unexpected(refused.what());
  }
}

std::uint64_t Compute(const CarriedCall& call, VectorState& state) {
  return RowCalled(call.call->name)->compute(call, state);
}

}  // namespace lanediff::kernel
