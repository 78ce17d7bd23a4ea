#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <variant>

#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "reports/export/snippet.h"

namespace lanediff::exports {
namespace {

using isa::Memory;
using isa::Pipe;

/// A position in `memory` at which all of it can be taken as one tensor.
std::string_view WholePosition(Memory memory) {
  switch (memory) {
    case Memory::kUb:
      return "VECCALC";
    case Memory::kL1:
      return "A1";
    case Memory::kL0c:
      return "CO1";
    case Memory::kBt:
      return "C2";
    default:
      return "C2PIPE2GM";
  }
}

/// Memories that a copy from GM fills; the others have no such route.
bool Loaded(Memory memory) {
  return memory == Memory::kUb || memory == Memory::kL1;
}

/// The pipe that executes `step`; none for steps without one, and for copies
/// along no documented route.
std::optional<Pipe> PipeOf(const isa::Step& step, isa::Product product) {
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return std::nullopt;
  if (!call->Is(isa::Family::kCopy)) return Pipe::kV;
  using Route = std::pair<Memory, Memory>;
  const Route route{isa::MemoryAt(product, call->src(0).position),
                    isa::MemoryAt(product, call->dst().position)};
  if (route.first == Memory::kGm) return Pipe::kMte2;
  if (route.second == Memory::kGm || route == Route{Memory::kUb, Memory::kL1}) {
    return Pipe::kMte3;
  }
  if (route == Route{Memory::kUb, Memory::kUb}) return Pipe::kV;
  if (route.second == Memory::kBt) return Pipe::kMte1;
  if (route.second == Memory::kFb) return Pipe::kFix;
  return std::nullopt;
}

class AscendcWriter : public CppWriter {
 public:
  void Write() {
    WriteHead("Ascend C");
    WriteHowTo();
    out_.Blank();
    WriteIncludes("\"kernel_operator.h\"");
    for (const MemoryData& one : data_) {
      WriteSize(one, (one.size + 31) / 32 * 32, "DataBlocks");
    }
    out_.Blank();
    WriteFillFunctions();
    WriteKernel();
  }

 private:
  /// The memories that the host fills, each behind `type`.
  std::string Arguments(std::string_view type) {
    std::string arguments;
    for (const MemoryData& one : data_) {
      if (one.memory != Memory::kGm && !Loaded(one.memory)) continue;
      arguments += fmt::format("{}{}{}", arguments.empty() ? "" : ", ", type,
                               MemoryVariable(one.memory));
    }
    return arguments;
  }

  void WriteHowTo() {
    const std::string arguments = Arguments("");
    if (arguments.empty()) return;
    out_.Comment("");
    out_.Comment(
        "To run: fill a buffer for each of {} on the host with its Fill "
        "function, copy them to the device, launch the kernel on one core, "
        "copy them back and compare.",
        arguments);
    if (HasStaticTensors(c_.product)) {
      out_.Comment(
          "Operands are tensors at fixed addresses (static tensor "
          "programming), so that each lies at the byte that the case gives.");
    } else {
      out_.Comment(
          "This product has no static tensors. A TBuf takes each whole memory "
          "and operands are cut out of it at the byte that the case gives; "
          "their position is then that of the TBuf.");
    }
    for (const MemoryData& one : data_) {
      if (one.memory == Memory::kGm || Loaded(one.memory)) continue;
      out_.Comment(
          "{} can be neither filled from GM nor read back: the kernel starts "
          "on what it holds, Fill{} writes what the case has there.",
          isa::Name(one.memory), MemoryWord(one.memory));
    }
  }

  void WriteKernel() {
    out_.Line("extern \"C\" __global__ __aicore__ void {}(", KernelName(c_));
    out_.Line("    {}) {{", Arguments("__gm__ uint8_t* "));
    out_.Indent(2);
    WriteTaskType();
    WriteLoads();
    WriteState();
    WriteCalls();
    WriteStores();
    out_.Outdent(2);
    out_.Line("}");
  }

  void WriteTaskType() {
    if (!HasMixedCores(c_.product)) return;
    const bool cube = Has(Memory::kL1) || Has(Memory::kL0c) ||
                      Has(Memory::kBt) || Has(Memory::kFb);
    if (cube && Has(Memory::kUb)) {
      out_.Comment("UB and L1 belong to different cores of this product.");
    }
    out_.Line("KERNEL_TASK_TYPE_DEFAULT({});", !cube ? "KERNEL_TYPE_AIV_ONLY"
                                               : Has(Memory::kUb)
                                                   ? "KERNEL_TYPE_MIX_AIC_1_1"
                                                   : "KERNEL_TYPE_AIC_ONLY");
  }

  void DeclareWhole(const MemoryData& one) {
    const std::string name = MemoryVariable(one.memory);
    const std::string word = MemoryWord(one.memory);
    const std::string_view position = WholePosition(one.memory);
    if (HasStaticTensors(c_.product)) {
      out_.Line("AscendC::LocalTensor<uint8_t> {}All(", name);
      out_.Line("    AscendC::TPosition::{}, 0, k{}Bytes);", position, word);
      return;
    }
    out_.Line("AscendC::TBuf<AscendC::TPosition::{}> {}Buffer;", position,
              name);
    out_.Line("pipe.InitBuffer({}Buffer, k{}Bytes);", name, word);
    out_.Line("AscendC::LocalTensor<uint8_t> {}All = {}Buffer.Get<uint8_t>();",
              name, name);
  }

  void WriteLoads() {
    const bool local = std::ranges::any_of(
        data_, [](const MemoryData& one) { return one.memory != Memory::kGm; });
    if (local && !HasStaticTensors(c_.product)) {
      out_.Line("AscendC::TPipe pipe;");
    }
    for (const MemoryData& one : data_) {
      if (one.memory == Memory::kGm) continue;
      // Where tensors are static, no tensor uses the memories that no copy
      // fills.
      if (!Loaded(one.memory) && HasStaticTensors(c_.product)) continue;
      DeclareWhole(one);
      if (!Loaded(one.memory)) continue;
      const std::string name = MemoryVariable(one.memory);
      const std::string word = MemoryWord(one.memory);
      out_.Line("AscendC::GlobalTensor<uint8_t> {}Image;", name);
      out_.Line("{}Image.SetGlobalBuffer({}, k{}Bytes);", name, name, word);
      out_.Line("AscendC::DataCopy({}All, {}Image, k{}Bytes);", name, name,
                word);
    }
    out_.Line("AscendC::PipeBarrier<PIPE_ALL>();");
    out_.Blank();
  }

  /// The initial state, explicitly: documents disagree on the default.
  void WriteState() {
    const bool used =
        std::ranges::any_of(c_.program, [](const isa::Step& step) {
          const isa::Instruction* const found = isa::InstructionOf(step);
          return found != nullptr && found->masked;
        });
    if (!used) return;
    if (HasMixedCores(c_.product)) {
      out_.Comment(
          "Saturation mode on; see SetCtrlSpr<48, 48> in newer tools.");
      out_.Line(SaturationLine(true));
    }
    out_.Comment("Mask register all ones.");
    out_.Line("AscendC::SetMaskNorm();");
    out_.Line(
        "AscendC::SetVectorMask<half, AscendC::MaskMode::NORMAL>(UINT64_MAX, "
        "UINT64_MAX);");
    out_.Blank();
  }

  void WriteCalls() {
    std::optional<Pipe> busy;
    bool copied = false;
    WriteSteps([&](std::size_t i) {
      const isa::Step& step = c_.program[i];
      if (const auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
        if (barrier->pipe == Pipe::kAll || barrier->pipe == busy) busy.reset();
      }
      const auto pipe = PipeOf(step, c_.product);
      const bool copies = isa::IsOf(step, isa::Family::kCopy);
      if (pipe && busy) WriteOrder(*busy, *pipe, copied && copies);
      if (pipe) {
        busy = pipe;
        copied = copies;
      }
      WriteBlock(i, [&] { WriteAscendcCall(*this, i); });
    });
  }

  /// Steps run in order. Between two copies on one pipe the case itself has
  /// the barriers, because a missing one breaks a rule.
  void WriteOrder(Pipe busy, Pipe next, bool two_copies) {
    constexpr std::string_view kEvents[] = {
        "MTE2_V",    "V_MTE2",    "MTE3_V",    "V_MTE3",   "MTE2_MTE3",
        "MTE3_MTE2", "MTE2_MTE1", "MTE1_MTE2", "V_MTE1",   "MTE1_V",
        "MTE1_MTE3", "MTE3_MTE1", "MTE2_FIX",  "FIX_MTE2", "FIX_MTE3"};
    if (busy == next) {
      if (next == Pipe::kV && !two_copies) {
        out_.Line("AscendC::PipeBarrier<PIPE_V>();  // keeps the order");
      }
      return;
    }
    const std::string event =
        fmt::format("{}_{}", isa::Name(busy), isa::Name(next));
    // Flags of the program's own are left to it.
    if (HasFlags() || std::ranges::find(kEvents, event) == std::end(kEvents)) {
      out_.Line("AscendC::PipeBarrier<PIPE_ALL>();  // keeps the order");
      return;
    }
    out_.Comment("{} waits for {}.", isa::Name(next), isa::Name(busy));
    out_.Line("AscendC::SetFlag<AscendC::HardEvent::{}>(EVENT_ID0);", event);
    out_.Line("AscendC::WaitFlag<AscendC::HardEvent::{}>(EVENT_ID0);", event);
  }

  bool HasFlags() const {
    return std::ranges::any_of(c_.program, [](const isa::Step& step) {
      return std::holds_alternative<isa::SetFlag>(step) ||
             std::holds_alternative<isa::WaitFlag>(step);
    });
  }

  void WriteStores() {
    out_.Blank();
    out_.Line("AscendC::PipeBarrier<PIPE_ALL>();");
    for (const MemoryData& one : data_) {
      if (!Loaded(one.memory)) continue;
      const std::string name = MemoryVariable(one.memory);
      if (one.memory == Memory::kL1 && !HasMixedCores(c_.product)) {
        out_.Comment("From L1 to GM this product has no route.");
        continue;
      }
      out_.Line("AscendC::DataCopy({}Image, {}All, k{}Bytes);", name, name,
                MemoryWord(one.memory));
    }
  }
};

}  // namespace

bool HasMixedCores(isa::Product product) {
  return product == isa::Product::kAtlasA2 || product == isa::Product::kAtlasA3;
}

bool HasStaticTensors(isa::Product product) {
  return product != isa::Product::kAtlasTraining &&
         product != isa::Product::kAtlas200i500A2;
}

void WriteAscendc(const SnippetWriter& writer) {
  AscendcWriter{{writer}}.Write();
}

}  // namespace lanediff::exports
