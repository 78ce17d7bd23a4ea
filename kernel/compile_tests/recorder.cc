#include "kernel/compile_tests/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lanediff/kernel_abi.h"

namespace lanediff::recorder {
namespace {

struct Log {
  std::vector<std::string> lines;
  std::vector<std::string> products;
  std::uint64_t returned = 0;
  std::uint64_t held = 0;
  std::uint64_t tiling_key = 0;
  std::int64_t block = 0;
  std::int64_t blocks = 1;
  std::int64_t buffers = 0;
  void* slot = nullptr;
};
Log& log() {
  static Log all;
  return all;
}

constexpr const char* kTypes[] = {
    "int8",   "uint8", "int16",    "uint16", "int32",  "uint32", "int64",
    "uint64", "half",  "bfloat16", "float",  "double", "int4"};
constexpr const char* kForms[] = {"plain", "count", "len", "bits"};

std::string TypeOf(std::uint8_t type) {
  return type == LANEDIFF_NO_DTYPE ? "none" : kTypes[type];
}

std::string TextOf(const lanediff_tensor& tensor) {
  if (tensor.given == 0) return "none";
  return fmt::format("{}+{}/{}:{}", tensor.at, tensor.window, tensor.declared,
                     tensor.position);
}

std::string TextOf(const lanediff_parameter* parameters, std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    const lanediff_parameter& one = parameters[i];
    text +=
        fmt::format(" {}={}", one.name,
                    one.text != nullptr ? one.text : std::to_string(one.value));
  }
  return text;
}

void Record(const char* name, lanediff_site site,
            const std::string& rest = "") {
  log().lines.push_back(fmt::format("{}:{}{}", name, site.line, rest));
}

lanediff_tensor Tensor(std::int64_t at, std::int64_t bytes,
                       std::uint8_t position) {
  return {static_cast<std::uint64_t>(at), bytes, bytes, position, 1};
}

}  // namespace

std::vector<std::string> Take() { return std::exchange(log().lines, {}); }
std::vector<std::string> TakeWithoutPlaces() {
  std::vector<std::string> lines = Take();
  for (std::string& line : lines) {
    const std::size_t colon = line.find(':');
    line.erase(colon, std::min(line.find(' '), line.size()) - colon);
  }
  return lines;
}
const std::vector<std::string>& products() { return log().products; }
void WillReturn(std::uint64_t value) { log().returned = value; }
void WillHold(std::uint64_t bits) { log().held = bits; }

}  // namespace lanediff::recorder

using lanediff::recorder::log;
using lanediff::recorder::Record;
using lanediff::recorder::Tensor;
using lanediff::recorder::TextOf;
using lanediff::recorder::TypeOf;

extern "C" {

const std::int32_t lanediff_kernel_abi = LANEDIFF_KERNEL_ABI;

void lanediff_product(const char* name) { log().products.emplace_back(name); }

std::uint64_t lanediff_execute(const lanediff_call* call) {
  std::string text;
  for (std::uint32_t i = 0; i < call->operand_count; ++i) {
    const lanediff_operand& one = call->operands[i];
    text += fmt::format(" {}={}@{}", one.name, TypeOf(one.dtype),
                        TextOf(one.tensor));
  }
  text += TextOf(call->parameters, call->parameter_count);
  text += fmt::format(" form={}", lanediff::recorder::kForms[call->form]);
  if (call->form >= LANEDIFF_MASK_LEN) {
    text += fmt::format(" mask={:x},{:x}", call->mask[0], call->mask[1]);
  }
  if (call->is_set_mask == 0) text += " register";
  if (call->scalar_dtype != LANEDIFF_NO_DTYPE) {
    text += fmt::format(" scalar={}:{:x}", TypeOf(call->scalar_dtype),
                        call->scalar);
  }
  Record(call->name, call->site, text);
  return log().returned;
}

void lanediff_state(const char* name, const lanediff_parameter* parameters,
                    std::uint32_t parameter_count, lanediff_site site) {
  Record(name, site, TextOf(parameters, parameter_count));
}
std::int64_t lanediff_get_ctrl(std::int32_t low, std::int32_t high) {
  return low + 100 * high;
}
void lanediff_sync_all(lanediff_tensor gm, lanediff_tensor ub,
                       std::int64_t used_cores, lanediff_site site) {
  Record("SyncAll", site,
         fmt::format(" gm={} ub={} usedCores={}", TextOf(gm), TextOf(ub),
                     used_cores));
}
void lanediff_refused(const char* name, const char* why, lanediff_site site) {
  Record("refused", site, fmt::format(" {} ({})", name, why));
}

std::int64_t lanediff_tpipe_begin(lanediff_site site) {
  Record("TPipe", site);
  return 7;
}
void lanediff_tpipe_end(std::int64_t tpipe, lanediff_site site) {
  Record("Destroy", site, fmt::format(" {}", tpipe));
}
void lanediff_tpipe_reset(std::int64_t tpipe, lanediff_site site) {
  Record("Reset", site, fmt::format(" {}", tpipe));
}
std::int64_t lanediff_init_buffer(std::int64_t tpipe, std::uint8_t src,
                                  std::uint8_t dst, std::int64_t depth,
                                  std::int64_t num, std::int64_t len,
                                  std::int64_t at, lanediff_site site) {
  Record("InitBuffer", site,
         fmt::format(" {} src={} dst={} depth={} num={} len={} at={}", tpipe,
                     src, dst, depth, num, len, at));
  return log().buffers++;
}
lanediff_tensor lanediff_alloc_tensor(std::int64_t buffer, lanediff_site site) {
  Record("AllocTensor", site);
  return Tensor(1024 * buffer, 512, LANEDIFF_VECIN);
}
void lanediff_en_que(std::int64_t buffer, lanediff_tensor tensor, std::uint8_t,
                     std::uint8_t, lanediff_site site) {
  Record("EnQue", site, fmt::format(" {} {}", buffer, TextOf(tensor)));
}
lanediff_tensor lanediff_de_que(std::int64_t buffer, lanediff_site site) {
  Record("DeQue", site);
  return Tensor(1024 * buffer, 512, LANEDIFF_VECIN);
}
void lanediff_free_tensor(std::int64_t buffer, lanediff_tensor tensor,
                          lanediff_site site) {
  Record("FreeTensor", site, fmt::format(" {} {}", buffer, TextOf(tensor)));
}
std::int64_t lanediff_queue_count(std::int64_t, std::int32_t what) {
  return what;
}
lanediff_tensor lanediff_get_buffer(std::int64_t, lanediff_site site) {
  Record("Get", site);
  return Tensor(4096, 512, LANEDIFF_VECCALC);
}
lanediff_tensor lanediff_pop_stack_buffer(std::uint8_t position,
                                          lanediff_site site) {
  Record("PopStackBuffer", site);
  return Tensor(8192, 64, position);
}
void** lanediff_block_slot() { return &log().slot; }
lanediff_tensor lanediff_local_tensor(std::uint8_t position, std::int64_t at,
                                      std::int64_t bytes, lanediff_site site) {
  Record("LocalTensor", site,
         fmt::format(" {} at={} bytes={}", position, at, bytes));
  return Tensor(at < 0 ? 4096 : at, bytes, position);
}
void lanediff_local_allocator(const char* memory, lanediff_site site) {
  Record("LocalMemAllocator", site, fmt::format(" {}", memory));
}
std::int32_t lanediff_alloc_event(const char* event, lanediff_site site) {
  Record("AllocEventID", site, fmt::format(" {}", event));
  return 3;
}
std::int32_t lanediff_fetch_event(const char* event, lanediff_site site) {
  Record("FetchEventID", site, fmt::format(" {}", event));
  return 4;
}
void lanediff_release_event(const char* event, std::int32_t id,
                            lanediff_site site) {
  Record("ReleaseEventID", site, fmt::format(" {} {}", event, id));
}

std::uint64_t lanediff_get_value(const lanediff_operand* src,
                                 std::int64_t index, lanediff_site site) {
  Record("GetValue", site,
         fmt::format(" {}={}@{} [{}]", src->name, TypeOf(src->dtype),
                     TextOf(src->tensor), index));
  return log().held;
}
void lanediff_set_value(const lanediff_operand* dst, std::int64_t index,
                        std::uint64_t value, lanediff_site site) {
  Record("SetValue", site,
         fmt::format(" {}={}@{} [{}]={:x}", dst->name, TypeOf(dst->dtype),
                     TextOf(dst->tensor), index, value));
}
lanediff_tensor lanediff_tensor_at(std::uint64_t address) {
  return {address, 32, -1, LANEDIFF_NO_POSITION, 1};
}

void* lanediff_address(lanediff_tensor tensor, lanediff_site site) {
  Record("GetPhyAddr", site, fmt::format(" {}", TextOf(tensor)));
  return nullptr;
}

void lanediff_launch(const char* kernel, std::int64_t blocks,
                     void (*body)(void*), void* context, lanediff_site site) {
  Record("Launch", site, fmt::format(" {} {}", kernel, blocks));
  log().blocks = blocks;
  for (log().block = 0; log().block < blocks; ++log().block) body(context);
  log().block = 0;
  log().blocks = 1;
}
std::int64_t lanediff_block_idx() { return log().block; }
std::int64_t lanediff_block_num() { return log().blocks; }
std::int64_t lanediff_system_cycle() { return 11; }
void* lanediff_gm_alloc(std::uint64_t bytes) { return std::malloc(bytes); }
std::int32_t lanediff_gm_free(void* pointer) {
  std::free(pointer);
  return 1;
}
void lanediff_gm_name(const void*, std::uint64_t bytes) {
  Record("Gm", {nullptr, 0}, fmt::format(" {}", bytes));
}
void lanediff_gm_argument(const void*, std::int64_t, std::int64_t,
                          std::int32_t) {}
void lanediff_set_tiling_key(std::uint64_t key) { log().tiling_key = key; }
std::uint64_t lanediff_tiling_key() { return log().tiling_key; }
void lanediff_last_launch(std::uint64_t counts[LANEDIFF_COUNTS]) {
  for (std::uint64_t i = 0; i < LANEDIFF_COUNTS; ++i) counts[i] = i + 1;
}

}  // extern "C"
