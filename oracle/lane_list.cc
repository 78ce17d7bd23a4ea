#include "oracle/lane_list.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/listing.h"

namespace lanediff::oracle {

LaneList ListLanes(const LaneGrid& grid,
                   const std::vector<std::int64_t>& lanes) {
  LaneList list{.at = grid.AddressOf(0, 0),
                .iteration_bytes = grid.AddressOf(1, 0) - grid.AddressOf(0, 0),
                .element_bytes = grid.element_bytes,
                .runs = {}};
  std::int64_t next_lane = -1;  // that would continue the last run
  for (std::int64_t lane : lanes) {
    const Address offset = grid.AddressOf(0, lane) - list.at;
    const bool continues =
        lane == next_lane &&
        offset == list.runs.back().offset + list.runs.back().bytes;
    if (!continues) list.runs.push_back({.lane = lane, .offset = offset});
    list.runs.back().bytes += grid.element_bytes;
    next_lane = lane + 1;
  }
  return list;
}

LaneList ListContiguous(std::int64_t at, std::int64_t element_bytes,
                        std::int64_t count, Address iteration_bytes) {
  LaneList list{.at = at,
                .iteration_bytes = iteration_bytes,
                .element_bytes = element_bytes,
                .runs = {}};
  if (count > 0) list.runs.push_back({.bytes = count * element_bytes});
  return list;
}

bool LanesAreInWindow(const isa::Operand& operand, const LaneList& list,
                      std::int64_t iterations) {
  if (iterations <= 0) return true;
  // Addresses are linear in the iteration: if those of the first and of the
  // last one lie in the window, all do.
  for (const std::int64_t r : {std::int64_t{0}, iterations - 1}) {
    for (const LaneRun& run : list.runs) {
      if (!RunIsInWindow(operand, list.AddressOf(r, run), run.bytes)) {
        return false;
      }
    }
  }
  return true;
}

ByteSpan SpanOf(const LaneList& list, std::int64_t iterations) {
  if (list.runs.empty()) return {};
  const Address start = list.AddressOf(0, list.runs.front());
  ByteSpan span{.first = start, .end = start};
  // Addresses are linear in the iteration: the first or the last one reaches
  // furthest.
  const std::array ends = {std::int64_t{0}, iterations - 1};
  for (const std::int64_t r : ends) {
    for (const LaneRun& run : list.runs) {
      const Address first = list.AddressOf(r, run);
      span.first = std::min(span.first, first);
      span.end = std::max(span.end, first + run.bytes);
    }
  }
  return span;
}

bool SpansMeet(const LaneList& a, std::int64_t a_iterations, const LaneList& b,
               std::int64_t b_iterations) {
  const ByteSpan x = SpanOf(a, a_iterations);
  const ByteSpan y = SpanOf(b, b_iterations);
  return std::max(x.first, y.first) < std::min(x.end, y.end);
}

bool Coincide(const LaneList& a, const LaneList& b, std::int64_t iteration) {
  return std::ranges::equal(
      a.runs, b.runs, [&](const LaneRun& x, const LaneRun& y) {
        return x.lane == y.lane && x.bytes == y.bytes &&
               a.AddressOf(iteration, x) == b.AddressOf(iteration, y);
      });
}

bool ShareBytes(const LaneList& a, std::int64_t a_iterations, const LaneList& b,
                std::int64_t b_iterations) {
  if (a_iterations <= 0 || a.runs.empty() || b.runs.empty()) return false;
  if (!SpansMeet(a, a_iterations, b, b_iterations)) return false;
  const ByteSpan span = SpanOf(a, a_iterations);
  ByteMarks marks(span.first, span.end);
  for (std::int64_t r = 0; r < a_iterations; ++r) MarkLanes(marks, a, r);
  for (std::int64_t r = 0; r < b_iterations; ++r) {
    if (AnyLane(marks, b, r)) return true;
  }
  return false;
}

void MarkLanes(ByteMarks& marks, const LaneList& list, std::int64_t iteration) {
  for (const LaneRun& run : list.runs) {
    marks.Mark(list.AddressOf(iteration, run), run.bytes);
  }
}

void ClearLanes(ByteMarks& marks, const LaneList& list,
                std::int64_t iteration) {
  for (const LaneRun& run : list.runs) {
    marks.Clear(list.AddressOf(iteration, run), run.bytes);
  }
}

bool AnyLane(const ByteMarks& marks, const LaneList& list,
             std::int64_t iteration) {
  return std::ranges::any_of(list.runs, [&](const LaneRun& run) {
    return marks.Any(list.AddressOf(iteration, run), run.bytes);
  });
}

void LoadLanes(std::span<const std::uint8_t> memory, const LaneList& list,
               std::int64_t iteration, std::vector<std::uint64_t>& values) {
  values.clear();
  for (const LaneRun& run : list.runs) {
    const Address at = list.AddressOf(iteration, run);
    for (std::int64_t i = 0; i < run.bytes; i += list.element_bytes) {
      values.push_back(Load(memory, at + i, list.element_bytes));
    }
  }
}

void StoreLanes(std::span<std::uint8_t> memory, const LaneList& list,
                std::int64_t iteration,
                const std::vector<std::uint64_t>& values) {
  std::size_t next = 0;
  for (const LaneRun& run : list.runs) {
    const Address at = list.AddressOf(iteration, run);
    for (std::int64_t i = 0; i < run.bytes; i += list.element_bytes) {
      Store(memory, at + i, list.element_bytes, values[next++]);
    }
  }
}

void AppendAccesses(const isa::Access& common, const LaneList& list,
                    std::int64_t iteration,
                    std::vector<isa::Access>& accesses) {
  for (const LaneRun& run : list.runs) {
    isa::Access& access = accesses.emplace_back(common);
    access.at = static_cast<std::int64_t>(list.AddressOf(iteration, run));
    access.bytes = run.bytes;
    access.iteration = iteration;
    access.lane = run.lane;
  }
}

}  // namespace lanediff::oracle
