#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isa/intervals.h"

/// Global memory of the kernels of a process: buffers that were allocated here,
/// and those of the host that were named. Each has a place of its own in one
/// address space in which cases speak, the same in every run: addresses of the
/// host are not.
namespace lanediff::kernel {

struct GmBuffer {
  std::uint8_t* host = nullptr;  ///< its first byte
  std::int64_t at = 0;           ///< the same in the address space of cases
  std::int64_t bytes = 0;
};

/// What a kernel is given as its `number`th argument, from 1: GM from its first
/// byte to its buffer's end.
struct GmArgument {
  std::int64_t number = 1;
  std::int64_t at = 0;
  std::int64_t end = 0;
  std::int64_t element = 0;  ///< bytes of what it points to; 0: not known
  bool output = false;       ///< the kernel must write all of it
};

class Gm {
 public:
  Gm();
  ~Gm();
  Gm(const Gm&) = delete;
  Gm& operator=(const Gm&) = delete;

  /// Poisoned and uninitialised memory, at a multiple of 512; null if there is
  /// none left.
  void* Allocate(std::uint64_t bytes);
  /// False, and nothing is done, if it is not of `Allocate`.
  bool Free(void* pointer);
  /// A buffer of the host: initialised. Naming it again changes its size, and
  /// it keeps its place unless it grows. Named buffers that it overlaps are
  /// forgotten; what lies in one of `Allocate` has its extent from there.
  void Name(const void* pointer, std::uint64_t bytes);

  /// Names it as a buffer that a launch must fill: poisoned, nothing of it is
  /// written.
  void NameOutput(const void* pointer, std::uint64_t bytes);

  /// Argument of the next launch.
  void AddArgument(const void* pointer, std::int64_t number,
                   std::int64_t element, bool output);
  const std::vector<GmArgument>& arguments() const;
  /// That which has the byte; null if there is none.
  const GmArgument* ArgumentAt(std::int64_t at) const;
  /// The last that ends before the byte; null if there is none.
  const GmArgument* ArgumentBefore(std::int64_t at) const;
  void ClearArguments();

  /// The buffer that holds the byte (or ends there, where none begins).
  std::optional<GmBuffer> Find(const void* pointer) const;

  /// A place for a pointer that is in no buffer: of unknown extent. Pointers
  /// less than 2 GiB from each other keep their distance; `bytes` is how many
  /// follow that do.
  GmBuffer Unknown(const void* pointer);

  /// Looks which granules of 8 bytes still hold the poison; what doesn't
  /// counts as written from now on, whatever comes. To be called at a launch.
  /// Only what counted as unwritten is looked at. A rest of less than 8 bytes
  /// at a buffer's end is unwritten only where the granule before it is.
  void Look();
  /// The bytes that count as unwritten since `Look`.
  const isa::IntervalSet& unwritten() const;
  /// What a launch has left unwritten of what was so before it: that stays so
  /// which still holds the poison.
  void KeepUnwritten(const isa::IntervalSet& bytes);
  /// Whether one of the bytes counts as unwritten and still holds the poison.
  bool IsUnwritten(const void* pointer, std::uint64_t bytes);
  /// Of what all buffers hold: equal bytes, equal numbers.
  std::uint64_t Digest() const;
  /// Another pattern for what is poisoned from now on (--poison both).
  void SetPoison(std::uint64_t seed);

  /// What all buffers hold now; and as it was then, what was unwritten poisoned
  /// again. Buffers that came or went meanwhile are left alone.
  struct Saved;
  std::shared_ptr<const Saved> Save() const;
  void Restore(const Saved& saved);
  /// The first bytes in a row, as cases have them, that differ from what was
  /// saved and that were written.
  std::optional<isa::Interval> DiffersFrom(const Saved& saved);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanediff::kernel
