#include "kernel/compile_tests/pto/tests/recording_abi.h"

namespace recording {
std::vector<RecordedCall> recorded;
const char* product = "";

namespace {

RecordedCall& Add(const char* name, lanediff_site site) {
  recorded.push_back({});
  recorded.back().name = name;
  recorded.back().line = site.line;
  return recorded.back();
}

void AddParameters(RecordedCall& to, const lanediff_parameter* parameters,
                   std::uint32_t count) {
  for (std::uint32_t k = 0; k < count; ++k) {
    to.order.emplace_back(parameters[k].name);
    if (parameters[k].text != nullptr) {
      to.words[parameters[k].name] = parameters[k].text;
    } else {
      to.numbers[parameters[k].name] = parameters[k].value;
    }
  }
}

}  // namespace
}  // namespace recording

extern "C" {

extern const std::int32_t lanediff_kernel_abi = LANEDIFF_KERNEL_ABI;

void lanediff_product(const char* name) { recording::product = name; }

std::uint64_t lanediff_execute(const lanediff_call* call) {
  recording::RecordedCall& to = recording::Add(call->name, call->site);
  for (std::uint32_t k = 0; k < call->operand_count; ++k) {
    const lanediff_operand& one = call->operands[k];
    to.operands.push_back({one.name, one.tensor.at, one.tensor.window,
                           one.tensor.position, one.dtype});
  }
  recording::AddParameters(to, call->parameters, call->parameter_count);
  return 0;
}

void lanediff_state(const char* name, const lanediff_parameter* parameters,
                    std::uint32_t parameter_count, lanediff_site site) {
  recording::AddParameters(recording::Add(name, site), parameters,
                           parameter_count);
}

lanediff_tensor lanediff_local_tensor(std::uint8_t position, std::int64_t at,
                                      std::int64_t bytes, lanediff_site site) {
  recording::RecordedCall& to = recording::Add("LocalTensor", site);
  to.numbers = {{"position", position}, {"at", at}, {"bytes", bytes}};
  lanediff_tensor tensor = {};
  tensor.at = static_cast<std::uint64_t>(at < 0 ? 4096 : at);
  tensor.window = bytes;
  tensor.declared = -1;
  tensor.position = position;
  tensor.given = 1;
  return tensor;
}

void lanediff_refused(const char* name, const char* why, lanediff_site site) {
  throw recording::Refused{name, why, site.line};
}

std::int64_t lanediff_block_idx(void) { return 5; }

}  // extern "C"
