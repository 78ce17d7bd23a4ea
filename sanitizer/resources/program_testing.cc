#include "sanitizer/resources/program_testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>

#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/resource.h"
#include "sanitizer/lint.h"

namespace lanediff::machine::test {
namespace {

using Words = std::vector<std::string_view>;

Words Split(std::string_view text, char by) {
  Words words;
  while (!text.empty()) {
    const auto end = std::min(text.find(by), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::int64_t Number(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data(), end, value).ptr != end || text.empty()) {
    throw std::invalid_argument(fmt::format("no number: {}", text));
  }
  return value;
}

template <class E>
E WordOf(std::string_view text) {
  const auto word = isa::Parse<E>(text);
  if (!word) throw std::invalid_argument(fmt::format("no word: {}", text));
  return *word;
}

/// "GM64+32@1".
struct Place {
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  std::int64_t iteration = 0;

  explicit Place(std::string_view text) {
    for (const isa::Memory one : {isa::Memory::kGm, isa::Memory::kL1}) {
      if (!text.starts_with(isa::Name(one))) continue;
      memory = one;
      text.remove_prefix(isa::Name(one).size());
    }
    const Words at_iteration = Split(text, '@');
    if (at_iteration.size() == 2) iteration = Number(at_iteration[1]);
    const Words from_bytes = Split(at_iteration.at(0), '+');
    at = Number(from_bytes.at(0));
    bytes = Number(from_bytes.at(1));
  }
};

class CarriedText {
 public:
  explicit CarriedText(const Words& words) {
    call_.name = words.at(1);
    call_.pipe = WordOf<isa::Pipe>(words.at(2));
    for (std::size_t i = 3; i < words.size(); ++i) Take(words[i]);
  }

  isa::Carried Call() && { return std::move(call_); }

 private:
  void Take(std::string_view word) {
    const char kind = word.at(0);
    Words parts = Split(word.substr(2), ':');
    if (kind == 'p') {
      isa::Argument one{std::string(parts.at(0)), Number(parts.at(1))};
      if (parts.size() == 4) one.range = {Number(parts[2]), Number(parts[3])};
      call_.parameters.push_back(std::move(one));
      return;
    }
    const bool named = parts.size() > 1;
    const isa::OperandName name = named ? WordOf<isa::OperandName>(parts[0])
                                  : kind == 'r' ? isa::OperandName::kSrc
                                                : isa::OperandName::kDst;
    isa::CarriedOperand& operand = OperandOf(name);
    const std::string_view last = parts.back();
    if (kind == 't') operand.operand.dtype = WordOf<isa::DType>(last);
    if (kind == 'a') operand.align = Number(last);
    if (kind == 'o') {
      const Place place(last);
      operand.operand = {WordOf<isa::Position>(parts.at(1)), place.at,
                         place.bytes, operand.operand.dtype};
      given_.push_back(name);
    }
    if (kind == 'r' || kind == 'w') Touch(kind == 'w', Place(last), operand);
  }

  isa::CarriedOperand& OperandOf(isa::OperandName name) {
    const auto known =
        std::ranges::find(call_.operands, name, &isa::CarriedOperand::name);
    if (known != call_.operands.end()) return *known;
    isa::CarriedOperand& one = call_.operands.emplace_back();
    one.name = name;
    one.operand.position = isa::Position::kVeccalc;
    return one;
  }

  void Touch(bool write, const Place& place, isa::CarriedOperand& operand) {
    if (write) {
      call_.writes.push_back(
          {place.memory, place.at,
           std::vector<std::uint8_t>(static_cast<std::size_t>(place.bytes), 1),
           place.iteration});
    } else {
      call_.reads.push_back(
          {place.memory, place.at, place.bytes, place.iteration});
    }
    if (std::ranges::find(given_, operand.name) != given_.end()) return;
    isa::Operand& window = operand.operand;
    if (place.memory == isa::Memory::kGm) window.position = isa::Position::kGm;
    const std::int64_t end =
        window.bytes == 0
            ? place.at + place.bytes
            : std::max(window.at + window.bytes, place.at + place.bytes);
    window.at = window.bytes == 0 ? place.at : std::min(window.at, place.at);
    window.bytes = end - window.at;
  }

  isa::Carried call_;
  std::vector<isa::OperandName> given_;
};

isa::Step ResourceOf(const Words& words) {
  isa::Resource resource;
  resource.name = WordOf<isa::ResourceName>(words.at(0));
  std::size_t taken = 1;
  for (const isa::ArgumentForm& form : isa::FormOf(resource.name)) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const Words parts = Split(words[i], '=');
      if (parts.at(0) != form.name) continue;
      isa::Argument one{std::string(form.name), std::int64_t{0}};
      if (form.kind == isa::ArgumentKind::kInteger) {
        one.value = Number(parts.at(1));
      } else {
        one.value = std::string(parts.at(1));
      }
      resource.arguments.push_back(std::move(one));
      ++taken;
    }
  }
  if (taken != words.size()) throw std::invalid_argument("an argument");
  return resource;
}

isa::Step StepOf(const Words& words) {
  const std::string_view op = words.at(0);
  if (op == "Carried") return CarriedText(words).Call();
  if (op == "SetMaskCount") return isa::SetMaskCount{};
  if (op == "SetMaskNorm") return isa::SetMaskNorm{};
  if (op == "ResetMask") return isa::ResetMask{};
  if (op == "PipeBarrier") {
    return isa::PipeBarrier{WordOf<isa::Pipe>(words.at(1))};
  }
  if (op == "SetFlag") {
    return isa::SetFlag{WordOf<isa::Event>(words.at(1)), Number(words.at(2))};
  }
  if (op == "WaitFlag") {
    return isa::WaitFlag{WordOf<isa::Event>(words.at(1)), Number(words.at(2))};
  }
  if (op == "SetVectorMask") {
    return isa::SetVectorMask{static_cast<std::uint64_t>(Number(words.at(1))),
                              static_cast<std::uint64_t>(Number(words.at(2)))};
  }
  return ResourceOf(words);
}

}  // namespace

Case Program(std::string_view text, isa::Product product,
             std::optional<bool> automatic) {
  Case c;
  c.id = "test";
  c.product = product;
  c.memory[static_cast<std::size_t>(isa::Memory::kGm)] =
      MemoryImage{.fill = 0, .size = 65536, .regions = {}};
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0,
                  .size = isa::CapacityBytes(product, isa::Memory::kUb),
                  .regions = {}};
  if (automatic) c.lint.sync = {.automatic = *automatic};
  for (std::string_view step : Split(text, ';')) {
    const Words words = Split(step, ' ');
    if (!words.empty()) c.program.push_back(StepOf(words));
  }
  return c;
}

std::vector<std::string> FoundIn(const Case& c) {
  const lint::Verdict verdict = lint::Lint(c);
  std::vector<std::string> lines;
  std::size_t times = 1;
  const auto add = [&](std::string line) {
    const std::string again = fmt::format("{} x{}", line, times);
    if (!lines.empty() && (lines.back() == line || lines.back() == again)) {
      lines.back() = fmt::format("{} x{}", line, ++times);
      return;
    }
    times = 1;
    lines.push_back(std::move(line));
  };
  for (const lint::Hazard& hazard : verdict.hazards) {
    add(fmt::format("{} {}", hazard.later.step, hazard.rule.text()));
  }
  if (verdict.rejected) {
    std::string line = fmt::format("{} rejected", verdict.rejected->step);
    for (isa::RuleId rule : verdict.rejected->rules) {
      line += fmt::format(" {}", rule.text());
    }
    add(std::move(line));
  }
  std::vector<std::pair<std::size_t, isa::RuleId>> notes;
  for (const auto& [rule, steps] : verdict.notes) {
    const isa::Rule* const known = isa::FindRule(rule.text());
    if (known == nullptr || known->instruction != isa::kKernel) continue;
    for (std::size_t step : steps) notes.emplace_back(step, rule);
  }
  std::ranges::sort(notes);
  for (const auto& [step, rule] : notes) {
    add(fmt::format("{} note {}", step, rule.text()));
  }
  return lines;
}

std::vector<std::string> Found(std::string_view text, isa::Product product,
                               std::optional<bool> automatic) {
  return FoundIn(Program(text, product, automatic));
}

}  // namespace lanediff::machine::test
