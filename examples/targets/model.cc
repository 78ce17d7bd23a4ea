// Min of Ascend C, form count, of int32: model target check model
#include <lanediff/check.h>
#include <lanediff/target.h>

#include <cstring>
#include <memory>

using namespace lanediff;

class Model : public Session {
 public:
  explicit Model(isa::Memories memories) : ub_(memories[isa::Memory::kUb]) {}

  isa::StepResult Execute(const isa::Step& step) override {
    using enum isa::StepResult::Status;
    // The form count doesn't look at the mask.
    if (std::holds_alternative<isa::SetVectorMask>(step)) return {};
    const auto* const call = std::get_if<isa::Min>(&step);
    const bool can = call != nullptr && call->form == isa::Min::kCount &&
                     Holds(call->dst, call->count) &&
                     Holds(call->src0, call->count) &&
                     Holds(call->src1, call->count);
    for (std::int64_t i = 0; can && i < call->count; ++i) {
      std::int32_t a = 0, b = 0;
      std::memcpy(&a, &ub_[call->src0.at + 4 * i], 4);
      std::memcpy(&b, &ub_[call->src1.at + 4 * i], 4);
      std::memcpy(&ub_[call->dst.at + 4 * i], a < b ? &a : &b, 4);
    }
    return {.status = can ? kExecuted : kUnsupported, .rules = {}, .notes = {}};
  }

 private:
  bool Holds(const isa::Operand& operand, std::int64_t count) const {
    const auto room = static_cast<std::int64_t>(ub_.size()) - operand.at;
    return operand.at >= 0 && count >= 0 && count <= room / 4;
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
