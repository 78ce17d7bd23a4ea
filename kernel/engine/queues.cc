#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "isa/memory_map.h"
#include "kernel/engine/inside.h"

/// TPipe, queues, buffers, events: the machine has their rules and the places
/// that are handed out.
namespace lanediff::kernel {
namespace {

using isa::ResourceName;

std::uint8_t WordOf(isa::Position position) {
  for (int word = 0; word < LANEDIFF_NO_POSITION; ++word) {
    const auto number = static_cast<std::uint8_t>(word);
    if (PositionOf(number) == position && word != LANEDIFF_LCM) return number;
  }
  return LANEDIFF_UB;
}

lanediff_tensor Tensor(isa::Position position, std::int64_t at,
                       std::int64_t bytes) {
  return {.at = static_cast<std::uint64_t>(at),
          .window = bytes,
          .declared = bytes,
          .position = WordOf(position),
          .given = 1};
}

std::int64_t AtOf(const lanediff_tensor& tensor) {
  return tensor.given != 0 ? static_cast<std::int64_t>(tensor.at) : -1;
}

}  // namespace

Next Engine::BeginTPipe(lanediff_site site, std::int64_t& tpipe) {
  Inside& in = *inside_;
  tpipe = in.next_tpipe++;
  in.here->state.atomic = "none";
  return in.TakeResource(ResourceName::kTPipe, {Arg("tpipe", tpipe)}, site);
}

Next Engine::Resource(ResourceName name, isa::Arguments arguments,
                      lanediff_site site) {
  return inside_->TakeResource(name, std::move(arguments), site);
}

Next Engine::InitBuffer(std::int64_t tpipe, std::uint8_t src, std::uint8_t dst,
                        std::int64_t depth, std::int64_t num, std::int64_t len,
                        std::int64_t at, lanediff_site site,
                        std::int64_t& buffer) {
  Inside& in = *inside_;
  buffer = in.next_buffer++;
  const auto from = PositionOf(src);
  const auto to = PositionOf(dst);
  if (!from || !to) {
    return in.Refuse("InitBuffer", "a position that no vector core has", site);
  }
  isa::Arguments arguments = {Arg("tpipe", tpipe), Arg("buffer", buffer),
                              Arg("src", isa::Name(*from))};
  if (*to != *from) arguments.push_back(Arg("dst", isa::Name(*to)));
  if (depth >= 0) arguments.push_back(Arg("depth", depth));
  arguments.push_back(Arg("num", num));
  arguments.push_back(Arg("len", len));
  if (at >= 0) arguments.push_back(Arg("at", at));
  const Next next =
      in.TakeResource(ResourceName::kInitBuffer, std::move(arguments), site);
  if (const auto about = in.walk->machine().buffers().AboutOf(buffer)) {
    const isa::Memory memory = isa::MemoryAt(in.facts.product, *from);
    in.here->local.HandOut(memory, about->at + about->bytes);
    in.NameBuffer(memory, about->at, about->bytes);
  }
  return next;
}

Next Engine::AllocTensor(std::int64_t buffer, lanediff_site site,
                         lanediff_tensor& tensor) {
  return inside_->HandOut(ResourceName::kAllocTensor, buffer, site, tensor);
}

/// AllocTensor and DeQue.
Next Engine::Inside::HandOut(ResourceName name, std::int64_t buffer,
                             lanediff_site site, lanediff_tensor& tensor) {
  const bool alloc = name == ResourceName::kAllocTensor;
  tensor = {};
  if (const auto before = walk->machine().buffers().AboutOf(buffer)) {
    GetWithout(buffer, alloc ? before->next_idle : before->next_queued);
  }
  const Next next = TakeResource(name, {Arg("buffer", buffer)}, site);
  const auto& buffers = walk->machine().buffers();
  const auto about = buffers.AboutOf(buffer);
  if (next != Next::kGoOn || !about) return next;
  const auto& given = buffers.handed_out();
  tensor = Tensor(alloc ? about->src : about->dst, given.at, given.bytes);
  return next;
}

Next Engine::EnQue(std::int64_t buffer, const lanediff_tensor& tensor,
                   std::uint8_t src, std::uint8_t dst, lanediff_site site) {
  Inside& in = *inside_;
  in.GiveWithout(buffer, AtOf(tensor),
                 in.sites.Of(site, isa::Name(ResourceName::kEnQue)));
  isa::Arguments arguments = {Arg("buffer", buffer), Arg("at", AtOf(tensor))};
  const auto add = [&](std::string_view name, std::uint8_t given) {
    const auto position = PositionOf(given);
    if (given == LANEDIFF_NO_POSITION || !position) return;
    arguments.push_back(Arg(name, isa::Name(*position)));
  };
  add("src", src);
  add("dst", dst);
  return in.TakeResource(ResourceName::kEnQue, std::move(arguments), site);
}

Next Engine::DeQue(std::int64_t buffer, lanediff_site site,
                   lanediff_tensor& tensor) {
  return inside_->HandOut(ResourceName::kDeQue, buffer, site, tensor);
}

Next Engine::FreeTensor(std::int64_t buffer, const lanediff_tensor& tensor,
                        lanediff_site site) {
  Inside& in = *inside_;
  in.GiveWithout(buffer, AtOf(tensor),
                 in.sites.Of(site, isa::Name(ResourceName::kFreeTensor)));
  return in.TakeResource(ResourceName::kFreeTensor,
                         {Arg("buffer", buffer), Arg("at", AtOf(tensor))},
                         site);
}

std::int64_t Engine::QueueCount(std::int64_t buffer, std::int32_t what) const {
  const auto about = inside_->walk->machine().buffers().AboutOf(buffer);
  if (!about) return 0;
  return static_cast<std::int64_t>(what == 0 ? about->queued : about->idle);
}

Next Engine::GetBuffer(std::int64_t buffer, lanediff_site,
                       lanediff_tensor& tensor) {
  const auto about = inside_->walk->machine().buffers().AboutOf(buffer);
  tensor = {};
  if (about) tensor = Tensor(about->src, about->at, about->bytes);
  return inside_->After();
}

Next Engine::LocalTensor(std::uint8_t position, std::int64_t at,
                         std::int64_t bytes, lanediff_site site,
                         lanediff_tensor& tensor) {
  Inside& in = *inside_;
  tensor = {};
  const auto word = PositionOf(position);
  if (!word) {
    return in.Refuse("LocalTensor", "a position that no vector core has", site);
  }
  const isa::Memory memory = isa::MemoryAt(in.facts.product, *word);
  // Auto-placed: the next free 32 bytes.
  if (at < 0) at = in.here->local.EndOf(memory);
  const Next next = in.TakeResource(
      ResourceName::kLocalTensor,
      {Arg("position", isa::Name(*word)), Arg("at", at), Arg("bytes", bytes)},
      site);
  in.here->local.HandOut(memory, at + bytes);
  in.NameBuffer(memory, at, bytes);
  tensor = Tensor(*word, at, bytes);
  tensor.position = position;
  return next;
}

Next Engine::PopStackBuffer(std::uint8_t position, lanediff_site site,
                            lanediff_tensor& tensor) {
  Inside& in = *inside_;
  tensor = {};
  const auto word = PositionOf(position);
  if (!word) {
    return in.Refuse("PopStackBuffer", "a position that no vector core has",
                     site);
  }
  const isa::Memory memory = isa::MemoryAt(in.facts.product, *word);
  const std::int64_t at = in.walk->machine().buffers().EndOf(memory);
  const std::int64_t end = in.here->local.CapacityOf(memory);
  in.here->local.HandOut(memory, end);
  if (at < end) tensor = Tensor(*word, at, end - at);
  return in.After();
}

Next Engine::FetchEvent(const char* event, lanediff_site site,
                        std::int32_t& id) {
  Inside& in = *inside_;
  id = static_cast<std::int32_t>(
      in.walk->machine().FreeEventId(event).value_or(0));
  if (isa::Parse<isa::Event>(event)) return in.After();
  return in.Refuse("FetchEventID", "its event", site);
}

Next Engine::AllocEvent(const char* event, lanediff_site site,
                        std::int32_t& id) {
  Inside& in = *inside_;
  id = static_cast<std::int32_t>(
      in.walk->machine().FreeEventId(event).value_or(0));
  if (!isa::Parse<isa::Event>(event)) {
    return in.Refuse("AllocEventID", "its event", site);
  }
  return in.TakeResource(ResourceName::kAllocEventID, {Arg("event", event)},
                         site);
}

Next Engine::ReleaseEvent(const char* event, std::int32_t id,
                          lanediff_site site) {
  if (!isa::Parse<isa::Event>(event)) {
    return inside_->Refuse("ReleaseEventID", "its event", site);
  }
  return inside_->TakeResource(
      ResourceName::kReleaseEventID,
      {Arg("event", event), Arg("id", std::int64_t{id})}, site);
}

}  // namespace lanediff::kernel
