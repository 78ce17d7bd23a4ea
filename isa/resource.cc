#include "isa/resource.h"

#include <algorithm>
#include <array>

#include "isa/carried.h"

namespace lanediff::isa {
namespace {

using Kind = ArgumentKind;

constexpr std::array<std::string_view, 4> kAtomicWords = {"none", "add", "max",
                                                          "min"};

constexpr std::array<std::string_view, 2> kModeWords = {"normal", "counter"};

constexpr ArgumentForm kBlocks[] = {{"blocks"}};
constexpr ArgumentForm kBlock[] = {{"block"}};
constexpr ArgumentForm kTPipe[] = {{"tpipe"}};
constexpr ArgumentForm kInitBuffer[] = {{"tpipe"},
                                        {"buffer"},
                                        {"src", Kind::kPosition},
                                        {"dst", Kind::kPosition, true},
                                        {"depth", Kind::kInteger, true},
                                        {"num"},
                                        {"len"},
                                        {"at", Kind::kInteger, true}};
constexpr ArgumentForm kQueue[] = {{"buffer"}};
constexpr ArgumentForm kTensorOfQueue[] = {{"buffer"}, {"at"}};
constexpr ArgumentForm kEnQue[] = {{"buffer"},
                                   {"at"},
                                   {"src", Kind::kPosition, true},
                                   {"dst", Kind::kPosition, true}};
constexpr ArgumentForm kLocalTensor[] = {
    {"position", Kind::kPosition}, {"at"}, {"bytes"}};
constexpr ArgumentForm kAllocator[] = {{"memory", Kind::kMemory}};
constexpr ArgumentForm kEvent[] = {{"event", Kind::kEvent}};
constexpr ArgumentForm kEventId[] = {{"event", Kind::kEvent}, {"id"}};
constexpr ArgumentForm kAtomic[] = {{"operation", Kind::kAtomic}};
constexpr ArgumentForm kSoft[] = {{"usedCores", Kind::kInteger, true},
                                  {"gmBytes", Kind::kInteger, true},
                                  {"ubBytes", Kind::kInteger, true},
                                  {"gmZero", Kind::kInteger, true}};
constexpr ArgumentForm kScale[] = {{"scale", Kind::kText}};
constexpr ArgumentForm kDeclared[] = {
    {"operand", Kind::kOperand}, {"bytes"}, {"strict", Kind::kInteger, true}};
constexpr ArgumentForm kOperand[] = {{"operand", Kind::kOperand}};
constexpr ArgumentForm kMode[] = {{"mode", Kind::kMode}};
constexpr ArgumentForm kCallOperand[] = {{"call", Kind::kText},
                                         {"operand", Kind::kOperand}};

/// In the order of `ResourceName`.
constexpr std::array<std::span<const ArgumentForm>, kCount<ResourceName>>
    kForms = {kBlocks,      kBlock, kTPipe,         kTPipe,
              kTPipe,       {},     kInitBuffer,    kQueue,
              kEnQue,       kQueue, kTensorOfQueue, kLocalTensor,
              kAllocator,   kEvent, kEventId,       kAtomic,
              kSoft,        kScale, kDeclared,      kOperand,
              kCallOperand, kMode};

/// In the order of `ArgumentKind`.
constexpr std::array<std::span<const std::string_view>, 8> kWords = {
    {{},
     Words<Position>::kSpelling,
     Words<Memory>::kSpelling,
     Words<Event>::kSpelling,
     Words<OperandName>::kSpelling,
     kAtomicWords,
     kModeWords,
     {}}};

}  // namespace

std::span<const ArgumentForm> FormOf(ResourceName name) {
  return kForms[static_cast<std::size_t>(name)];
}

std::span<const std::string_view> WordsOf(ArgumentKind kind) {
  return kWords[static_cast<std::size_t>(kind)];
}

const Argument* Find(const Arguments& arguments, std::string_view name) {
  const auto found = std::ranges::find(arguments, name, &Argument::name);
  return found == arguments.end() ? nullptr : &*found;
}

std::optional<std::int64_t> IntegerOf(const Arguments& arguments,
                                      std::string_view name) {
  const Argument* const found = Find(arguments, name);
  if (found == nullptr) return std::nullopt;
  const auto* const value = std::get_if<std::int64_t>(&found->value);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::string_view TextOf(const Arguments& arguments, std::string_view name) {
  const Argument* const found = Find(arguments, name);
  const auto* const text =
      found == nullptr ? nullptr : std::get_if<std::string>(&found->value);
  return text == nullptr ? std::string_view() : *text;
}

std::optional<std::int64_t> Resource::Integer(std::string_view argument) const {
  return IntegerOf(arguments, argument);
}

std::string_view Resource::Text(std::string_view argument) const {
  return TextOf(arguments, argument);
}

}  // namespace lanediff::isa
