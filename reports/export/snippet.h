#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case.h"
#include "isa/step.h"
#include "reports/export/data.h"
#include "reports/export/source.h"

namespace lanediff::exports {

/// How many steps are written: those up to the first rejected one.
std::size_t StepsWritten(const Case& c, const diff::ExpectedResult& expected);

/// A name for the kernel, made of the case's id.
std::string KernelName(const Case& c);

/// What the writers of all APIs have.
struct SnippetWriter {
  const Case& c_;
  const diff::ExpectedResult& expected_;
  const std::vector<MemoryData>& data_;
  Source& out_;

  bool Has(isa::Memory memory) const {
    return std::ranges::count(data_, memory, &MemoryData::memory) > 0;
  }
  /// The bytes of a memory; 0 where the case has none.
  std::int64_t BytesOf(isa::Memory memory) const {
    const auto found = std::ranges::find(data_, memory, &MemoryData::memory);
    return found == data_.end() ? 0 : found->size;
  }

  /// The top: which case it is, its note and who found it, and what must come
  /// out.
  void WriteHead(std::string_view api) const;
  /// The comment over a step: its number and intrinsic and, if it is the one
  /// that is rejected, the rules that it breaks with their sections.
  void WriteStepHead(std::size_t index) const;
  /// Each step that is written, by `write`. A comment names the others.
  void WriteSteps(const std::function<void(std::size_t)>& write) const;
};

/// What the writers of C++ have.
struct CppWriter : SnippetWriter {
  /// The #include lines: the standard headers of the fill functions, and
  /// `header`, "<x.h>" or "\"x.h\"", of the API.
  void WriteIncludes(std::string_view header) const;
  /// "constexpr uint32_t kUbBytes = 64;", where `bytes` are those of `one` in
  /// whole `units`.
  void WriteSize(const MemoryData& one, std::int64_t bytes,
                 std::string_view units) const;
  /// Functions in plain C++ that fill a memory with what it holds before the
  /// program, "FillUb(uint8_t* bytes)" for UB, and the helpers that they call.
  /// They expect constants "kUbBytes".
  void WriteFillFunctions() const;
  /// A step under its head, in a block of its own that `write` fills.
  void WriteBlock(std::size_t index, const std::function<void()>& write) const;
};

/// "Ub" of UB, "L1" of L1: how names of one memory end.
std::string MemoryWord(isa::Memory memory);

/// The line that switches the saturation mode: bit 48 of CTRL is 0 where it is
/// on.
std::string SaturationLine(bool on);

/// "half", "bfloat16_t", "int32_t".
std::string_view CppType(isa::DType dtype);

// Of Ascend C.

/// How an operand gets to an exact byte address. Documents of the constructor
/// LocalTensor(position, address, elements) leave out the training and the
/// 200I/500 A2 products; there a TBuf over the whole memory is cut at the byte.
bool HasStaticTensors(isa::Product product);

/// Whether it has the mixed cores of A2 and A3, whose saturation mode can be
/// switched off.
bool HasMixedCores(isa::Product product);

/// Step `index` as a call.
void WriteAscendcCall(const CppWriter& writer, std::size_t index);

/// A program of Ascend C's instructions and state steps.
void WriteAscendc(const SnippetWriter& writer);
/// The same of TROWPROD and state steps.
void WritePto(const SnippetWriter& writer);
/// The same of vec_trans and state steps.
void WriteTik(const SnippetWriter& writer);

}  // namespace lanediff::exports
