// The C ABI of kernels: each function is a call of the engine, made by the
// block of the thread that calls.

#include <cstdint>
#include <string_view>

#include "kernel/launch/run.h"
#include "lanediff/kernel_abi.h"

namespace {

using lanediff::host::Run;
using lanediff::kernel::Engine;
using lanediff::kernel::Gm;

constexpr lanediff_site kNowhere = {"", 0};

}  // namespace

extern "C" {

extern const std::int32_t lanediff_kernel_abi;
const std::int32_t lanediff_kernel_abi = LANEDIFF_KERNEL_ABI;

void lanediff_product(const char* name) { Run::Of().Product(name); }

std::uint64_t lanediff_execute(const lanediff_call* call) {
  std::uint64_t returned = 0;
  lanediff_call placed = *call;
  placed.site = Run::Of().Placed(call->site);
  Run::Of().Step(call->name, placed.site,
                 [&](Engine& e) { return e.Execute(placed, returned); });
  return returned;
}

void lanediff_state(const char* name, const lanediff_parameter* parameters,
                    std::uint32_t parameter_count, lanediff_site site) {
  if (std::string_view(name) == "InitSocState") Run::Of().EndDirectBlock();
  Run::Of().Step(name, site, [&](Engine& e) {
    return e.State(name, parameters, parameter_count, site);
  });
  if (std::string_view(name) == "SyncAll") Run::Of().Pause();
}

std::int64_t lanediff_get_ctrl(std::int32_t low, std::int32_t high) {
  return Run::Of().Query("GetCtrlSpr", kNowhere,
                         [&](Engine& e) { return e.GetCtrl(low, high); });
}

void lanediff_sync_all(lanediff_tensor gm, lanediff_tensor ub,
                       std::int64_t used_cores, lanediff_site site) {
  Run::Of().SyncAll(gm, ub, used_cores, site);
}

void lanediff_refused(const char* name, const char* why, lanediff_site site) {
  Run::Of().Step(name, site,
                 [&](Engine& e) { return e.Refuse(name, why, site); });
}

std::int64_t lanediff_tpipe_begin(lanediff_site site) {
  return Run::Of().BeginTPipe(site);
}

void lanediff_tpipe_end(std::int64_t tpipe, lanediff_site site) {
  Run::Of().EndTPipe(tpipe, site);
}

void lanediff_tpipe_reset(std::int64_t tpipe, lanediff_site site) {
  Run::Of().Step("Reset", site,
                 [&](Engine& e) { return e.ResetTPipe(tpipe, site); });
}

std::int64_t lanediff_init_buffer(std::int64_t tpipe, std::uint8_t src,
                                  std::uint8_t dst, std::int64_t depth,
                                  std::int64_t num, std::int64_t len,
                                  std::int64_t at, lanediff_site site) {
  std::int64_t buffer = 0;
  Run::Of().Step("InitBuffer", site, [&](Engine& e) {
    return e.InitBuffer(tpipe, src, dst, depth, num, len, at, site, buffer);
  });
  return buffer;
}

lanediff_tensor lanediff_alloc_tensor(std::int64_t buffer, lanediff_site site) {
  lanediff_tensor tensor = {};
  Run::Of().Step("AllocTensor", site, [&](Engine& e) {
    return e.AllocTensor(buffer, site, tensor);
  });
  return tensor;
}

void lanediff_en_que(std::int64_t buffer, lanediff_tensor tensor,
                     std::uint8_t src, std::uint8_t dst, lanediff_site site) {
  Run::Of().Step("EnQue", site, [&](Engine& e) {
    return e.EnQue(buffer, tensor, src, dst, site);
  });
}

lanediff_tensor lanediff_de_que(std::int64_t buffer, lanediff_site site) {
  lanediff_tensor tensor = {};
  Run::Of().Step("DeQue", site,
                 [&](Engine& e) { return e.DeQue(buffer, site, tensor); });
  return tensor;
}

void lanediff_free_tensor(std::int64_t buffer, lanediff_tensor tensor,
                          lanediff_site site) {
  Run::Of().Step("FreeTensor", site,
                 [&](Engine& e) { return e.FreeTensor(buffer, tensor, site); });
}

std::int64_t lanediff_queue_count(std::int64_t buffer, std::int32_t what) {
  return Run::Of().Query("a queue", kNowhere,
                         [&](Engine& e) { return e.QueueCount(buffer, what); });
}

lanediff_tensor lanediff_get_buffer(std::int64_t buffer, lanediff_site site) {
  lanediff_tensor tensor = {};
  Run::Of().Step("Get", site,
                 [&](Engine& e) { return e.GetBuffer(buffer, site, tensor); });
  return tensor;
}

lanediff_tensor lanediff_pop_stack_buffer(std::uint8_t position,
                                          lanediff_site site) {
  lanediff_tensor tensor = {};
  Run::Of().Step("PopStackBuffer", site, [&](Engine& e) {
    return e.PopStackBuffer(position, site, tensor);
  });
  return tensor;
}

void** lanediff_block_slot(void) { return Run::Of().Slot(); }

lanediff_tensor lanediff_local_tensor(std::uint8_t position, std::int64_t at,
                                      std::int64_t bytes, lanediff_site site) {
  lanediff_tensor tensor = {};
  Run::Of().Step("LocalTensor", site, [&](Engine& e) {
    return e.LocalTensor(position, at, bytes, site, tensor);
  });
  return tensor;
}

void lanediff_local_allocator(const char* memory, lanediff_site site) {
  Run::Of().Step("LocalMemAllocator", site,
                 [&](Engine& e) { return e.LocalAllocator(memory, site); });
}

std::int32_t lanediff_alloc_event(const char* event, lanediff_site site) {
  std::int32_t id = 0;
  Run::Of().Step("AllocEventID", site,
                 [&](Engine& e) { return e.AllocEvent(event, site, id); });
  return id;
}

std::int32_t lanediff_fetch_event(const char* event, lanediff_site site) {
  std::int32_t id = 0;
  Run::Of().Step("FetchEventID", site,
                 [&](Engine& e) { return e.FetchEvent(event, site, id); });
  return id;
}

void lanediff_release_event(const char* event, std::int32_t id,
                            lanediff_site site) {
  Run::Of().Step("ReleaseEventID", site,
                 [&](Engine& e) { return e.ReleaseEvent(event, id, site); });
}

std::uint64_t lanediff_get_value(const lanediff_operand* src,
                                 std::int64_t index, lanediff_site site) {
  std::uint64_t value = 0;
  Run::Of().Step("GetValue", site, [&](Engine& e) {
    return e.GetValue(*src, index, site, value);
  });
  return value;
}

void lanediff_set_value(const lanediff_operand* dst, std::int64_t index,
                        std::uint64_t value, lanediff_site site) {
  Run::Of().Step("SetValue", site, [&](Engine& e) {
    return e.SetValue(*dst, index, value, site);
  });
}

void* lanediff_address(lanediff_tensor tensor, lanediff_site site) {
  return Run::Of().Query("GetPhyAddr", site,
                         [&](Engine& e) { return e.Address(tensor, site); });
}

void lanediff_launch(const char* kernel, std::int64_t blocks,
                     void (*body)(void*), void* context, lanediff_site site) {
  Run::Of().Launch(kernel, blocks, body, context, site);
}

std::int64_t lanediff_block_idx(void) { return Run::Of().block(); }
std::int64_t lanediff_block_num(void) { return Run::Of().blocks(); }
std::int64_t lanediff_system_cycle(void) { return Run::Of().Cycle(); }

void* lanediff_gm_alloc(std::uint64_t bytes) {
  return Run::Of().WithGm([&](Gm& gm) { return gm.Allocate(bytes); });
}

std::int32_t lanediff_gm_free(void* pointer) {
  return Run::Of().WithGm([&](Gm& gm) { return gm.Free(pointer); }) ? 1 : 0;
}

void lanediff_gm_name(const void* pointer, std::uint64_t bytes) {
  Run::Of().WithGm([&](Gm& gm) { gm.Name(pointer, bytes); });
}

void lanediff_gm_name_output(const void* pointer, std::uint64_t bytes) {
  Run::Of().WithGm([&](Gm& gm) { gm.NameOutput(pointer, bytes); });
}

void lanediff_gm_argument(const void* pointer, std::int64_t number,
                          std::int64_t element_bytes, std::int32_t output) {
  Run::Of().WithGm([&](Gm& gm) {
    gm.AddArgument(pointer, number, element_bytes, output != 0);
  });
}

std::int32_t lanediff_gm_is_unwritten(const void* pointer,
                                      std::uint64_t bytes) {
  return Run::Of().WithGm(
             [&](Gm& gm) { return gm.IsUnwritten(pointer, bytes); })
             ? 1
             : 0;
}

void lanediff_set_tiling_key(std::uint64_t key) { Run::Of().tiling_key = key; }
std::uint64_t lanediff_tiling_key(void) { return Run::Of().tiling_key; }

void lanediff_last_launch(std::uint64_t counts[LANEDIFF_COUNTS]) {
  Run::Of().LastLaunch(counts);
}

}  // extern "C"
