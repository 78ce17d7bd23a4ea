#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/memory_map.h"
#include "isa/vocabulary.h"
#include "reports/export/export.h"
#include "reports/export/source.h"

namespace lanediff::exports {

/// Elements of one type one behind the other, described shortly.
struct Piece {
  enum class Kind : std::uint8_t {
    kRun,   ///< `count` times `bits[0]`
    kRamp,  ///< from + i · step; integers in `bits`, wrapping; else in doubles
    kList,  ///< `bits`, one by one
    kFile,  ///< the bytes of a file
  };

  Kind kind = Kind::kList;
  std::int64_t at = 0;  ///< byte
  isa::DType dtype = isa::DType::kUint8;
  std::int64_t count = 0;
  std::vector<std::uint64_t> bits;  ///< of a ramp of integers: from and step
  double from = 0;                  ///< of a ramp of floating values
  double step = 0;
  std::string file = {};

  std::int64_t bytes() const { return count * isa::SizeBytes(dtype); }
};

/// The initial bytes of one memory: `fill`, and pieces over it.
struct MemoryData {
  isa::Memory memory = isa::Memory::kGm;
  std::int64_t size = 0;
  std::uint8_t fill = 0;
  std::vector<Piece> pieces;
};

/// Bytes of listed elements that a snippet takes at most; of a case with more,
/// the longer lists go to files.
inline constexpr std::int64_t kMostListedBytes = 16384;

/// The memories of `c`, in the order of `isa::Memory`. Bytes that go to files
/// are added to `files`, named after `file_name`; if that is empty, it is an
/// error to need one.
std::expected<std::vector<MemoryData>, std::string> DataOf(
    const Case& c, std::string_view file_name, std::vector<DataFile>& files);

/// "ub" of UB: how names start that belong to one memory.
std::string MemoryVariable(isa::Memory memory);

/// Whether a ramp of `dtype` is counted in doubles.
bool RampsInDoubles(isa::DType dtype);

/// The comment over a piece: how many elements of `type`, and the value of a
/// run.
void WriteSummary(const Piece& piece, std::string_view type, Source& out);

/// The elements of a list, set in, under comments with their values; each by
/// `show`, and `last` behind the last.
void WriteElements(const Piece& piece,
                   const std::function<std::string(std::uint64_t)>& show,
                   std::string_view last, Source& out);

}  // namespace lanediff::exports
