#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "isa/step.h"
#include "kernel/engine/gm.h"
#include "lanediff/kernel_abi.h"
#include "reports/kernel_record.h"

namespace lanediff::emulator {
struct Seams;
}  // namespace lanediff::emulator

/// Runs the calls of kernels: judges each, follows what it touches, executes it
/// and reports what was found. It has no access to processes, stacks and files
/// but the folder of the cases.
namespace lanediff::kernel {

/// Receives each event at once. Indices count up from 0.
class Sink {
 public:
  virtual ~Sink() = default;
  /// A finding that is new, and which the sink may complete; or that has got a
  /// case, or bytes that depend on its call.
  virtual void Found(std::size_t index, Finding& finding) = 0;
  /// A note, refusal or row of its first occurrence.
  virtual void Noted(std::size_t index, const Note& note) = 0;
  virtual void Refused(const Refusal& refusal) = 0;
  virtual void Hid(const Hidden& hidden) = 0;
  /// How often finding or note `index` has occurred by now.
  virtual void FoundAgain(std::size_t index, std::uint64_t times) = 0;
  virtual void NotedAgain(std::size_t index, std::uint64_t times) = 0;
};

/// What the caller does next.
enum class Next : std::uint8_t {
  kGoOn,
  kEndBlock,  ///< nothing of this block is run any more
  kEndRun,    ///< --max-errors: nothing is
};

class Engine {
 public:
  /// `seams`, which outlive it: of the emulator that computes audited calls; a
  /// test's is defective. Null: the fastest.
  Engine(const Settings& settings, Gm& gm, Sink& sink,
         const emulator::Seams* seams = nullptr);
  ~Engine();

  // ---- Launches: in this order, blocks may be entered again. ----
  void BeginLaunch(const std::string& kernel, std::int64_t blocks,
                   lanediff_site site);
  /// Begins block `block`, or goes on with it behind a SyncAll.
  void EnterBlock(std::int64_t block);
  /// All blocks have ended: KRN rules of the end. Cases of findings are made.
  void EndLaunch();

  /// Local memory is poisoned so from the next launch on.
  void SetPoison(std::uint8_t byte);
  /// --poison both: bytes of GM that two runs of the last launch leave
  /// different.
  void ReportPoison(const std::string& kernel, std::int64_t at,
                    std::int64_t bytes, lanediff_site site);

  // ---- Calls of the block that was entered. ----
  /// `returned`: what the call gives back, or 0.
  Next Execute(const lanediff_call& call, std::uint64_t& returned);
  Next State(const char* name, const lanediff_parameter* parameters,
             std::uint32_t parameter_count, lanediff_site site);
  std::int64_t GetCtrl(std::int32_t low, std::int32_t high) const;
  Next SyncAll(const lanediff_tensor& gm, const lanediff_tensor& ub,
               std::int64_t used_cores, lanediff_site site);
  Next Refuse(const char* name, const char* why, lanediff_site site);

  Next BeginTPipe(lanediff_site site, std::int64_t& tpipe);
  /// What gives nothing back: Destroy and Reset of a TPipe, LocalMemAllocator.
  Next Resource(isa::ResourceName name, isa::Arguments arguments,
                lanediff_site site);
  Next InitBuffer(std::int64_t tpipe, std::uint8_t src, std::uint8_t dst,
                  std::int64_t depth, std::int64_t num, std::int64_t len,
                  std::int64_t at, lanediff_site site, std::int64_t& buffer);
  Next AllocTensor(std::int64_t buffer, lanediff_site site,
                   lanediff_tensor& tensor);
  Next EnQue(std::int64_t buffer, const lanediff_tensor& tensor,
             std::uint8_t src, std::uint8_t dst, lanediff_site site);
  Next DeQue(std::int64_t buffer, lanediff_site site, lanediff_tensor& tensor);
  Next FreeTensor(std::int64_t buffer, const lanediff_tensor& tensor,
                  lanediff_site site);
  std::int64_t QueueCount(std::int64_t buffer, std::int32_t what) const;
  Next GetBuffer(std::int64_t buffer, lanediff_site site,
                 lanediff_tensor& tensor);
  Next LocalTensor(std::uint8_t position, std::int64_t at, std::int64_t bytes,
                   lanediff_site site, lanediff_tensor& tensor);
  /// What InitBuffer has not handed out of the position's memory, to its end.
  Next PopStackBuffer(std::uint8_t position, lanediff_site site,
                      lanediff_tensor& tensor);
  Next AllocEvent(const char* event, lanediff_site site, std::int32_t& id);
  Next FetchEvent(const char* event, lanediff_site site, std::int32_t& id);
  Next ReleaseEvent(const char* event, std::int32_t id, lanediff_site site);

  Next GetValue(const lanediff_operand& src, std::int64_t index,
                lanediff_site site, std::uint64_t& value);
  Next SetValue(const lanediff_operand& dst, std::int64_t index,
                std::uint64_t value, lanediff_site site);
  void* Address(const lanediff_tensor& tensor, lanediff_site site);
  /// The tensor of such an address in UB.
  lanediff_tensor TensorAt(std::uint64_t address);

  // ---- A program that was recorded elsewhere (`run --program -`). ----
  /// The step, with addresses in GM from `SetGm`'s first byte on. What carried
  /// calls and SetValue wrote is written.
  Next Take(const isa::Step& step, lanediff_site site);
  /// Before a launch, not in one: all of GM from now on.
  void SetGm(std::span<std::uint8_t> bytes);
  /// Of the block at hand: what a memory begins with, and what of it is used.
  void Load(isa::Memory memory, std::span<const std::uint8_t> bytes);
  std::span<const std::uint8_t> Used(isa::Memory memory) const;
  /// The bytes [begin, end) count as written, or not, from now on.
  void Remember(isa::Memory memory, std::int64_t begin, std::int64_t end);
  void Forget(isa::Memory memory, std::int64_t begin, std::int64_t end);

  // ---- What it came to so far. ----
  const Counts& counts() const;
  /// Of the last launch: findings by group.
  std::array<std::uint64_t, isa::kCount<Group>> last_launch() const;
  std::uint64_t last_launch_notes() const;
  std::vector<SiteRow> sites() const;

 private:
  std::uint8_t* gm_bytes_ = nullptr;
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace lanediff::kernel
