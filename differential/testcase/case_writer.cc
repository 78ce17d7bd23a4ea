#include "differential/testcase/case_writer.h"

#include <fmt/format.h>

#include <concepts>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <variant>

#include "differential/testcase/element.h"
#include "differential/testcase/json.h"
#include "differential/testcase/kernel_json.h"
#include "differential/testcase/record_json.h"
#include "isa/memory_map.h"
#include "isa/signature.h"

namespace lanediff {
namespace {

using isa::DType;
using isa::Memory;

/// A run or ramp shorter than this is written out.
constexpr std::size_t kShortestRun = 4;

std::string Word(std::string_view text) { return std::string(text); }

std::string HexWord(std::uint64_t value) {
  return fmt::format("0x{:x}", value);
}

// ---- Regions ----------------------------------------------------------------

/// A number of any size, or the string that stands for the element.
Json ValueJson(DType type, std::uint64_t bits) {
  const ElementText text = ElementToText(type, bits);
  if (text.quoted) return text.text;
  return Json::parse(text.text);
}

/// The element as an integer that a ramp can step through.
std::optional<std::int64_t> RampInteger(DType type, std::uint64_t bits) {
  const ElementText text = ElementToText(type, bits);
  if (text.quoted || text.text.find_first_of(".e") != std::string::npos) {
    return std::nullopt;
  }
  return std::strtoll(text.text.c_str(), nullptr, 10);
}

/// Elements of a region and the shortest way to write them, from left to right.
class ValueWriter {
 public:
  ValueWriter(DType type, std::span<const std::uint8_t> bytes) : type_(type) {
    const auto size = static_cast<std::size_t>(isa::SizeBytes(type));
    for (std::size_t i = 0; i + size <= bytes.size(); i += size) {
      elements_.push_back(LoadElement(type, bytes.subspan(i)));
    }
  }

  Json Write() const {
    Json values = Json::array();
    for (std::size_t i = 0; i < elements_.size();) {
      if (const std::size_t run = RunLength(i); run >= kShortestRun) {
        values.push_back(
            {{"value", ValueJson(type_, elements_[i])}, {"count", run}});
        i += run;
      } else if (const auto [length, step] = Ramp(i); length >= kShortestRun) {
        values.push_back({{"from", ValueJson(type_, elements_[i])},
                          {"step", step},
                          {"count", length}});
        i += length;
      } else {
        values.push_back(ValueJson(type_, elements_[i]));
        ++i;
      }
    }
    return values;
  }

 private:
  std::size_t RunLength(std::size_t first) const {
    std::size_t last = first;
    while (last < elements_.size() && elements_[last] == elements_[first]) {
      ++last;
    }
    return last - first;
  }

  /// Length and step of the ramp of integers that starts at `first`.
  std::pair<std::size_t, std::int64_t> Ramp(std::size_t first) const {
    if (first + kShortestRun > elements_.size()) return {0, 0};
    const auto a = RampInteger(type_, elements_[first]);
    const auto b = RampInteger(type_, elements_[first + 1]);
    if (!a || !b) return {0, 0};
    const std::int64_t step = *b - *a;
    std::int64_t expected = *b;
    std::size_t last = first + 1;
    while (last < elements_.size() &&
           RampInteger(type_, elements_[last]) == expected) {
      ++last;
      expected += step;
    }
    return {last - first, step};
  }

  DType type_;
  std::vector<std::uint64_t> elements_;
};

Json SeriesJson(const Series& series) {
  if (series.is_run()) {
    return {{"value", ValueJson(series.dtype(), series.At(0))},
            {"count", series.count()}};
  }
  return {{"from", NumberJson(series.from())},
          {"step", NumberJson(series.step())},
          {"count", series.count()}};
}

Json RegionJson(const Region& region) {
  Json json = {{"at", region.at}};
  if (region.series) {
    json["dtype"] = isa::Name(*region.dtype);
    json["values"] = Json::array({SeriesJson(*region.series)});
  } else if (region.dtype) {
    json["dtype"] = isa::Name(*region.dtype);
    json["values"] = ValueWriter(*region.dtype, region.bytes).Write();
  } else {
    json["hex"] = HexBytes(region.bytes);
  }
  return json;
}

Json RegionsJson(const std::vector<Region>& regions) {
  Json json = Json::array();
  for (const Region& region : regions) json.push_back(RegionJson(region));
  return json;
}

Json MemoryRegionsJson(const RegionsByMemory& regions) {
  Json json = Json::object();
  for (std::size_t m = 0; m < regions.size(); ++m) {
    if (regions[m].empty()) continue;
    json[Word(isa::Name(static_cast<Memory>(m)))] = RegionsJson(regions[m]);
  }
  return json;
}

Json MemoriesJson(const Case& c) {
  Json json = Json::object();
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    if (!c.memory[m]) continue;
    const MemoryImage& image = *c.memory[m];
    const auto memory = static_cast<Memory>(m);
    Json entry = {{"fill", fmt::format("{:02x}", image.fill)}};
    if (image.size != isa::CapacityBytes(c.product, memory)) {
      entry["size"] = image.size;
    }
    if (memory == Memory::kGm) entry["size"] = image.size;
    if (!image.regions.empty()) entry["regions"] = RegionsJson(image.regions);
    if (!image.initialised) entry["initialised"] = false;
    json[Word(isa::Name(memory))] = std::move(entry);
  }
  return json;
}

// ---- Program ----------------------------------------------------------------

/// The members of an object.
template <class T>
Json FieldsJson(const T& group);

Json PartJson(const std::string& text) { return text; }

Json PartJson(const isa::Arguments& parameters) {
  Json json = Json::object();
  for (const isa::Argument& one : parameters) {
    Json& value = json[one.name];
    std::visit([&](const auto& argument) { value = argument; }, one.value);
    if (!one.range) continue;
    value = {
        {"value", value}, {"low", one.range->low}, {"high", one.range->high}};
  }
  return json;
}

Json PartJson(const isa::Resource& resource) {
  return PartJson(resource.arguments);
}

Json PartJson(const isa::CarriedOperands& operands) {
  Json json = Json::object();
  for (const auto& [name, operand, align] : operands) {
    Json& fields = json[Word(isa::Name(name))] = FieldsJson(operand);
    if (align) fields["align"] = *align;
  }
  return json;
}

Json PartJson(const isa::CarriedMask& mask) { return FieldsJson(mask); }

template <class T>
Json PartJson(const std::vector<T>& touched) {
  Json json = Json::array();
  for (const T& one : touched) json.push_back(FieldsJson(one));
  return json;
}

struct StepWriter {
  Json& json;
  /// Defaults are written, too, and the type of every operand.
  bool expanded = false;
  DType dtype = DType::kHalf;  ///< the step's

  template <class E>
  void Word(std::string_view name, const E& word) {
    if constexpr (std::same_as<E, DType>) dtype = word;
    json[std::string(name)] = isa::Name(word);
  }
  void Integer(std::string_view name, const std::int64_t& value) {
    json[std::string(name)] = value;
  }
  void HexWord(std::string_view name, const std::uint64_t& value) {
    json[std::string(name)] = lanediff::HexWord(value);
  }
  void Flag(std::string_view name, const bool& flag) {
    json[std::string(name)] = flag;
  }
  void Flag(std::string_view name, const bool& flag, bool otherwise) {
    if (expanded || flag != otherwise) Flag(name, flag);
  }
  template <class Window>
  void Typed(std::string_view name, const Window& window) {
    Group(name, window);
    if (expanded) {
      json[std::string(name)]["dtype"] =
          isa::Name(window.dtype.value_or(dtype));
    }
  }
  void Operand(std::string_view name, const isa::Operand& operand) {
    Typed(name, operand);
  }
  void Tile(std::string_view name, const isa::Tile& tile) { Typed(name, tile); }
  template <class E>
  void OptionalWord(std::string_view name, const std::optional<E>& word) {
    if (word) json[std::string(name)] = isa::Name(*word);
  }
  void MaskWords(std::string_view name,
                 const std::array<std::uint64_t, 2>& words) {
    json[std::string(name)] = {lanediff::HexWord(words[0]),
                               lanediff::HexWord(words[1])};
  }
  void Element(std::string_view name, DType type, const std::uint64_t& bits) {
    json[std::string(name)] = ValueJson(type, bits);
  }
  void Iteration(std::string_view name, const std::int64_t& iteration) {
    if (iteration != 0) Integer(name, iteration);
  }
  void Written(std::string_view name, const isa::CarriedWrite& write) {
    json[std::string(name)] =
        write.bytes.empty()
            ? std::string(2 * static_cast<std::size_t>(write.count), '0')
            : HexBytes(write.bytes);
  }
  void Leaves(std::string_view name, const isa::CarriedMask& mask) {
    if (mask.leaves) MaskWords(name, *mask.leaves);
    if (mask.leaves_unknown) json[std::string(name)] = isa::kUnknownMask;
  }
  template <class T>
  void Part(std::string_view name, const T& part) {
    Json value = PartJson(part);
    if (!value.empty()) json[std::string(name)] = std::move(value);
  }
  template <class T>
  void Group(std::string_view name, const T& group) {
    StepWriter writer{json[std::string(name)], expanded, dtype};
    T::Fields(group, writer);
  }
  void Form(const std::uint8_t&, std::span<const isa::FormKey>) {}
};

template <class T>
Json FieldsJson(const T& group) {
  Json json = Json::object();
  StepWriter writer{json};
  T::Fields(group, writer);
  return json;
}

Json ProgramStepJson(const isa::Step& step, bool expanded) {
  Json json = {{"op", isa::OpName(step)}};
  StepWriter writer{json, expanded};
  std::visit([&](const auto& s) { s.Fields(s, writer); }, step);
  const auto* const call = std::get_if<isa::Call>(&step);
  if (!expanded || call == nullptr) return json;
  for (std::size_t i = 0; i < call->used_operands().size(); ++i) {
    const isa::OperandSpec& spec = call->signature->operands[i];
    if (!spec.has_own_type || call->operands[i].dtype) continue;
    json[std::string(spec.name)]["dtype"] = isa::Name(call->TypeOf(i));
  }
  return json;
}

// ---- Expectation and the rest -----------------------------------------------

Json RulesJson(const std::vector<isa::RuleId>& rules) {
  Json json = Json::array();
  for (isa::RuleId rule : rules) json.push_back(rule.text());
  return json;
}

Json ExpectationJson(const Expectation& expect) {
  Json json = {{"outcome", expect.rejected ? "rejected" : "executed"}};
  if (expect.rejected) {
    json["step"] = expect.step;
    json["rules"] = RulesJson(expect.rules);
  }
  if (expect.findings) json["findings"] = RulesJson(*expect.findings);
  if (expect.notes) json["notes"] = RulesJson(*expect.notes);
  if (expect.memory) json["memory"] = MemoryRegionsJson(*expect.memory);
  if (expect.memory_open()) json["memory"] = kAnyMemory;
  return json;
}

}  // namespace

std::string HexBytes(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex(2 * bytes.size(), '0');
  char* to = hex.data();
  for (const std::uint8_t byte : bytes) {
    *to++ = kDigits[byte / 16];
    *to++ = kDigits[byte % 16];
  }
  return hex;
}

Json StepJson(const isa::Step& step) { return ProgramStepJson(step, false); }

Json ExpandedStepJson(const isa::Step& step) {
  return ProgramStepJson(step, true);
}

std::string WriteCase(const Case& c) {
  Json json = {{"format", FormatOf(c)}, {"id", c.id}};
  if (!c.note.empty()) json["note"] = c.note;
  json["product"] = isa::Name(c.product);
  if (c.edition != isa::kNewestEdition) json["edition"] = isa::Name(c.edition);
  json["memory"] = MemoriesJson(c);
  if (c.lint.sync) json["sync"] = {{"auto", c.lint.sync->automatic}};
  if (c.lint.start_unknown) json["start"] = {{"mask", "unknown"}};
  if (c.lint.propagate) json["init"] = "propagate";
  Json& program = json["program"] = Json::array();
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    program.push_back(StepJson(c.program[i]));
    const StepSource* const source = SourceOf(c, i);
    if (source != nullptr) program.back()["source"] = RecordJson(*source);
  }
  if (c.expect) json["expect"] = ExpectationJson(*c.expect);
  if (c.origin) json["origin"] = RecordJson(*c.origin);
  if (!c.requirement.empty()) json["requirement"] = RulesJson(c.requirement);
  return LayOut(json);
}

std::string WriteOutcome(const Outcome& outcome, std::string_view id) {
  Json json = Json::object();
  if (!id.empty()) json["case"] = id;
  constexpr std::string_view kWords[] = {"executed", "rejected", "unsupported"};
  json["outcome"] = kWords[static_cast<std::size_t>(outcome.status)];
  if (outcome.status != Outcome::Status::kExecuted) {
    json["step"] = outcome.step;
  }
  if (outcome.rules) json["rules"] = RulesJson(*outcome.rules);
  if (outcome.notes) json["notes"] = RulesJson(*outcome.notes);
  if (outcome.memory) json["memory"] = MemoryRegionsJson(*outcome.memory);
  if (!outcome.observed.empty()) json["target"] = outcome.observed;
  return LayOut(json);
}

}  // namespace lanediff
