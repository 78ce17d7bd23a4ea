#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "reports/export/export.h"

namespace lanediff::exports {

/// `text` as it may stand in a comment of any of the languages: what could end
/// a comment or a line, hide text or turn its direction is spelt out. Newlines
/// stay, for `Source::Comment` to break at.
std::string CommentSafe(std::string_view text);

/// `text` between double quotes, as C++ and Python both read it.
std::string Quoted(std::string_view text);

/// The integer type of a parameter.
struct ParameterType {
  std::string_view name;  ///< as the language spells it
  std::int64_t low;
  std::uint64_t high;
  int bits;
};
inline constexpr ParameterType kInt32{"int32_t", INT32_MIN, INT32_MAX, 32};
inline constexpr ParameterType kUint8{"uint8_t", 0, UINT8_MAX, 8};
inline constexpr ParameterType kUint16{"uint16_t", 0, UINT16_MAX, 16};
inline constexpr ParameterType kUint32{"uint32_t", 0, UINT32_MAX, 32};
inline constexpr ParameterType kUint64{"uint64_t", 0, UINT64_MAX, 64};

/// A value as C++ writes it, and what the reader has to know of it.
struct Literal {
  std::string text;
  std::string remark;  ///< empty where the type holds the value
};
Literal ToLiteral(std::int64_t value, const ParameterType& type);

/// Source text that grows line by line.
class Source {
 public:
  /// `comment` starts a comment: "//" or "#".
  explicit Source(std::string_view comment) : comment_(comment) {}

  /// One line of code, unchanged, or formatted by {fmt}.
  void Line(std::string_view code);
  template <class First, class... Rest>
  void Line(fmt::format_string<First, Rest...> code, First&& first,
            Rest&&... rest) {
    Line(fmt::format(code, std::forward<First>(first),
                     std::forward<Rest>(rest)...));
  }
  /// Several lines of code.
  void Lines(std::string_view code);
  void Blank() { text_ += '\n'; }
  /// `text`, made safe and broken between words, as comment lines.
  void Comment(std::string_view text) { HangingComment(text, 0); }
  template <class First, class... Rest>
  void Comment(fmt::format_string<First, Rest...> text, First&& first,
               Rest&&... rest) {
    Comment(fmt::format(text, std::forward<First>(first),
                        std::forward<Rest>(rest)...));
  }
  /// Lines after the first are set in by `hang` columns.
  void HangingComment(std::string_view text, std::size_t hang);

  /// `value` as C++ writes it, after a comment if `type` does not hold it.
  std::string Value(std::int64_t value, const ParameterType& type);

  void Indent(std::size_t columns) { indent_ += columns; }
  void Outdent(std::size_t columns) { indent_ -= columns; }

  std::string Take() { return std::move(text_); }

 private:
  void CommentLine(std::string_view text);

  std::string comment_;
  std::string text_;
  std::size_t indent_ = 0;
};

/// Any 64-bit integer as C++ writes it, in brackets if it is negative.
std::string SignedLiteral(std::int64_t value);

/// A word of 64 bits as C++ writes it.
std::string HexWord(std::uint64_t word);

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
