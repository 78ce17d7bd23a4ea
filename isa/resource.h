#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/carried.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// Calls of a kernel that touch no byte: launch and block, TPipe, queues and
/// buffers, events, atomic mode. What they mean: sanitizer/resources/machine.h.
namespace lanediff::isa {

/// Which call, by the documents' name where it has one. `kDeclared`,
/// `kUnknownExtent` speak of an operand of the next step, `kNoTensor` of a call
/// that could not be made, `kMaskMode` of the SetVectorMask before. New ones
/// come last.
enum class ResourceName : std::uint8_t {
  kLaunch,
  kBlock,
  kTPipe,
  kDestroy,
  kReset,
  kInitSocState,
  kInitBuffer,
  kAllocTensor,
  kEnQue,
  kDeQue,
  kFreeTensor,
  kLocalTensor,
  kLocalMemAllocator,
  kAllocEventID,
  kReleaseEventID,
  kSetAtomic,
  kSyncAll,
  kSetDeqScale,
  kDeclared,
  kUnknownExtent,
  kNoTensor,
  kMaskMode,
};

template <>
struct Words<ResourceName> {
  static constexpr std::array<std::string_view, 22> kSpelling = {
      "Launch",
      "Block",
      "TPipe",
      "Destroy",
      "Reset",
      "InitSocState",
      "InitBuffer",
      "AllocTensor",
      "EnQue",
      "DeQue",
      "FreeTensor",
      "LocalTensor",
      "LocalMemAllocator",
      "AllocEventID",
      "ReleaseEventID",
      "SetAtomic",
      "SyncAll",
      "SetDeqScale",
      "Declared",
      "UnknownExtent",
      "NoTensor",
      "MaskMode"};
};

/// What an argument is: any integer of 64 bits, or a word of a list.
enum class ArgumentKind : std::uint8_t {
  kInteger,
  kPosition,
  kMemory,
  kEvent,
  kOperand,
  kAtomic,
  kMode,
  kText,
};

/// One argument of a resource; which a resource takes stands in `FormOf`.
struct ArgumentForm {
  std::string_view name;
  ArgumentKind kind = ArgumentKind::kInteger;
  bool optional = false;
};

/// The arguments of `name` in the order in which cases have them.
std::span<const ArgumentForm> FormOf(ResourceName name);

/// The words that an argument of `kind` may be; none where any text is.
std::span<const std::string_view> WordsOf(ArgumentKind kind);

struct Resource {
  static constexpr std::string_view kOp = "Resource";

  ResourceName name = ResourceName::kLaunch;
  /// Those of `FormOf(name)`, in its order.
  Arguments arguments;

  bool operator==(const Resource&) const = default;

  /// The integer, or nothing where it was left out.
  std::optional<std::int64_t> Integer(std::string_view argument) const;
  /// The word, or "" where it was left out.
  std::string_view Text(std::string_view argument) const;

  static void Fields(auto& s, auto& v) {
    v.Word("name", s.name);
    v.Part("arguments", s);
  }
};

/// Rules of kernels beside those of unaudited calls.
namespace krn {
inline constexpr RuleId kUbCapacity{"KRN-UB-CAPACITY"};
inline constexpr RuleId kBuffers{"KRN-BUFFERS"};
inline constexpr RuleId kTPipe{"KRN-TPIPE"};
inline constexpr RuleId kQueue{"KRN-QUEUE"};
inline constexpr RuleId kQueueLeft{"KRN-QUEUE-LEFT"};
inline constexpr RuleId kFreed{"KRN-FREED"};
inline constexpr RuleId kTensor{"KRN-TENSOR"};
inline constexpr RuleId kDeclared{"KRN-DECLARED"};
inline constexpr RuleId kGmExtent{"KRN-GM-EXTENT"};
inline constexpr RuleId kPosition{"KRN-POSITION"};
inline constexpr RuleId kAtomicUnknown{"KRN-ATOMIC-UNKNOWN"};
inline constexpr RuleId kMaskMode{"KRN-MASK-MODE"};
inline constexpr RuleId kMaskLeft{"KRN-MASK-LEFT"};
inline constexpr RuleId kGmConflict{"KRN-GM-CONFLICT"};
inline constexpr RuleId kSyncAll{"KRN-SYNCALL"};
inline constexpr RuleId kEvent{"KRN-EVENT"};
}  // namespace krn

}  // namespace lanediff::isa
