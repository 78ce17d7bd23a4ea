#include "sanitizer/resources/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "isa/memory_map.h"

namespace lanediff::machine {
namespace {

namespace krn = isa::krn;
using isa::Pipe;
using isa::Position;
using Name = isa::ResourceName;

constexpr std::int64_t kUnit = 32;
/// KRN-BUFFERS: of a kernel, and of one position at a time.
constexpr std::size_t kMostBuffers = 64;
constexpr std::size_t MostAtOnce(isa::Product product) {
  return product == isa::Product::kAtlasTraining ? 4 : 8;
}
/// Beyond every memory; sums of such stay in 64 bits.
constexpr std::int64_t kHuge = std::int64_t{1} << 40;

std::int64_t ArgumentOf(const isa::Resource& resource, std::string_view name) {
  return resource.Integer(name).value_or(0);
}

Position PositionOf(const isa::Resource& resource, std::string_view name,
                    Position otherwise) {
  return isa::Parse<Position>(resource.Text(name)).value_or(otherwise);
}

/// Positions of matrices.
bool IsOfCube(Position position) {
  return position == Position::kA1 || position == Position::kB1 ||
         position == Position::kC1 || position == Position::kTscm;
}

/// Which pipe fills what a queue hands out, and which one empties it.
Pipe FillerOf(Position src) {
  const bool copied = src == Position::kVecin || src == Position::kGm;
  return copied || IsOfCube(src) ? Pipe::kMte2 : Pipe::kV;
}
Pipe EmptierOf(Position dst) {
  if (dst == Position::kVecout || dst == Position::kGm) return Pipe::kMte3;
  return IsOfCube(dst) ? Pipe::kMte1 : Pipe::kV;
}

std::string Range(isa::Memory memory, std::int64_t at, std::int64_t bytes) {
  return fmt::format("{} bytes {} to {}", isa::Name(memory), at,
                     at + bytes - 1);
}

}  // namespace

std::size_t Buffers::Buffer::Most() const {
  return depth.value_or(0) > 0 ? static_cast<std::size_t>(*depth)
                               : slots.size();
}

bool Buffers::Take(const isa::Resource& resource, std::size_t number,
                   EventPool& events, std::vector<Implied>& implied,
                   std::vector<Finding>& findings) {
  undefined_.reset();
  const Call call{resource, number, events, implied, findings};
  switch (resource.name) {
    case Name::kTPipe:
      NewTPipe(call);
      return true;
    case Name::kDestroy:
      EndTPipe(call);
      return true;
    case Name::kReset:
      Reset(ArgumentOf(resource, "tpipe"), events);
      return true;
    case Name::kInitBuffer:
      InitBuffer(call);
      return true;
    case Name::kLocalTensor:
      LocalTensor(call);
      return true;
    case Name::kLocalMemAllocator:
      NewAllocator(call);
      return true;
    case Name::kAllocTensor:
    case Name::kEnQue:
    case Name::kDeQue:
    case Name::kFreeTensor:
      return OfQueue(call);
    default:
      return true;
  }
}

// ---- KRN-TPIPE --------------------------------------------------------------

void Buffers::MixedWithStatic(const Call& call) const {
  if (!static_tensor_ || tpipes_.empty()) return;
  call.Emit(krn::kTPipe,
            "mixes a TPipe with static tensors; one way to hand out local "
            "memory is needed",
            true, static_tensor_);
}

void Buffers::NewTPipe(const Call& call) {
  if (!tpipes_.empty()) {
    call.Emit(krn::kTPipe,
              "makes a TPipe while another one is live; one at a time is "
              "needed, Destroy ends one",
              false, tpipes_.begin()->second);
  }
  tpipes_.emplace(ArgumentOf(call.resource, "tpipe"), call.number);
  MixedWithStatic(call);
}

void Buffers::NewAllocator(const Call& call) {
  const auto memory = isa::Parse<isa::Memory>(call.resource.Text("memory"))
                          .value_or(isa::Memory::kUb);
  const auto [live, is_new] = allocators_.emplace(memory, call.number);
  if (!is_new) {
    call.Emit(krn::kTPipe,
              fmt::format("makes a second LocalMemAllocator of {}, and both "
                          "hand out the same bytes; one is needed",
                          isa::Name(memory)),
              false, live->second);
  }
  if (!static_tensor_) static_tensor_ = call.number;
  MixedWithStatic(call);
}

void Buffers::EndTPipe(const Call& call) {
  const std::int64_t tpipe = ArgumentOf(call.resource, "tpipe");
  TellLeft(tpipe, call.number, call.findings);
  Reset(tpipe, call.events);
  tpipes_.erase(tpipe);
  // It waits for all pipes: DestroyWithoutPipeAll is the one that doesn't
  // (DestroyWithoutPipeAll · 约束说明).
  call.implied.push_back(
      {.kind = Implied::Kind::kBarrier, .to = isa::Pipe::kAll});
}

void Buffers::Reset(std::int64_t tpipe, EventPool& events) {
  for (auto& [id, buffer] : buffers_) {
    if (buffer.tpipe != tpipe) continue;
    for (Slot& slot : buffer.slots) {
      Release(slot.queued_id, events);
      Release(slot.freed_id, events);
    }
  }
  std::erase_if(buffers_,
                [&](const auto& one) { return one.second.tpipe == tpipe; });
  std::erase_if(ends_,
                [&](const auto& one) { return one.first.first == tpipe; });
}

// ---- KRN-UB-CAPACITY, KRN-BUFFERS -------------------------------------------

void Buffers::InitBuffer(const Call& call) {
  const auto clamped = [&](std::string_view name) {
    return std::clamp<std::int64_t>(ArgumentOf(call.resource, name), 0, kHuge);
  };
  Buffer buffer;
  buffer.tpipe = ArgumentOf(call.resource, "tpipe");
  buffer.src = PositionOf(call.resource, "src", Position::kVeccalc);
  buffer.dst = PositionOf(call.resource, "dst", buffer.src);
  buffer.memory = isa::MemoryAt(product_, buffer.src);
  buffer.depth = call.resource.Integer("depth");
  buffer.len = (clamped("len") + kUnit - 1) / kUnit * kUnit;
  // More are a finding, and need no space.
  const std::int64_t num =
      std::min<std::int64_t>(clamped("num"), 4 * kMostBuffers);
  std::int64_t& end = ends_[{buffer.tpipe, buffer.memory}];
  const auto given = call.resource.Integer("at");
  const std::int64_t at = given.value_or(end);
  for (std::int64_t i = 0; i < num; ++i) {
    buffer.slots.push_back({.at = at + i * buffer.len, .token = tokens_++});
  }
  const std::int64_t bytes = num * buffer.len;
  if (!given) end = std::min(end + bytes, kHuge);
  const std::int64_t capacity = isa::CapacityBytes(product_, buffer.memory);
  if (buffer.memory != isa::Memory::kGm && bytes > 0 &&
      (at < 0 || at > kHuge || at + bytes > capacity)) {
    call.Emit(krn::kUbCapacity,
              fmt::format("hands out {}; {} has {} bytes",
                          Range(buffer.memory, at, bytes),
                          isa::Name(buffer.memory), capacity));
  }
  const std::size_t before = buffers_made_;
  buffers_made_ += static_cast<std::size_t>(num);
  if (before <= kMostBuffers && buffers_made_ > kMostBuffers) {
    call.Emit(krn::kBuffers,
              fmt::format("makes buffers up to the {}th of the kernel; {} are "
                          "allowed",
                          buffers_made_, kMostBuffers));
  }
  GiveOut(buffer.memory, at, bytes);
  buffers_.insert_or_assign(ArgumentOf(call.resource, "buffer"),
                            std::move(buffer));
}

void Buffers::LocalTensor(const Call& call) {
  const auto memory = isa::MemoryAt(
      product_, PositionOf(call.resource, "position", Position::kUb));
  const std::int64_t at = ArgumentOf(call.resource, "at");
  const std::int64_t bytes = ArgumentOf(call.resource, "bytes");
  const std::int64_t capacity = isa::CapacityBytes(product_, memory);
  const bool fits =
      memory == isa::Memory::kGm ||
      (at >= 0 && bytes >= 0 && at <= capacity && bytes <= capacity - at);
  if (!fits) {
    call.Emit(krn::kUbCapacity,
              fmt::format("is a tensor of {} bytes at {}; {} has {} bytes",
                          bytes, at, isa::Name(memory), capacity));
  }
  if (!static_tensor_) static_tensor_ = call.number;
  MixedWithStatic(call);
}

std::optional<Buffers::About> Buffers::AboutOf(std::int64_t buffer) const {
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end()) return std::nullopt;
  const Buffer& one = found->second;
  About about{.src = one.src, .dst = one.dst, .queued = one.queued.size()};
  if (!one.slots.empty()) about.at = one.slots.front().at;
  about.bytes = one.len * static_cast<std::int64_t>(one.slots.size());
  about.idle = static_cast<std::size_t>(
      std::ranges::count(one.slots, Slot::State::kIdle, &Slot::state));
  if (!one.queued.empty()) about.next_queued = one.slots[one.queued.front()].at;
  for (std::size_t i = 0; i < one.slots.size() && !about.next_idle; ++i) {
    const Slot& slot = one.slots[(one.next + i) % one.slots.size()];
    if (slot.state == Slot::State::kIdle) about.next_idle = slot.at;
  }
  return about;
}

std::int64_t Buffers::EndOf(isa::Memory memory) const {
  std::int64_t most = 0;
  for (const auto& [key, end] : ends_) {
    if (key.second == memory) most = std::max(most, end);
  }
  return most;
}

std::size_t Buffers::HandedOutAt(Position position) const {
  std::size_t count = 0;
  for (const auto& [id, buffer] : buffers_) {
    if (buffer.src != position || !buffer.depth) continue;
    count += static_cast<std::size_t>(std::ranges::count_if(
        buffer.slots,
        [](const Slot& slot) { return slot.state != Slot::State::kIdle; }));
  }
  return count;
}

// ---- KRN-QUEUE --------------------------------------------------------------

bool Buffers::OfQueue(const Call& call) {
  const auto found = buffers_.find(ArgumentOf(call.resource, "buffer"));
  if (found == buffers_.end() || !found->second.depth) {
    call.Emit(krn::kQueue,
              fmt::format("is of buffer {}, which is no queue that InitBuffer "
                          "made and that still is",
                          ArgumentOf(call.resource, "buffer")));
    return false;
  }
  switch (call.resource.name) {
    case Name::kAllocTensor:
      return AllocTensor(call, found->second);
    case Name::kEnQue:
      return EnQue(call, found->second);
    case Name::kDeQue:
      return DeQue(call, found->second);
    default:
      FreeTensor(call, found->second);
      return true;
  }
}

namespace {

/// A pipe's flag to another one, or a barrier where both are one.
Implied Between(Implied::Kind kind, Pipe from, Pipe to, std::uint64_t token) {
  if (from == to) kind = Implied::Kind::kBarrier;
  return {kind, from, to, token};
}

}  // namespace

// ---- KRN-EVENT --------------------------------------------------------------

std::optional<Buffers::Slot::Id> Buffers::TakeId(const Call& call, Pipe from,
                                                 Pipe to) {
  const auto event = EventPool::Between(from, to);
  if (!event) return std::nullopt;
  // Where none is left, KRN-BUFFERS is broken.
  const auto taken = call.events.Take(*event, call.number, true);
  if (!taken) return std::nullopt;
  if (taken->set_by) {
    call.Emit(krn::kEvent,
              fmt::format("takes id {} of {} from the TPipe, whose flag is set "
                          "and not waited for; an id of AllocEventID or "
                          "FetchEventID is needed there",
                          taken->id, isa::Name(*event)),
              false, taken->set_by);
  }
  return Slot::Id{*event, taken->id};
}

void Buffers::Release(std::optional<Slot::Id>& id, EventPool& events) {
  if (id) events.Release(id->event, id->id);
  id.reset();
}

void Buffers::GiveOut(isa::Memory memory, std::int64_t at, std::int64_t bytes) {
  for (auto& [id, buffer] : buffers_) {
    if (buffer.memory != memory) continue;
    for (Slot& slot : buffer.slots) {
      if (at < slot.at + buffer.len && slot.at < at + bytes) {
        slot.given_out = true;
      }
    }
  }
}

bool Buffers::AllocTensor(const Call& call, Buffer& queue) {
  for (std::size_t i = 0; i < queue.slots.size(); ++i) {
    const std::size_t turn = (queue.next + i) % queue.slots.size();
    Slot& slot = queue.slots[turn];
    if (slot.state != Slot::State::kIdle) continue;
    queue.next = (turn + 1) % queue.slots.size();
    if (slot.freed) {
      call.implied.push_back(Between(Implied::Kind::kWait, EmptierOf(queue.dst),
                                     FillerOf(queue.src), 2 * slot.token));
    }
    Release(slot.freed_id, call.events);
    slot.state = Slot::State::kHandedOut;
    slot.given = call.number;
    slot.freed.reset();
    GiveOut(queue.memory, slot.at, queue.len);
    handed_out_ = {slot.at, queue.len};
    undefined_ = {queue.memory, slot.at, queue.len, queue.slots.size() == 1};
    const std::size_t at_once = HandedOutAt(queue.src);
    if (at_once == MostAtOnce(product_) + 1) {
      call.Emit(
          krn::kBuffers,
          fmt::format("hands out the {}th queue buffer at {} at a time; "
                      "{} are allowed",
                      at_once, isa::Name(queue.src), MostAtOnce(product_)));
    }
    return true;
  }
  const auto oldest = std::ranges::min_element(queue.slots, {}, &Slot::given);
  call.Emit(krn::kQueue,
            fmt::format("finds no idle block among {}; a FreeTensor is needed "
                        "first, and the block stops here",
                        queue.slots.size()),
            false, oldest == queue.slots.end() ? std::nullopt : oldest->given);
  return false;
}

bool Buffers::EnQue(const Call& call, Buffer& queue) {
  const std::int64_t at = ArgumentOf(call.resource, "at");
  const auto slot = std::ranges::find(queue.slots, at, &Slot::at);
  if (slot == queue.slots.end() || slot->state != Slot::State::kHandedOut) {
    call.Emit(
        krn::kQueue,
        slot == queue.slots.end()
            ? fmt::format("puts in a tensor at {} that the queue does not have",
                          at)
        : slot->state == Slot::State::kQueued
            ? fmt::format("puts in the tensor at {}, which is queued already",
                          at)
            : fmt::format("puts in the tensor at {}, which the queue has not "
                          "handed out; an AllocTensor is needed",
                          at));
    return true;
  }
  if (queue.queued.size() >= queue.Most()) {
    call.Emit(krn::kQueue,
              fmt::format("is beyond the depth: {} of {} are queued; a DeQue "
                          "is needed first, and the block stops here",
                          queue.queued.size(), queue.Most()));
    return false;
  }
  slot->state = Slot::State::kQueued;
  queue.queued.push_back(static_cast<std::size_t>(slot - queue.slots.begin()));
  slot->from = FillerOf(PositionOf(call.resource, "src", queue.src));
  slot->to = EmptierOf(PositionOf(call.resource, "dst", queue.dst));
  if (slot->from != slot->to) {
    call.implied.push_back(
        {Implied::Kind::kSet, slot->from, slot->to, 2 * slot->token + 1});
    slot->queued_id = TakeId(call, slot->from, slot->to);
  }
  return true;
}

bool Buffers::DeQue(const Call& call, Buffer& queue) {
  if (queue.queued.empty()) {
    call.Emit(krn::kQueue,
              "takes from an empty queue; an EnQue is needed first, and the "
              "block stops here");
    return false;
  }
  Slot& slot = queue.slots[queue.queued.front()];
  queue.queued.pop_front();
  slot.state = Slot::State::kHandedOut;
  Release(slot.queued_id, call.events);
  handed_out_ = {slot.at, queue.len};
  call.implied.push_back(
      Between(Implied::Kind::kWait, slot.from, slot.to, 2 * slot.token + 1));
  return true;
}

void Buffers::FreeTensor(const Call& call, Buffer& queue) {
  const std::int64_t at = ArgumentOf(call.resource, "at");
  const auto slot = std::ranges::find(queue.slots, at, &Slot::at);
  if (slot == queue.slots.end()) {
    call.Emit(krn::kQueue,
              fmt::format("gives back a tensor at {} that the queue "
                          "does not have",
                          at));
    return;
  }
  if (slot->state != Slot::State::kHandedOut) {
    const bool queued = slot->state == Slot::State::kQueued;
    call.Emit(krn::kQueue,
              fmt::format("gives back the tensor at {}, which {}", at,
                          queued        ? "is still queued; a DeQue is needed"
                          : slot->freed ? "was given back already"
                                        : "the queue has not handed out"),
              false, slot->freed);
    return;
  }
  slot->state = Slot::State::kIdle;
  slot->freed = call.number;
  slot->given_out = false;
  slot->given.reset();
  undefined_ = {queue.memory, slot->at, queue.len, queue.slots.size() == 1};
  const Pipe from = EmptierOf(queue.dst);
  const Pipe to = FillerOf(queue.src);
  if (from != to) {
    call.implied.push_back({Implied::Kind::kSet, from, to, 2 * slot->token});
    slot->freed_id = TakeId(call, from, to);
  }
}

// ---- KRN-FREED, KRN-QUEUE-LEFT ----------------------------------------------

void Buffers::Look(std::size_t number, std::span<const isa::Access> accesses,
                   std::vector<Finding>& findings) const {
  std::set<std::size_t> seen;  // one finding for each FreeTensor
  for (const isa::Access& access : accesses) {
    if (access.memory == isa::Memory::kGm) continue;
    for (const auto& [id, buffer] : buffers_) {
      if (buffer.memory != access.memory) continue;
      for (const Slot& slot : buffer.slots) {
        if (!slot.freed || slot.given_out ||
            access.at >= slot.at + buffer.len ||
            access.at + access.bytes <= slot.at ||
            !seen.insert(*slot.freed).second) {
          continue;
        }
        findings.push_back(
            {isa::krn::kFreed, number,
             fmt::format("{} {} of buffer {}, at {}, after FreeTensor; an "
                         "AllocTensor is needed before",
                         access.write ? "writes" : "reads", access.operand, id,
                         std::max(access.at, slot.at)),
             false, slot.freed});
      }
    }
  }
}

void Buffers::TellLeft(std::int64_t tpipe, std::size_t number,
                       std::vector<Finding>& findings) const {
  for (const auto& [id, buffer] : buffers_) {
    if (buffer.tpipe != tpipe) continue;
    for (const Slot& slot : buffer.slots) {
      if (slot.state == Slot::State::kIdle) continue;
      findings.push_back(
          {isa::krn::kQueueLeft, number,
           fmt::format(
               "ends the TPipe while the tensor of buffer {} at {} is "
               "{}",
               id, slot.at,
               slot.state == Slot::State::kQueued ? "queued" : "not freed"),
           true, slot.given});
    }
  }
}

void Buffers::Finish(std::size_t number, std::vector<Finding>& findings) const {
  std::set<std::int64_t> tpipes;
  for (const auto& [id, buffer] : buffers_) tpipes.insert(buffer.tpipe);
  for (const std::int64_t tpipe : tpipes) TellLeft(tpipe, number, findings);
}

}  // namespace lanediff::machine
