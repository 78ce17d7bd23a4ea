#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "differential/testcase/case.h"

/// The data of a case, element by element.
namespace lanediff::diff::shrink {

/// One element of a region: of the region's type, else a byte.
struct ElementRef {
  std::size_t memory;
  std::size_t region;
  std::size_t offset;  ///< bytes from the start of the region
  isa::DType type;
};

/// The elements whose bits are not all zero.
std::vector<ElementRef> NonZeroElements(const Case& c);

std::uint64_t Load(const Case& c, const ElementRef& element);
void Store(Case& c, const ElementRef& element, std::uint64_t bits);

/// A range of bytes of one type, from an operand's window. Windows of one case
/// share no byte: of two that overlap the lower one has what both hold.
struct Window {
  isa::Memory memory;
  isa::DType type;
  std::int64_t begin;
  std::int64_t end;  ///< the last element may be cut off
};

/// The windows inside the memories that `c` lists, in ascending order in each.
std::vector<Window> WindowsOf(const Case& c);

/// What becomes of the bytes that no region covers.
enum class Fill { kZero, kWrittenOut };

/// Gives every memory the fill 0 and one region for each window, from its first
/// to its last element other than zero. What lies in no window goes.
void Normalize(Case& c, Fill fill);

/// Moves the elements other than zero of window `w` to its start, in their
/// order: `dense` without the zeros between them, else as they stand. Leaves
/// `c` normalized.
void GatherWindow(Case& c, std::size_t w, bool dense);

}  // namespace lanediff::diff::shrink
