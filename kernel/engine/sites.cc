#include "kernel/engine/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "isa/resource.h"

namespace lanediff::kernel {
namespace {

/// What the source has no call of: a tile is placed where it is used first, and
/// a kernel that is called begins a launch.
bool IsMade(std::string_view op) {
  return op == isa::Name(isa::ResourceName::kLocalTensor) ||
         op == isa::Name(isa::ResourceName::kLaunch);
}

}  // namespace

std::size_t Sites::Of(lanediff_site site, std::string_view op) {
  const Pointers pointers{site.file, site.line, op.data()};
  const auto known = fast_.find(pointers);
  if (known != fast_.end()) return known->second;
  const std::string file = site.file == nullptr ? "" : site.file;
  const auto [found, is_new] =
      numbers_.try_emplace({file, site.line, std::string(op)}, rows_.size());
  if (is_new) {
    SiteRow row;
    const std::int64_t call = IsMade(op) ? 1 : ++calls_[{file, site.line}];
    row.site = {file, std::abs(site.line), call, site.line < 0};
    row.op = op;
    rows_.push_back(std::move(row));
  }
  fast_.emplace(pointers, found->second);
  return found->second;
}

void Sites::CountExecution(std::size_t index) {
  ++rows_[index].executions;
  std::vector<std::int64_t>& counts = executions_[block_];
  if (counts.size() <= index) counts.resize(rows_.size());
  ++counts[index];
}

std::int64_t Sites::ExecutionOf(std::size_t index) const {
  const auto counts = executions_.find(block_);
  if (counts == executions_.end() || counts->second.size() <= index) return 1;
  return std::max<std::int64_t>(counts->second[index], 1);
}

std::string PlaceText(const Site& site) {
  return fmt::format("{}{}:{}", site.after ? "after " : "", site.file,
                     site.line);
}

}  // namespace lanediff::kernel
