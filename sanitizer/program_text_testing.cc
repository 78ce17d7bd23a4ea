#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "isa/intervals.h"
#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"

namespace lanediff::lint::test {
namespace {

using isa::Param;
using isa::Position;

std::vector<std::string> Split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) {
    const auto first = part.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    parts.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
  }
  return parts;
}

/// "4096+1024*e".
std::int64_t Value(const std::string& text, std::int64_t i) {
  std::int64_t sum = 0;
  for (const std::string& term : Split(text, '+')) {
    std::int64_t product = 1;
    for (const std::string& factor : Split(term, '*')) {
      product *= factor == "i"   ? i
                 : factor == "e" ? i % 2
                                 : std::strtoll(factor.c_str(), nullptr, 0);
    }
    sum += product;
  }
  return sum;
}

/// Every {…} replaced by its value.
std::string Filled(const std::string& text, std::int64_t i) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '{') {
      filled += text[at++];
      continue;
    }
    const std::size_t end = text.find('}', at);
    filled += std::to_string(Value(text.substr(at + 1, end - at - 1), i));
    at = end + 1;
  }
  return filled;
}

/// The program without N×[…].
std::string Unrolled(std::string text) {
  for (std::size_t open; (open = text.find('[')) != std::string::npos;) {
    const std::size_t close = text.find(']', open);
    const std::size_t times = text.rfind("×", open);
    std::size_t number = times;
    while (number > 0 && std::isdigit(text[number - 1]) != 0) --number;
    const std::string body = text.substr(open + 1, close - open - 1);
    std::string copies;
    for (int i = 0; i < std::atoi(text.c_str() + number); ++i) {
      copies += Filled(body, i) + "; ";
    }
    text.replace(number, close + 1 - number, copies);
  }
  return text;
}

isa::Operand Window(Position position, std::int64_t at, std::int64_t bytes) {
  isa::Operand operand;
  operand.position = position;
  operand.at = at;
  operand.bytes = bytes;
  return operand;
}

isa::Operand Calc(std::int64_t at, std::int64_t bytes) {
  return Window(Position::kVeccalc, at, bytes);
}

isa::Step Copy(Position dst, Position src, const std::vector<std::int64_t>& n) {
  isa::Call copy = isa::CallOf("DataCopy");
  copy.dst() = Window(dst, n[0], n[2]);
  copy.src(0) = Window(src, n[1], n[2]);
  copy[Param::kCount] = n[2] / 2;
  return copy;
}

isa::Step GapCopy(const std::vector<std::int64_t>& n) {
  isa::Call copy = isa::CallOf("DataCopy");
  copy.form = copy.signature->FormWith(Param::kBlockCount);
  copy[Param::kBlockCount] = n[2];
  copy[Param::kBlockLen] = n[3];
  copy[Param::kDstGap] = n[4];
  copy.src(0) = Window(Position::kGm, n[1], n[2] * n[3] * 32);
  copy.dst() =
      Window(Position::kVecin, n[0], ((n[2] - 1) * (n[3] + n[4]) + n[3]) * 32);
  return copy;
}

isa::Step Padded(bool is_pad, const std::vector<std::int64_t>& n) {
  isa::Call copy = isa::CallOf("DataCopyPad");
  copy.SetBlocks(n[2], n[3]);
  copy.is_pad = is_pad;
  copy[Param::kLeftPadding] = n[4];
  copy[Param::kRightPadding] = n[5];
  copy.src(0) = Window(Position::kGm, n[1], n[2] * n[3]);
  copy.dst() = Window(Position::kVecin, n[0],
                      n[2] * isa::RoundUp(n[3] + 2 * (n[4] + n[5])));
  return copy;
}

isa::Step Unpadded(const std::vector<std::int64_t>& n) {
  isa::Call copy = isa::CallOf("DataCopyPad");
  copy.SetBlocks(n[2], n[3]);
  copy.form = 1;
  copy.src(0) = Window(Position::kVecout, n[1], n[2] * isa::RoundUp(n[3]));
  copy.dst() = Window(Position::kGm, n[0], n[2] * n[3]);
  return copy;
}

isa::Call MinOver(const std::vector<std::int64_t>& n, std::int64_t bytes) {
  isa::Call min = isa::CallOf("Min");
  for (std::size_t i = 0; i < 3; ++i) min.operands[i] = Calc(n[i], bytes);
  return min;
}

isa::Call Repeated(const std::vector<std::int64_t>& n, std::int64_t repeat) {
  isa::Call min = MinOver(n, repeat * 256);
  min.form = isa::kMaskForm;
  min.params = {0, 128, repeat, 1, 1, 1, 0, 8, 8, 8, 0};  // by `Param`
  return min;
}

isa::Step BitwiseMin(const std::vector<std::int64_t>& n) {
  isa::Call min = Repeated(n, 1);
  min.form = isa::kBitsForm;
  min[Param::kMask] = 0;
  min.mask_words = {static_cast<std::uint64_t>(n[3]), 0};
  return min;
}

isa::Step MinWithRegister(const std::vector<std::int64_t>& n) {
  isa::Call min = Repeated(n, 1);
  min[Param::kMask] = 0;
  min.is_set_mask = false;
  return min;
}

isa::Call Sum(const std::vector<std::int64_t>& n) {
  isa::Call sum = isa::CallOf("RepeatReduceSum");
  sum.dst() = Calc(n[0], 2);
  sum.src(0) = Calc(n[1], 256);
  sum[Param::kRepeatTimes] = 1;
  sum[Param::kSrc0BlkStride] = 1;
  sum[Param::kDstRepStride] = 1;
  sum[Param::kSrc0RepStride] = 8;
  return sum;
}

isa::Tile Tile(std::int64_t at, std::int64_t rows, std::int64_t cols,
               std::int64_t valid_col, isa::Layout layout) {
  isa::Tile tile;
  tile.at = at;
  tile.rows = rows;
  tile.cols = cols;
  tile.valid_row = 1;
  tile.valid_col = valid_col;
  tile.layout = layout;
  return tile;
}

isa::Step StepOf(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  in >> word;
  std::vector<std::int64_t> n;
  for (std::string number; in >> number;) {
    n.push_back(std::strtoll(number.c_str(), nullptr, 0));
  }
  if (word[0] == '+') {
    return isa::SetFlag{*isa::Parse<isa::Event>(word.substr(1)), n[0]};
  }
  if (word[0] == '-') {
    return isa::WaitFlag{*isa::Parse<isa::Event>(word.substr(1)), n[0]};
  }
  if (word[0] == '|') {
    return isa::PipeBarrier{*isa::Parse<isa::Pipe>(word.substr(1))};
  }
  if (word == "IN") return Copy(Position::kVecin, Position::kGm, n);
  if (word == "OUT") return Copy(Position::kGm, Position::kVecout, n);
  if (word == "INGAP") return GapCopy(n);
  if (word == "PAD" || word == "PADV") return Padded(word == "PADV", n);
  if (word == "UNPAD") return Unpadded(n);
  if (word == "MIN") {
    isa::Call min = MinOver(n, n[3]);
    min[Param::kCount] = n[3] / 2;
    return min;
  }
  if (word == "MINR") return Repeated(n, n[3]);
  if (word == "MINB") return BitwiseMin(n);
  if (word == "MINF") return MinWithRegister(n);
  if (word == "RRS" || word == "RRSF") {
    isa::Call sum = Sum(n);
    sum.is_set_mask = word == "RRS";
    if (sum.is_set_mask) sum[Param::kMask] = n[2];
    return sum;
  }
  if (word == "VT") {
    isa::Call turn = isa::CallOf("vec_trans");
    turn.dst() = Window(Position::kUb, n[0], n[2] * 512);
    turn.src(0) = Window(Position::kUb, n[1], n[2] * 512);
    turn[Param::kRepeatTimes] = n[2];
    turn[Param::kDstRepStride] = turn[Param::kSrc0RepStride] = 1;
    return turn;
  }
  if (word == "PROD") {
    isa::Call product = isa::CallOf("TROWPROD");
    product.tiles = {Tile(n[0], 16, 1, 1, isa::Layout::kDn),
                     Tile(n[1], 1, 16, 16, isa::Layout::kNd),
                     Tile(n[2], 1, 16, 16, isa::Layout::kNd)};
    return product;
  }
  if (word == "GET") return isa::GetValue{.src = Calc(n[0], 2)};
  if (word == "SET") return isa::SetValue{.dst = Calc(n[0], 2)};
  if (word == "COUNT") return isa::SetMaskCount{};
  if (word == "MASK") {
    return isa::SetVectorMask{.high = static_cast<std::uint64_t>(n[0]),
                              .low = static_cast<std::uint64_t>(n[1])};
  }
  throw std::invalid_argument("no step: " + text);
}

std::string ShortRule(isa::RuleId rule) {
  std::string text(rule.text());
  for (const std::string_view part : {"SYNC-", "STATE-"}) {
    if (text.starts_with(part)) text.erase(0, part.size());
  }
  return text;
}

std::string FixOf(const Hazard& hazard) {
  if (hazard.fix.empty()) return "";
  if (const auto* set = std::get_if<isa::SetFlag>(&hazard.fix[0])) {
    return " " + std::string(isa::Name(set->event)) + " " +
           std::to_string(set->id);
  }
  const auto* barrier = std::get_if<isa::PipeBarrier>(&hazard.fix[0]);
  return barrier == nullptr ? "" : " |" + std::string(isa::Name(barrier->pipe));
}

std::string Text(const Hazard& hazard) {
  std::string text = ShortRule(hazard.rule) + " ";
  const std::string later = std::to_string(hazard.later.step);
  if (!hazard.bytes) {
    text += later;
    if (hazard.earlier) {
      text += " (" + std::to_string(hazard.earlier->step) + ")";
    }
    return text;
  }
  text += hazard.earlier ? std::to_string(hazard.earlier->step) + "→" + later
                         : later + " " + std::string(hazard.later.operand);
  const HazardBytes& bytes = *hazard.bytes;
  return text + " " + std::string(isa::Name(bytes.memory)) + " " +
         std::to_string(bytes.at) + "+" + std::to_string(bytes.bytes) + "/" +
         std::to_string(bytes.total) + " ×" + std::to_string(bytes.folded + 1) +
         FixOf(hazard);
}

}  // namespace

Case CaseOf(std::string_view program) {
  Case c;
  c.id = "test";
  c.lint.sync = LintFacts::Sync{};
  c.memory[static_cast<std::size_t>(isa::Memory::kGm)] = {.size = 65536,
                                                          .regions = {}};
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] = {.size = 196608,
                                                          .regions = {}};
  for (const std::string& step : Split(Unrolled(std::string(program)), ';')) {
    c.program.push_back(StepOf(step));
  }
  return c;
}

std::string FoundIn(const Case& c) {
  const Verdict verdict = Lint(c);
  std::string text;
  for (const Hazard& hazard : verdict.hazards) {
    text += (text.empty() ? "" : "; ") + Text(hazard);
  }
  if (verdict.rejected) {
    text += " rejected " + std::to_string(verdict.rejected->step);
  }
  return text.empty() ? "none" : text;
}

}  // namespace lanediff::lint::test
