// Min of Ascend C, form count, of int32: model target check model
#include <lanediff/check.h>
#include <lanediff/target.h>

#include <algorithm>
#include <cstring>
#include <memory>

using namespace lanediff;

class Model : public Session {
 public:
  explicit Model(isa::Memories memories) : ub_(memories[isa::Memory::kUb]) {}

  isa::StepResult Execute(const isa::Step& step) override {
    using enum isa::StepResult::Status;
    if (const auto* const set = std::get_if<isa::SetValue>(&step)) {
      const bool can = Holds(set->dst, set->index, 1);
      if (can) std::memcpy(&ub_[set->dst.at + 4 * set->index], &set->value, 4);
      return {
          .status = can ? kExecuted : kUnsupported, .rules = {}, .notes = {}};
    }
    // The other steps that are no calls change no byte, and nothing that the
    // form count depends on.
    const auto* const call = std::get_if<isa::Call>(&step);
    if (call == nullptr) return {};
    const isa::Operand& dst = call->dst();
    const isa::Operand& src0 = call->src(0);
    const isa::Operand& src1 = call->src(1);
    const std::int64_t count =
        std::max<std::int64_t>((*call)[isa::Param::kCount], 0);
    const bool can = call->Has(isa::Param::kCount) && Holds(dst, 0, count) &&
                     Holds(src0, 0, count) && Holds(src1, 0, count);
    for (std::int64_t i = 0; can && i < count; ++i) {
      std::int32_t a = 0, b = 0;
      std::memcpy(&a, &ub_[src0.at + 4 * i], 4);
      std::memcpy(&b, &ub_[src1.at + 4 * i], 4);
      std::memcpy(&ub_[dst.at + 4 * i], a < b ? &a : &b, 4);
    }
    return {.status = can ? kExecuted : kUnsupported, .rules = {}, .notes = {}};
  }

 private:
  /// Whether elements `from` to `from + count - 1` of the operand lie in UB.
  bool Holds(const isa::Operand& operand, std::int64_t from,
             std::int64_t count) const {
    if (count == 0) return true;
    const auto size = static_cast<std::int64_t>(ub_.size());
    if (operand.at < 0 || operand.at > size) return false;
    const std::int64_t all = (size - operand.at) / 4;
    return from >= 0 && from <= all && count <= all - from;
  }
  std::span<std::uint8_t> ub_;
};

class ModelTarget : public StepwiseTarget {
 public:
  std::string_view name() const override { return "model"; }
  std::string_view description() const override { return "Min of int32"; }
  Capabilities capabilities() const override {
    return {.instructions = {{"Min"}},
            .dtypes = {{isa::DType::kInt32}},
            .forms = {{"count"}},
            .legality = Capabilities::Legality::kNone,
            .notes = false};
  }
  std::unique_ptr<Session> Open(isa::Profile,
                                isa::Memories memories) const override {
    return std::make_unique<Model>(memories);
  }
};

int main(int argc, char** argv) {
  RegisterTarget(std::make_unique<ModelTarget>());
  return RunProgram(argc, argv);
}
