#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "kernel/carried/carried.h"

/// The rows of each file of calls.
namespace lanediff::kernel::carried {

using Planned = std::expected<CarriedPlan, std::string>;

struct Row {
  std::string_view name;
  Planned (*plan)(const CarriedCall& call);
  std::uint64_t (*compute)(const CarriedCall& call, const CarriedPlan& plan,
                           VectorState& state);
};

std::span<const Row> ElementwiseRows();
std::span<const Row> CastRows();
std::span<const Row> CopyRows();
std::span<const Row> DataCopyPadRows();
std::span<const Row> FillRows();
std::span<const Row> CompareRows();
std::span<const Row> SelectRows();
std::span<const Row> GatherMaskRows();
std::span<const Row> ReduceIterationRows();
std::span<const Row> ReduceAllRows();
std::span<const Row> GatherRows();
std::span<const Row> ProgressionRows();
std::span<const Row> TransposeRows();
std::span<const Row> SortRows();
std::span<const Row> MergeRows();
std::span<const Row> TileRows();

}  // namespace lanediff::kernel::carried
