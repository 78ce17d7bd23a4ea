#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/fuzz_input.h"
#include "generators/random/mutate.h"
#include "generators/random/programs.h"
#include "generators/wrapping.h"
#include "isa/resource.h"

namespace lanediff::make {
namespace {

using isa::Memory;
using isa::OperandName;
using isa::Pipe;
using isa::Position;
using Name = isa::ResourceName;

constexpr std::int64_t kMemoryBytes = 16 * 1024;

isa::Argument Number(std::string_view name, std::int64_t value) {
  return {std::string(name), value};
}
isa::Argument Word(std::string_view name, std::string_view value) {
  return {std::string(name), std::string(value)};
}

/// Bytes of an operand.
struct Piece {
  OperandName name;
  Position position;
  std::int64_t at;
  std::int64_t bytes;
};

Memory MemoryOf(Position position) {
  return position == Position::kGm ? Memory::kGm : Memory::kUb;
}

class Writer {
 public:
  Writer(Random& random, Case& c) : random_(random), c_(c) {}

  void Resource(Name name, isa::Arguments arguments = {}) {
    c_.program.emplace_back(isa::Resource{name, std::move(arguments)});
  }

  void Barrier() { c_.program.emplace_back(isa::PipeBarrier{Pipe::kV}); }

  /// A call that reads all of `from` and writes all of `to`, in one to three
  /// iterations.
  void Call(std::string_view name, Pipe pipe, std::vector<Piece> from,
            const Piece& to) {
    isa::Carried call;
    call.name = name;
    call.pipe = pipe;
    call.mask.masked = pipe == Pipe::kV && random_.Percent(40);
    call.mask.is_set_mask = !call.mask.masked || random_.Percent(60);
    if (call.mask.masked && call.mask.is_set_mask) {
      call.mask.leaves = {random_.Bits(), random_.Bits()};
    }
    call.mask.leaves_unknown = !call.mask.leaves && random_.Percent(5);
    call.mask.sets_normal = random_.Percent(10);
    call.parameters = {{"repeatTime", random_.Between(1, 3),
                        isa::ParameterRange{.low = 0, .high = 255}}};
    for (const Piece& piece : from) AddOperand(call, piece);
    AddOperand(call, to);
    const std::int64_t iterations = random_.OneOf<std::int64_t>({1, 1, 2, 3});
    for (std::int64_t i = 0; i < iterations; ++i) {
      for (const Piece& piece : from) {
        const auto [at, bytes] = PartOf(piece, i, iterations);
        call.reads.push_back(
            {MemoryOf(piece.position), at, bytes, i, piece.name});
      }
      const auto [at, bytes] = PartOf(to, i, iterations);
      isa::CarriedWrite write{.memory = MemoryOf(to.position),
                              .at = at,
                              .bytes = {},
                              .iteration = i,
                              .count = bytes,
                              .operand = to.name};
      if (random_.Percent(50)) {
        write.bytes.assign(static_cast<std::size_t>(bytes),
                           static_cast<std::uint8_t>(random_.Between(1, 255)));
        write.count = 0;
      }
      call.writes.push_back(std::move(write));
    }
    c_.program.emplace_back(std::move(call));
  }

 private:
  static void AddOperand(isa::Carried& call, const Piece& piece) {
    call.operands.push_back(
        {piece.name, {piece.position, piece.at, piece.bytes, {}}, {}});
  }
  static std::pair<std::int64_t, std::int64_t> PartOf(const Piece& piece,
                                                      std::int64_t number,
                                                      std::int64_t count) {
    const std::int64_t part = piece.bytes / count / 2 * 2;
    const bool last = number + 1 == count;
    return {piece.at + number * part,
            last ? piece.bytes - number * part : part};
  }

  Random& random_;
  Case& c_;
};

/// One block: in through a queue, a call or two, out through another one.
class Block {
 public:
  Block(Random& random, Writer& writer)
      : random_(random),
        writer_(writer),
        len_(32 * random.Between(1, 8)),
        blocks_(random.Between(1, 2)) {}

  void Begin(std::int64_t number) {
    number_ = number;
    writer_.Resource(Name::kBlock, {Number("block", number)});
    writer_.Resource(Name::kTPipe, {Number("tpipe", number)});
    Queue(0, "VECIN");
    Queue(1, "VECOUT");
    writer_.Resource(
        Name::kInitBuffer,
        {Number("tpipe", number), Number("buffer", 10 * number + 2),
         Word("src", "VECCALC"), Number("num", 1), Number("len", len_)});
  }

  void Tile(std::int64_t turn) {
    const std::int64_t in = turn % blocks_ * len_;
    const std::int64_t out = (blocks_ + turn % blocks_) * len_;
    const std::int64_t calc = 2 * blocks_ * len_;
    const std::int64_t gm = 1024 * (number_ % 4) + turn * len_;
    const Piece from_gm{OperandName::kSrc, Position::kGm, gm, len_};
    Of(Name::kAllocTensor, 0);
    writer_.Call("DataCopyPad", Pipe::kMte2, {from_gm},
                 {OperandName::kDst, Position::kVecin, in, len_});
    Of(Name::kEnQue, 0, in);
    Of(Name::kDeQue, 0);
    writer_.Barrier();
    writer_.Call("Adds", Pipe::kV,
                 {{OperandName::kSrc, Position::kVecin, in, len_}},
                 {OperandName::kDst, Position::kVeccalc, calc, len_});
    if (random_.Percent(60)) {
      writer_.Resource(Name::kSetDeqScale, {Word("scale", "1.0")});
    }
    Of(Name::kAllocTensor, 1);
    writer_.Barrier();
    writer_.Call(random_.Percent(50) ? "AddRelu" : "WholeReduceMax", Pipe::kV,
                 {{OperandName::kSrc0, Position::kVeccalc, calc, len_},
                  {OperandName::kSrc1, Position::kVecin, in, len_}},
                 {OperandName::kDst, Position::kVecout, out, len_});
    Of(Name::kEnQue, 1, out);
    Of(Name::kFreeTensor, 0, in);
    Of(Name::kDeQue, 1);
    const bool adds = random_.Percent(20);
    if (adds) writer_.Resource(Name::kSetAtomic, {Word("operation", "add")});
    writer_.Call("DataCopyPad", Pipe::kMte3,
                 {{OperandName::kSrc, Position::kVecout, out, len_}},
                 {OperandName::kDst, Position::kGm, 8192 + gm, len_});
    if (adds) writer_.Resource(Name::kSetAtomic, {Word("operation", "none")});
    Of(Name::kFreeTensor, 1, out);
  }

  void End() { writer_.Resource(Name::kDestroy, {Number("tpipe", number_)}); }

 private:
  void Queue(std::int64_t which, std::string_view position) {
    writer_.Resource(
        Name::kInitBuffer,
        {Number("tpipe", number_), Number("buffer", 10 * number_ + which),
         Word("src", position), Number("depth", random_.Between(1, 2)),
         Number("num", blocks_), Number("len", len_)});
  }
  void Of(Name name, std::int64_t which, std::int64_t at = -1) {
    isa::Arguments arguments = {Number("buffer", 10 * number_ + which)};
    if (at >= 0) arguments.push_back(Number("at", at));
    writer_.Resource(name, std::move(arguments));
  }

  Random& random_;
  Writer& writer_;
  std::int64_t len_;
  std::int64_t blocks_;
  std::int64_t number_ = 0;
};

/// A number of a resource, or of what a call touches.
void ChangeNumber(Random& random, isa::Step& step) {
  const auto change = [&](std::int64_t& value) {
    value = random.Percent(80)
                ? WrappingSum(value, random.OneOf<std::int64_t>(
                                         {-32, -1, 1, 2, 31, 32, 64}))
                : InterestingInteger(random, "", "", value);
  };
  if (auto* const resource = std::get_if<isa::Resource>(&step)) {
    for (isa::Argument& one : resource->arguments) {
      auto* const value = std::get_if<std::int64_t>(&one.value);
      if (value != nullptr && random.Percent(60)) change(*value);
    }
    return;
  }
  auto* const call = std::get_if<isa::Carried>(&step);
  if (call == nullptr) return;
  switch (random.Between(0, 3)) {
    case 0:
      change(random.AnyOf(call->operands).operand.at);
      return;
    case 1:
      change(random.AnyOf(call->operands).operand.bytes);
      return;
    case 2:
      change(random.AnyOf(call->reads).at);
      return;
    default:
      change(random.AnyOf(call->writes).at);
  }
}

void Spoil(Random& random, Case& c) {
  switch (random.Between(0, 3)) {
    case 0:
      if (c.program.size() > 1) {
        c.program.erase(
            c.program.begin() +
            random.Between(0, static_cast<std::int64_t>(c.program.size()) - 1));
      }
      return;
    case 1:
      std::swap(random.AnyOf(c.program), random.AnyOf(c.program));
      return;
    case 2:
      if (c.program.size() < kMaxFuzzSteps) {
        c.program.push_back(random.AnyOf(c.program));
      }
      return;
    default:
      ChangeNumber(random, random.AnyOf(c.program));
  }
}

}  // namespace

Case KernelProgram(Random& random, std::optional<bool> right) {
  Case c;
  c.id = "generated/kernel";
  c.product = random.Percent(70) ? isa::Product::kAtlasA2
                                 : isa::Product::kAtlasInferenceAicore;
  c.lint.sync = LintFacts::Sync{.automatic = random.Percent(30)};
  c.lint.start_unknown = random.Percent(30);
  c.lint.propagate = random.Percent(60);
  for (const Memory memory : {Memory::kGm, Memory::kUb}) {
    MemoryImage& image = c.memory[static_cast<std::size_t>(memory)].emplace();
    image.size = kMemoryBytes;
    image.initialised = memory == Memory::kGm || random.Percent(20);
  }
  Writer writer(random, c);
  const std::int64_t blocks = random.OneOf<std::int64_t>({1, 1, 2});
  writer.Resource(Name::kLaunch, {Number("blocks", blocks)});
  for (std::int64_t number = 0; number < blocks; ++number) {
    Block block(random, writer);
    block.Begin(number);
    const std::int64_t tiles = blocks == 1 ? random.Between(1, 2) : 1;
    for (std::int64_t turn = 0; turn < tiles; ++turn) block.Tile(turn);
    block.End();
  }
  if (!right.value_or(random.Percent(67))) {
    for (std::int64_t n = random.Between(1, 2); n > 0; --n) Spoil(random, c);
  }
  if (c.program.size() > kMaxFuzzSteps) c.program.resize(kMaxFuzzSteps);
  MakeWellFormed(c);
  return c;
}

}  // namespace lanediff::make
