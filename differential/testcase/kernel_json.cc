#include "differential/testcase/kernel_json.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <variant>

namespace lanediff {
namespace {

using OrderedPart = nlohmann::ordered_json;

OrderedPart ArgumentJson(const isa::Argument& argument) {
  return std::visit([](const auto& value) { return OrderedPart(value); },
                    argument.value);
}

OrderedPart PlaceJson(isa::Memory memory, std::int64_t at) {
  return {{"memory", isa::Name(memory)}, {"at", at}};
}

}  // namespace

std::string HexBytes(std::span<const std::uint8_t> bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (std::uint8_t byte : bytes) {
    fmt::format_to(std::back_inserter(hex), "{:02x}", byte);
  }
  return hex;
}

OrderedPart OperandJson(const isa::Operand& operand) {
  OrderedPart json = {{"position", isa::Name(operand.position)},
                      {"at", operand.at},
                      {"bytes", operand.bytes}};
  if (operand.dtype) json["dtype"] = isa::Name(*operand.dtype);
  return json;
}

OrderedPart PartJson(const std::string& text) { return text; }

OrderedPart PartJson(const isa::Resource& resource) {
  return PartJson(resource.arguments);
}

OrderedPart PartJson(const isa::Arguments& parameters) {
  OrderedPart json = OrderedPart::object();
  for (const isa::Argument& one : parameters) {
    json[one.name] = ArgumentJson(one);
    if (!one.range) continue;
    json[one.name] = {{"value", ArgumentJson(one)},
                      {"low", one.range->low},
                      {"high", one.range->high}};
  }
  return json;
}

OrderedPart PartJson(const isa::CarriedOperands& operands) {
  OrderedPart json = OrderedPart::object();
  for (const auto& [name, operand, align] : operands) {
    OrderedPart fields = OperandJson(operand);
    if (align) fields["align"] = *align;
    json[std::string(isa::Name(name))] = std::move(fields);
  }
  return json;
}

OrderedPart PartJson(const isa::CarriedMask& mask) {
  OrderedPart json = OrderedPart::object();
  if (mask.masked) json["masked"] = true;
  if (!mask.is_set_mask) json["isSetMask"] = false;
  if (mask.leaves) {
    json["leaves"] = {fmt::format("{:#x}", (*mask.leaves)[0]),
                      fmt::format("{:#x}", (*mask.leaves)[1])};
  }
  if (mask.leaves_unknown) json["leaves"] = isa::kUnknownMask;
  if (mask.sets_normal) json["setsNormal"] = true;
  return json;
}

OrderedPart PartJson(const isa::CarriedReads& reads) {
  OrderedPart json = OrderedPart::array();
  for (const isa::CarriedRead& read : reads) {
    OrderedPart fields = PlaceJson(read.memory, read.at);
    fields["bytes"] = read.bytes;
    if (read.iteration != 0) fields["iteration"] = read.iteration;
    if (read.operand) fields["operand"] = isa::Name(*read.operand);
    json.push_back(std::move(fields));
  }
  return json;
}

OrderedPart PartJson(const isa::CarriedWrites& writes) {
  OrderedPart json = OrderedPart::array();
  for (const isa::CarriedWrite& write : writes) {
    OrderedPart fields = PlaceJson(write.memory, write.at);
    fields["hex"] =
        write.bytes.empty()
            ? std::string(2 * static_cast<std::size_t>(write.count), '0')
            : HexBytes(write.bytes);
    if (write.iteration != 0) fields["iteration"] = write.iteration;
    if (write.operand) fields["operand"] = isa::Name(*write.operand);
    json.push_back(std::move(fields));
  }
  return json;
}

OrderedPart SourceJson(const StepSource& source) {
  OrderedPart json = {{"file", source.file}, {"line", source.line}};
  if (source.call) json["call"] = *source.call;
  if (source.block) json["block"] = *source.block;
  if (source.execution) json["execution"] = *source.execution;
  return json;
}

}  // namespace lanediff
