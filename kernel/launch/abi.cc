// The C ABI of kernels: each function is a call of the engine, made by the
// block of the thread that calls.

#include <cstdint>
#include <string_view>

#include "isa/resource.h"
#include "kernel/launch/run.h"
#include "lanediff/kernel_abi.h"

namespace {

using lanediff::host::Run;
using lanediff::isa::ResourceName;
using lanediff::kernel::Engine;
using lanediff::kernel::Gm;

constexpr lanediff_site kNowhere = {"", 0};

/// Calls the engine with these arguments, for the block at hand.
template <class Method, class... Args>
void Do(const char* op, lanediff_site site, Method method,
        const Args&... args) {
  Run::Of().Step(op, site, [&](Engine& e) { return (e.*method)(args...); });
}
/// The same; the method's last parameter is what it gives back.
template <class T, class Method, class... Args>
T Get(const char* op, lanediff_site site, Method method, const Args&... args) {
  T got = {};
  Run::Of().Step(op, site,
                 [&](Engine& e) { return (e.*method)(args..., got); });
  return got;
}

}  // namespace

extern "C" {

extern const std::int32_t lanediff_kernel_abi;
const std::int32_t lanediff_kernel_abi = LANEDIFF_KERNEL_ABI;

void lanediff_product(const char* name) { Run::Of().Product(name); }

std::uint64_t lanediff_execute(const lanediff_call* call) {
  lanediff_call placed = *call;
  placed.site = Run::Of().Placed(call->site);
  return Get<std::uint64_t>(call->name, placed.site, &Engine::Execute, placed);
}

void lanediff_state(const char* name, const lanediff_parameter* parameters,
                    std::uint32_t parameter_count, lanediff_site site) {
  if (std::string_view(name) == "InitSocState") Run::Of().EndDirectBlock();
  Do(name, site, &Engine::State, name, parameters, parameter_count, site);
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
  Do(name, site, &Engine::Refuse, name, why, site);
}

std::int64_t lanediff_tpipe_begin(lanediff_site site) {
  return Run::Of().BeginTPipe(site);
}

void lanediff_tpipe_end(std::int64_t tpipe, lanediff_site site) {
  Run::Of().EndTPipe(tpipe, site);
}

void lanediff_tpipe_reset(std::int64_t tpipe, lanediff_site site) {
  Do("Reset", site, &Engine::Resource, ResourceName::kReset,
     lanediff::isa::Arguments{{"tpipe", tpipe}}, site);
}

std::int64_t lanediff_init_buffer(std::int64_t tpipe, std::uint8_t src,
                                  std::uint8_t dst, std::int64_t depth,
                                  std::int64_t num, std::int64_t len,
                                  std::int64_t at, lanediff_site site) {
  return Get<std::int64_t>("InitBuffer", site, &Engine::InitBuffer, tpipe, src,
                           dst, depth, num, len, at, site);
}

lanediff_tensor lanediff_alloc_tensor(std::int64_t buffer, lanediff_site site) {
  return Get<lanediff_tensor>("AllocTensor", site, &Engine::AllocTensor, buffer,
                              site);
}

void lanediff_en_que(std::int64_t buffer, lanediff_tensor tensor,
                     std::uint8_t src, std::uint8_t dst, lanediff_site site) {
  Do("EnQue", site, &Engine::EnQue, buffer, tensor, src, dst, site);
}

lanediff_tensor lanediff_de_que(std::int64_t buffer, lanediff_site site) {
  return Get<lanediff_tensor>("DeQue", site, &Engine::DeQue, buffer, site);
}

void lanediff_free_tensor(std::int64_t buffer, lanediff_tensor tensor,
                          lanediff_site site) {
  Do("FreeTensor", site, &Engine::FreeTensor, buffer, tensor, site);
}

std::int64_t lanediff_queue_count(std::int64_t buffer, std::int32_t what) {
  return Run::Of().Query("a queue", kNowhere,
                         [&](Engine& e) { return e.QueueCount(buffer, what); });
}

lanediff_tensor lanediff_get_buffer(std::int64_t buffer, lanediff_site site) {
  return Get<lanediff_tensor>("Get", site, &Engine::GetBuffer, buffer, site);
}

lanediff_tensor lanediff_pop_stack_buffer(std::uint8_t position,
                                          lanediff_site site) {
  return Get<lanediff_tensor>("PopStackBuffer", site, &Engine::PopStackBuffer,
                              position, site);
}

void** lanediff_block_slot(void) { return Run::Of().Slot(); }

lanediff_tensor lanediff_local_tensor(std::uint8_t position, std::int64_t at,
                                      std::int64_t bytes, lanediff_site site) {
  return Get<lanediff_tensor>("LocalTensor", site, &Engine::LocalTensor,
                              position, at, bytes, site);
}

void lanediff_local_allocator(const char* memory, lanediff_site site) {
  Do("LocalMemAllocator", site, &Engine::Resource,
     ResourceName::kLocalMemAllocator,
     lanediff::isa::Arguments{{"memory", memory}}, site);
}

std::int32_t lanediff_alloc_event(const char* event, lanediff_site site) {
  return Get<std::int32_t>("AllocEventID", site, &Engine::AllocEvent, event,
                           site);
}

std::int32_t lanediff_fetch_event(const char* event, lanediff_site site) {
  return Get<std::int32_t>("FetchEventID", site, &Engine::FetchEvent, event,
                           site);
}

void lanediff_release_event(const char* event, std::int32_t id,
                            lanediff_site site) {
  Do("ReleaseEventID", site, &Engine::ReleaseEvent, event, id, site);
}

std::uint64_t lanediff_get_value(const lanediff_operand* src,
                                 std::int64_t index, lanediff_site site) {
  return Get<std::uint64_t>("GetValue", site, &Engine::GetValue, *src, index,
                            site);
}

void lanediff_set_value(const lanediff_operand* dst, std::int64_t index,
                        std::uint64_t value, lanediff_site site) {
  Do("SetValue", site, &Engine::SetValue, *dst, index, value, site);
}

void* lanediff_address(lanediff_tensor tensor, lanediff_site site) {
  return Run::Of().Query("GetPhyAddr", site,
                         [&](Engine& e) { return e.Address(tensor, site); });
}

lanediff_tensor lanediff_tensor_at(std::uint64_t address) {
  return Run::Of().Query("GetPhyAddr", kNowhere,
                         [&](Engine& e) { return e.TensorAt(address); });
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
