// An engine that prints its calls and does what the name of a call requests:
// for tests of the code around an engine.

#include "kernel/engine/engine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace lanediff::kernel {

struct Engine::Inside {
  Settings settings;
  Gm& gm;
  Sink& sink;
  Counts counts;
  std::map<std::pair<std::string, int>, std::pair<std::size_t, std::uint64_t>>
      found, noted;
  std::vector<SiteRow> rows;
  Finding last;
  std::int64_t launch = -1;
  std::int64_t block = 0;
  std::uint64_t of_launch = 0;
  bool trace = std::getenv("TRACE_ENGINE") != nullptr;

  void Print(const std::string& text) const {
    if (trace) std::printf("engine: %s\n", text.c_str());
  }
  Site At(lanediff_site site) const { return {site.file, site.line, 1}; }
};

Engine::Engine(const Settings& settings, Gm& gm, Sink& sink,
               const emulator::Seams*)
    : inside_(new Inside{.settings = settings,
                         .gm = gm,
                         .sink = sink,
                         .counts = {},
                         .found = {},
                         .noted = {},
                         .rows = {},
                         .last = {}}) {
  inside_->Print("for " + std::string(isa::Name(settings.product)));
}
Engine::~Engine() { std::puts("engine: destroyed"); }

void Engine::BeginLaunch(const std::string& kernel, std::int64_t blocks,
                         lanediff_site) {
  inside_->gm.Look();
  inside_->Print("launch of " + kernel + " in " + std::to_string(blocks));
  ++inside_->launch;
  ++inside_->counts.launches;
  inside_->counts.blocks += static_cast<std::uint64_t>(blocks);
  inside_->of_launch = 0;
}
void Engine::EnterBlock(std::int64_t block) {
  inside_->block = block;
  inside_->Print("block " + std::to_string(block));
}
void Engine::SetPoison(std::uint8_t) {}
void Engine::ReportPoison(const std::string&, std::int64_t, std::int64_t,
                          lanediff_site) {}

void Engine::EndLaunch() { inside_->Print("end"); }

Next Engine::Execute(const lanediff_call& call, std::uint64_t&) {
  Inside& in = *inside_;
  const std::string name = call.name;
  in.Print(name);
  ++in.counts.audited;
  in.counts.bytes_followed += 32;
  if (in.rows.empty() || in.rows.back().site != in.At(call.site)) {
    in.rows.push_back({.site = in.At(call.site), .op = name});
  }
  ++in.rows.back().executions;
  if (name == "Find") {
    ++in.of_launch;
    const auto [at, added] = in.found.try_emplace(
        {call.site.file, call.site.line}, in.found.size(), 0);
    ++at->second.second;
    if (added) {
      Finding& finding = in.last;
      finding = {};
      finding.rule = "TEST-FOUND";
      finding.group = Group::kRacecheck;
      finding.later.site = in.At(call.site);
      finding.later.op = name;
      finding.message = "Find is called";
      finding.launch = in.launch;
      finding.block = in.block;
      in.sink.Found(at->second.first, finding);
    } else {
      in.sink.FoundAgain(at->second.first, at->second.second);
    }
  } else if (name == "Note") {
    in.sink.Noted(in.noted.size(), {.rule = "TEST-NOTE",
                                    .site = in.At(call.site),
                                    .message = "Note is called"});
  } else if (name == "Save") {
    in.last.case_path = "out/run/case.json";
    in.sink.Found(0, in.last);
  } else if (name == "EndBlock") {
    return Next::kEndBlock;
  } else if (name == "EndRun") {
    return Next::kEndRun;
  } else if (name == "Throw") {
    throw std::bad_alloc();
  } else if (name == "Crash") {
    std::memset(reinterpret_cast<void*>(call.mask[0]), 1, 1);
  }
  return Next::kGoOn;
}

Next Engine::State(const char* name, const lanediff_parameter*, std::uint32_t,
                   lanediff_site) {
  inside_->Print(name);
  return Next::kGoOn;
}
std::int64_t Engine::GetCtrl(std::int32_t, std::int32_t) const { return 7; }
Next Engine::SyncAll(const lanediff_tensor&, const lanediff_tensor&,
                     std::int64_t, lanediff_site) {
  inside_->Print("SyncAll");
  return Next::kGoOn;
}
Next Engine::Refuse(const char* name, const char* why, lanediff_site site) {
  ++inside_->counts.refused;
  inside_->sink.Refused({name, why, inside_->At(site), inside_->block});
  return Next::kEndBlock;
}
Next Engine::BeginTPipe(lanediff_site, std::int64_t& tpipe) {
  inside_->Print("TPipe begins");
  tpipe = 1;
  return Next::kGoOn;
}
Next Engine::Resource(isa::ResourceName name, isa::Arguments, lanediff_site) {
  inside_->Print(std::string(isa::Name(name)));
  return Next::kGoOn;
}
Next Engine::InitBuffer(std::int64_t, std::uint8_t, std::uint8_t, std::int64_t,
                        std::int64_t, std::int64_t, std::int64_t, lanediff_site,
                        std::int64_t&) {
  return Next::kGoOn;
}
Next Engine::AllocTensor(std::int64_t, lanediff_site, lanediff_tensor&) {
  return Next::kGoOn;
}
Next Engine::EnQue(std::int64_t, const lanediff_tensor&, std::uint8_t,
                   std::uint8_t, lanediff_site) {
  return Next::kGoOn;
}
Next Engine::DeQue(std::int64_t, lanediff_site, lanediff_tensor&) {
  return Next::kGoOn;
}
Next Engine::FreeTensor(std::int64_t, const lanediff_tensor&, lanediff_site) {
  return Next::kGoOn;
}
std::int64_t Engine::QueueCount(std::int64_t, std::int32_t) const { return 0; }
Next Engine::GetBuffer(std::int64_t, lanediff_site, lanediff_tensor&) {
  return Next::kGoOn;
}
Next Engine::LocalTensor(std::uint8_t, std::int64_t, std::int64_t,
                         lanediff_site, lanediff_tensor&) {
  return Next::kGoOn;
}
Next Engine::PopStackBuffer(std::uint8_t, lanediff_site, lanediff_tensor&) {
  return Next::kGoOn;
}
Next Engine::AllocEvent(const char*, lanediff_site, std::int32_t&) {
  return Next::kGoOn;
}
Next Engine::FetchEvent(const char*, lanediff_site, std::int32_t&) {
  return Next::kGoOn;
}
Next Engine::ReleaseEvent(const char*, std::int32_t, lanediff_site) {
  return Next::kGoOn;
}
Next Engine::GetValue(const lanediff_operand&, std::int64_t, lanediff_site,
                      std::uint64_t&) {
  return Next::kGoOn;
}
Next Engine::SetValue(const lanediff_operand&, std::int64_t, std::uint64_t,
                      lanediff_site) {
  return Next::kGoOn;
}
void* Engine::Address(const lanediff_tensor&, lanediff_site) { return nullptr; }
lanediff_tensor Engine::TensorAt(std::uint64_t) { return {}; }
const Counts& Engine::counts() const { return inside_->counts; }
std::array<std::uint64_t, isa::kCount<Group>> Engine::last_launch() const {
  std::array<std::uint64_t, isa::kCount<Group>> counts = {};
  counts[static_cast<std::size_t>(Group::kRacecheck)] = inside_->of_launch;
  return counts;
}
std::uint64_t Engine::last_launch_notes() const { return 0; }
std::vector<SiteRow> Engine::sites() const { return inside_->rows; }

}  // namespace lanediff::kernel
