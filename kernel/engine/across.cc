#include "kernel/engine/across.h"

#include <algorithm>
#include <utility>

#include "isa/step.h"

namespace lanediff::kernel {
namespace {

using isa::Pipe;

}  // namespace

Across::Way Across::WayOf(const isa::Access& access, bool atomic) {
  if (atomic && access.memory == isa::Memory::kGm) return Way::kAccumulate;
  return access.write ? Way::kWrite : Way::kRead;
}

bool Across::Touched::Conflicts(const isa::Access& access, Way way) const {
  const auto found = bytes.find(access.memory);
  if (found == bytes.end()) return false;
  const auto has = [&](Way other) {
    return found->second[static_cast<std::size_t>(other)].Intersects(
        BytesOf(access));
  };
  return has(Way::kWrite) || (way != Way::kRead && has(Way::kRead)) ||
         (way != Way::kAccumulate && has(Way::kAccumulate));
}

void Across::CutOrder(std::int64_t block, Pipe from, Pipe to) {
  Block& here = blocks_[block];
  for (const auto& [pipe, touched] : here.touched) {
    // What the scalar unit does has ended before anything else begins.
    if (pipe == Pipe::kS || (from != Pipe::kAll && pipe != from)) continue;
    here.before[{pipe, to}] = touched;
  }
}

void Across::Order(std::int64_t block) {
  Block& here = blocks_[block];
  here.ordered.push_back(std::move(here.touched));
  here.touched.clear();
  here.before.clear();
}

bool Across::Block::Touches(const isa::Access& access, Way way) const {
  const auto conflicts = [&](const auto& pipes) {
    return std::ranges::any_of(pipes, [&](const auto& one) {
      return one.second.Conflicts(access, way);
    });
  };
  return conflicts(touched) || std::ranges::any_of(ordered, conflicts);
}

void Across::CutBlocks(std::int64_t block) {
  CutOrder(block, Pipe::kAll, Pipe::kAll);
  cut_blocks_ = true;
}

bool Across::Conflicts(const Operation& operation) const {
  const isa::MaskUse use = isa::MaskUseOf(operation.step, product_);
  if ((use.reads_register && masks_.contains(operation.block)) ||
      (use.reads_mode && modes_.contains(operation.block))) {
    return true;
  }
  return std::ranges::any_of(operation.accesses, [&](const isa::Access& one) {
    const Way way = WayOf(one, operation.atomic);
    for (const auto& [number, block] : blocks_) {
      if (number == operation.block) {
        for (const auto& [pipes, before] : block.before) {
          // A flag for the scalar unit holds up everything.
          const bool held = pipes.second == Pipe::kAll ||
                            pipes.second == Pipe::kS ||
                            pipes.second == operation.pipe;
          if (held && before.Conflicts(one, way)) return true;
        }
      } else if (cut_blocks_ && one.memory == isa::Memory::kGm) {
        if (block.Touches(one, way)) return true;
      }
    }
    return false;
  });
}

void Across::Executed(const Operation& operation) {
  const isa::MaskUse use = isa::MaskUseOf(operation.step, product_);
  if (use.sets_register) masks_.erase(operation.block);
  if (use.sets_mode) modes_.erase(operation.block);
  Touched& touched = blocks_[operation.block].touched[operation.pipe];
  for (const isa::Access& one : operation.accesses) {
    const Way way = WayOf(one, operation.atomic);
    touched.bytes[one.memory][static_cast<std::size_t>(way)].Insert(
        BytesOf(one));
  }
}

}  // namespace lanediff::kernel
