// The oracle's accesses, which lint and its model share, against a listing of
// their own: which bytes an executed call changes, and which change its result.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/case_writer.h"
#include "emulator/emulator.h"
#include "generators/random/generate.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {
namespace {

using isa::DType;
using isa::Memory;
using Status = isa::StepResult::Status;
using Byte = std::pair<Memory, std::int64_t>;

/// Of all memories of a case: each run looks at every byte.
constexpr std::int64_t kMostMemory = std::int64_t{512} << 10;

/// 1, 64 and −64 (of unsigned types 192) as elements.
std::array<std::uint64_t, 3> ElementsOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return {0x3c00, 0x5400, 0xd400};
    case DType::kBfloat16:
      return {0x3f80, 0x4280, 0xc280};
    case DType::kFloat:
      return {0x3f800000, 0x42800000, 0xc2800000};
    case DType::kDouble:
      return {0x3ff0000000000000, 0x4050000000000000, 0xc050000000000000};
    default:
      return {1, 64, ~std::uint64_t{63}};
  }
}

std::vector<isa::Access> WithoutScratch(std::vector<isa::Access> accesses) {
  std::erase_if(accesses, [](const isa::Access& access) {
    return access.operand == kScratch;
  });
  return accesses;
}

std::set<Byte> BytesOf(const std::vector<isa::Access>& accesses, bool write) {
  std::set<Byte> bytes;
  for (const isa::Access& access : accesses) {
    if (access.write != write) continue;
    for (std::int64_t at = access.at; at < access.at + access.bytes; ++at) {
      bytes.emplace(access.memory, at);
    }
  }
  return bytes;
}

/// The state steps of a case before its first intrinsic, and that one.
class OneCall {
 public:
  explicit OneCall(const Case& c) : c_(c) {
    for (const isa::Step& step : c.program) {
      if (isa::IsCall(step) ||
          std::holds_alternative<isa::SetVectorMask>(step) ||
          std::holds_alternative<isa::SetSaturation>(step)) {
        steps_.push_back(step);
      }
      if (!isa::IsCall(step)) continue;
      // A NaN leaves nothing of what is added to it.
      auto& call = std::get<isa::Call>(steps_.back());
      if (call.Has(isa::Param::kScalar) && !call.Is(isa::Family::kCopy)) {
        call.scalar = ElementsOf(call.dtype)[0];
      }
      break;
    }
    const auto named = MemoriesOf(c);
    for (std::size_t m = 0; m < bytes_.size(); ++m) {
      if (!named[m]) continue;
      bytes_[m].resize(
          static_cast<std::size_t>(SizeOf(c, static_cast<Memory>(m))));
    }
  }

  /// What the oracle lists; nothing where the call is rejected or long.
  std::vector<isa::Access> Listed() {
    oracle::Oracle oracle(c_.product, Memories());
    oracle.set_computing(false);
    for (const isa::Step& step : steps_) {
      if (oracle.Execute(step).status != Status::kExecuted) return {};
    }
    accesses_ = WithoutScratch(oracle.accesses());
    std::int64_t total = 0;
    for (const isa::Access& access : accesses_) total += access.bytes;
    if (total > 20000) accesses_.clear();
    return accesses_;
  }

  /// All elements are 1 but for those of `others`; what is written afterwards.
  using Elements = std::vector<std::pair<isa::Access, std::uint64_t>>;
  std::map<Byte, std::uint8_t> Run(const Elements& others,
                                   const std::map<Byte, std::uint8_t>& before) {
    for (auto& memory : bytes_) std::ranges::fill(memory, std::uint8_t{0x3c});
    for (const isa::Access& access : accesses_) {
      if (!access.write) Put(access, ElementsOf(access.dtype)[0]);
    }
    for (const auto& [byte, value] : before) At(byte) = value;
    for (const auto& [access, value] : others) Put(access, value);
    const auto start = bytes_;
    emulator::Emulator emulator(c_.product, Memories());
    for (const isa::Step& step : steps_) {
      EXPECT_EQ(emulator.Execute(step).status, Status::kExecuted);
    }
    std::map<Byte, std::uint8_t> left;
    for (const Byte& byte : written()) left[byte] = At(byte);
    for (std::size_t m = 0; m < bytes_.size(); ++m) {
      for (std::size_t at = 0; at < bytes_[m].size(); ++at) {
        if (bytes_[m][at] == start[m][at]) continue;
        changed.emplace(static_cast<Memory>(m), static_cast<std::int64_t>(at));
      }
    }
    return left;
  }

  std::set<Byte> written() const { return BytesOf(accesses_, true); }
  std::set<Byte> read() const { return BytesOf(accesses_, false); }
  std::string op() const { return std::string(isa::OpName(steps_.back())); }

  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const auto& memory : bytes_) {
      sum += static_cast<std::int64_t>(memory.size());
    }
    return sum;
  }

  std::set<Byte> changed;

 private:
  isa::Memories Memories() {
    isa::Memories memories;
    for (std::size_t m = 0; m < bytes_.size(); ++m) {
      memories[static_cast<Memory>(m)] = bytes_[m];
    }
    return memories;
  }
  std::uint8_t& At(const Byte& byte) {
    return bytes_[static_cast<std::size_t>(byte.first)]
                 [static_cast<std::size_t>(byte.second)];
  }
  void Put(const isa::Access& access, std::uint64_t value) {
    const std::int64_t size = isa::SizeBytes(access.dtype);
    for (std::int64_t i = 0; i < access.bytes; ++i) {
      At({access.memory, access.at + i}) =
          static_cast<std::uint8_t>(value >> (8 * (i % size)));
    }
  }

  const Case& c_;
  std::vector<isa::Step> steps_;
  std::vector<isa::Access> accesses_;
  std::array<std::vector<std::uint8_t>, isa::kCount<Memory>> bytes_;
};

/// Bytes that are written hold the same whatever they held; others change
/// never. In-place results are skipped, as their old bytes are sources.
void ExpectWrites(OneCall& call) {
  const auto reads = call.read();
  std::map<Byte, std::uint8_t> old[2];
  for (const Byte& byte : call.written()) {
    if (reads.contains(byte)) continue;
    old[0][byte] = 0x5a;
    old[1][byte] = 0xa5;
  }
  const auto first = call.Run({}, old[0]);
  const auto second = call.Run({}, old[1]);
  for (const auto& [byte, unused] : old[0]) {
    ASSERT_EQ(first.at(byte), second.at(byte))
        << call.op() << " is listed to write byte " << byte.second;
  }
  for (const Byte& byte : call.changed) {
    ASSERT_TRUE(first.contains(byte))
        << call.op() << " writes byte " << byte.second;
  }
}

/// No byte is written twice, read as a source and written, or read as two
/// operands, whose
/// difference is always 0: what an iteration makes of its sources is there at
/// the end.
bool KeepsEveryResult(const OneCall& call,
                      const std::vector<isa::Access>& accesses) {
  const auto written = call.written();
  std::size_t bytes = 0;
  std::map<Byte, std::string_view> readers;
  for (const isa::Access& access : accesses) {
    if (access.write) {
      bytes += static_cast<std::size_t>(access.bytes);
      continue;
    }
    for (std::int64_t i = 0; i < access.bytes; ++i) {
      const auto one = readers.try_emplace(Byte(access.memory, access.at + i),
                                           access.operand);
      if (one.first->second != access.operand) return false;
    }
  }
  if (bytes != written.size()) return false;
  return std::ranges::none_of(written, [&](const Byte& byte) {
    const auto reader = readers.find(byte);
    return reader != readers.end() && reader->second != "dst";
  });
}

/// Of a call that reads dst, too: all lanes have the same inputs here, so that
/// every element that is listed to be written changes, or none does.
void ExpectChangesOfDst(OneCall& call,
                        const std::vector<isa::Access>& accesses) {
  if (std::ranges::none_of(accesses, [](const isa::Access& access) {
        return !access.write && access.operand == "dst";
      })) {
    return;
  }
  call.changed.clear();
  call.Run({}, {});
  if (call.changed.empty()) return;
  for (const isa::Access& access : accesses) {
    if (!access.write) continue;
    const std::int64_t size = isa::SizeBytes(access.dtype);
    for (std::int64_t at = 0; at < access.bytes; at += size) {
      bool changed = false;
      for (std::int64_t i = at; i < at + size; ++i) {
        changed =
            changed || call.changed.contains({access.memory, access.at + i});
      }
      ASSERT_TRUE(changed) << call.op() << " is listed to write byte "
                           << access.at + at;
    }
  }
}

/// What else to give elements, each time, for one element to matter. Bits of a
/// selection do where the sources differ, and each source by one of them.
std::vector<OneCall::Elements> ContextsOf(
    const OneCall& call, const std::vector<isa::Access>& accesses) {
  if (call.op() != "Select") return {{}};
  std::vector<OneCall::Elements> all;
  const bool scalar = std::ranges::none_of(
      accesses,
      [](const isa::Access& access) { return access.operand == "src1"; });
  for (const std::uint64_t bits : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    OneCall::Elements& others = all.emplace_back();
    for (const isa::Access& access : accesses) {
      if (access.operand == "selMask") others.emplace_back(access, bits);
      if (access.operand != (scalar ? "src0" : "src1")) continue;
      others.emplace_back(access, ElementsOf(access.dtype)[1]);
    }
  }
  return all;
}

/// Each element that is read changes the result where it is another.
void ExpectReads(OneCall& call, const std::vector<isa::Access>& accesses,
                 make::Random& random) {
  std::vector<isa::Access> elements;
  for (const isa::Access& access : accesses) {
    if (access.write) continue;
    const std::int64_t size = isa::SizeBytes(access.dtype);
    for (std::int64_t at = 0; at < access.bytes; at += size) {
      isa::Access one = access;
      one.at += at;
      one.bytes = std::min(size, access.bytes - at);
      elements.push_back(one);
    }
  }
  constexpr std::int64_t kMost = 6;
  const auto count = static_cast<std::int64_t>(elements.size());
  const auto contexts = ContextsOf(call, accesses);
  for (std::int64_t i = 0; i < std::min(count, kMost); ++i) {
    const auto number = i == 0   ? count - 1
                        : i == 1 ? 0
                                 : random.Between(0, count - 1);
    const isa::Access& one = elements[static_cast<std::size_t>(number)];
    bool matters = false;
    for (const OneCall::Elements& context : contexts) {
      const auto as_it_is = call.Run(context, {});
      for (const std::size_t other : {0, 1, 2}) {
        const bool bits = one.operand == "selMask";
        OneCall::Elements others = context;
        const std::uint64_t of_bits = other == 0 ? 0 : ~std::uint64_t{0};
        others.emplace_back(one, bits ? of_bits : ElementsOf(one.dtype)[other]);
        matters = matters || call.Run(others, {}) != as_it_is;
      }
    }
    ASSERT_TRUE(matters) << call.op() << " is listed to read " << one.operand
                         << " byte " << one.at << " in iteration "
                         << one.iteration;
  }
}

TEST(Accesses, AreTheBytesThatACallTouches) {
  for (const make::Generator& generator : make::Generators()) {
    if (generator.op.empty() || generator.slug == "program") continue;
    make::Random random(5);
    int checked = 0;
    for (int i = 0; i < 400 && checked < 20 && !testing::Test::HasFailure();
         ++i) {
      make::Plan plan;
      plan.operations = 256;
      plan.few_repeats = plan.untouched = true;
      const Case c = generator.generate(random, plan).c;
      OneCall call(c);
      if (call.bytes() > kMostMemory) continue;
      const auto accesses = call.Listed();
      if (accesses.empty()) continue;
      ExpectWrites(call);
      if (!KeepsEveryResult(call, accesses)) continue;
      ++checked;
      ExpectChangesOfDst(call, accesses);
      ExpectReads(call, accesses, random);
      if (testing::Test::HasFailure()) ADD_FAILURE() << WriteCase(c);
    }
    EXPECT_GE(checked, 20) << generator.slug;
  }
}

}  // namespace
}  // namespace lanediff::lint
