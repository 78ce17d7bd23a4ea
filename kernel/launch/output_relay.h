#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace lanediff::host {

/// Set for a program whose standard output is a terminal behind the relay.
inline constexpr const char* kTerminalVariable = "LANEDIFF_TERMINAL";

/// Passes on what a program writes, and marks the lines that look like those of
/// a report: "kernel: SUMMARY …". What a terminal doesn't show before a word
/// doesn't hide it.
class MarkedLines {
 public:
  /// `text` with its marks, but for what may begin a mark.
  std::string Next(std::string_view text);
  /// What was held back.
  std::string End();
  /// Whether the last line has no end.
  bool open() const { return open_; }

 private:
  enum class Place : std::uint8_t {
    kStart,     ///< of a line, or behind what a terminal doesn't show
    kEscape,    ///< behind ESC
    kSequence,  ///< in ESC [ …
    kInside,    ///< of a line
  };
  Place place_ = Place::kStart;
  bool open_ = false;
  std::string held_;  ///< a word that may be one of a report's
};

/// Between a program and this process's standard output and error output.
class OutputRelay {
 public:
  /// To be made before the program's process. Null where there are no pipes.
  static std::unique_ptr<OutputRelay> Make();
  ~OutputRelay();
  OutputRelay(const OutputRelay&) = delete;
  OutputRelay& operator=(const OutputRelay&) = delete;

  /// In the program's process: it writes to the relay.
  void Enter();
  /// In this one: passes on from now on.
  void Begin();
  /// What is there already is passed on, and no more.
  void End();
  /// Behind that: what this process writes to its error output begins a line.
  void BeginLine();
  /// The first error of writing, but EPIPE; 0 if there was none.
  int error() const { return error_; }

 private:
  OutputRelay() = default;
  void Run();
  /// False at the end of what can be read now.
  bool PassOn(int stream);

  int read_[2] = {-1, -1};
  int write_[2] = {-1, -1};  ///< the second is -1 where both go to one file
  int wake_[2] = {-1, -1};
  bool two_ = false;  ///< files that both go to
  bool terminal_ = false;
  MarkedLines lines_[2];
  int error_ = 0;
  std::thread thread_;
};

}  // namespace lanediff::host
