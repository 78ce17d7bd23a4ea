#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "differential/testcase/case_error.h"
#include "isa/memory_map.h"
#include "isa/vocabulary.h"
#include "reports/kernel.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs/run/run.h"
#include "tools/prepare/prepare.h"

namespace lanediff::cli {
namespace {

constexpr const char* kAllowed =
    "in:TYPE:COUNT:fill:V, in:TYPE:COUNT:ramp:FROM:STEP, "
    "in:TYPE:COUNT:file:PATH,"
    " the same with inout, inout:TYPE:COUNT, out:TYPE:COUNT, "
    "out:TYPE:COUNT:file:PATH or TYPE:V, where TYPE has V";
constexpr std::int64_t kMostElements = std::int64_t{1} << 30;

/// What each program begins with: arguments that are pointers, and their bytes.
constexpr const char* kParts = R"(
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
 #include "lanediff/kernel.h"
namespace {
template <class T> using Number = std::conditional_t<std::is_integral_v<T>, long long, float>;
template <class T> T* Allocate(std::size_t count) {
  T* const p = static_cast<T*>(lanediff_gm_alloc(count * sizeof(T)));
  if (p == nullptr) {
    std::fputs("lanediff run: no memory for an argument\n", stderr);
    std::exit(1);
  }
  return p;
}
template <class T> T* Ramp(std::size_t count, Number<T> from, Number<T> step) {
  T* const p = Allocate<T>(count);
  for (std::size_t i = 0; i < count; ++i)
    p[i] = static_cast<T>(static_cast<Number<T>>(from + step * static_cast<Number<T>>(i)));
  return p;
}
template <class T> T* Read(std::size_t count, const char* path) {
  T* const p = Allocate<T>(count);
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "lanediff run: can't read %s: %s\n", path, std::strerror(errno));
    std::exit(1);
  }
  if (std::fread(static_cast<void*>(p), sizeof(T), count, file) != count) {
    std::fprintf(stderr, "lanediff run: %s doesn't have %zu elements of %zu bytes\n", path, count, sizeof(T));
    std::exit(1);
  }
  std::fclose(file);
  return p;
}
template <class T> void Print(const char* name, const T* p, std::size_t count) {
  std::printf("%s =", name);
  for (std::size_t i = 0; i < count && i < 16; ++i)
    if (lanediff_gm_is_unwritten(p + i, sizeof(T)) != 0) std::printf(" unwritten");
    else if constexpr (std::is_integral_v<T>) std::printf(" %lld", static_cast<long long>(p[i]));
    else std::printf(" %.9g", static_cast<double>(static_cast<float>(p[i])));
  std::puts(count > 16 ? " ..." : "");
}
template <class T> void Write(const char* path, const T* p, std::size_t count) {
  std::FILE* const file = std::fopen(path, "wb");
  const bool all = file != nullptr && std::fwrite(static_cast<const void*>(p), sizeof(T), count, file) == count;
  if (!all || std::fclose(file) != 0) {
    std::fprintf(stderr, "lanediff run: can't write %s\n", path);
    std::exit(1);
  }
}
}
)";

using prepare::Literal;

std::string CppType(isa::DType type) {
  using enum isa::DType;
  const bool plain = type == kHalf || type == kFloat || type == kDouble;
  return std::string(isa::Name(type)) + (plain ? "" : "_t");
}

using isa::SizeBytes;

bool IsWhole(isa::DType type) { return isa::Name(type).contains("int"); }

/// A number of the type as C++ has it; nothing where it has no such number.
std::optional<std::string> NumberOf(isa::DType type, std::string_view text) {
  if (IsWhole(type)) {
    const auto bits = static_cast<unsigned>(8 * SizeBytes(type));
    if (!isa::Name(type).starts_with("u")) {
      const auto value = ToNumber<std::int64_t>(text);
      const std::int64_t most = INT64_MAX >> (64 - bits);
      if (!value || *value > most || *value < -most - 1) return std::nullopt;
      // The smallest one has no literal of its own.
      return *value == INT64_MIN ? "(-9223372036854775807LL - 1)"
                                 : fmt::format("{}LL", *value);
    }
    const auto value = ToNumber<std::uint64_t>(text);
    if (!value || *value > UINT64_MAX >> (64 - bits)) return std::nullopt;
    return fmt::format("{}ULL", *value);
  }
  const char* const last = text.data() + text.size();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last || !std::isfinite(value)) {
    return std::nullopt;
  }
  return fmt::format("static_cast<float>({:.17g})", value);
}

struct Argument {
  std::string made;   ///< what makes it
  std::string after;  ///< what is done with it behind the launch
};

/// What keeps `count` elements of a type from being read there; "" if nothing.
std::string ObjectionToInput(const std::string& path, isa::DType type,
                             std::int64_t count) {
  namespace fs = std::filesystem;
  if (access(path.c_str(), R_OK) != 0) {
    return fmt::format("can't read {}: {}", path, std::strerror(errno));
  }
  std::error_code error;
  if (fs::is_directory(path, error)) return path + " is a folder";
  // Pipes have no size.
  if (!fs::is_regular_file(path, error)) return "";
  const auto bytes = fs::file_size(path, error);
  const auto needed = static_cast<std::uintmax_t>(count * SizeBytes(type));
  if (error || bytes >= needed) return "";
  return fmt::format("{} has {} bytes; {} elements of {} bytes need {}", path,
                     bytes, count, SizeBytes(type), needed);
}

std::expected<Argument, std::string> ArgumentOf(std::string_view text,
                                                std::size_t number) {
  const auto wrong = std::unexpected(std::string(kAllowed));
  std::vector<std::string_view> parts;
  // A path is the last part and may hold colons.
  while (parts.size() < 4 || parts[3] != "file") {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == text.npos) {
      text = {};
      break;
    }
    text.remove_prefix(colon + 1);
  }
  if (parts.size() == 4 && !text.empty()) parts.push_back(text);
  const std::string name = fmt::format("argument{}", number);
  if (parts.size() < 2) return wrong;
  const auto type = isa::Parse<isa::DType>(parts[parts.size() == 2 ? 0 : 1]);
  if (!type) return wrong;
  const std::string cpp = CppType(*type);
  if (parts.size() == 2) {
    const auto value = NumberOf(*type, parts[1]);
    if (!value) return wrong;
    return Argument{fmt::format("const {} {} = static_cast<{}>({});\n", cpp,
                                name, cpp, *value),
                    ""};
  }
  const auto count = ToNumber<std::int64_t>(parts[2]);
  if (!count || *count < 1 || *count > kMostElements) return wrong;
  const auto made = [&](const std::string& value) {
    return fmt::format("{}* const {} = {};\n", cpp, name, value);
  };
  const std::string_view how = parts.size() > 3 ? parts[3] : "";
  const bool path = how == "file" && parts.size() == 5;
  const bool output = parts[0] == "out";
  const bool in_out = parts[0] == "inout";
  const std::string declared =
      fmt::format("lanediff_gm_argument({}, {}, sizeof({}), {});\n", name,
                  number + 1, cpp, output ? 1 : 0);
  const std::string print = fmt::format(
      "Print({}, {}, {});\n",
      Literal(fmt::format("argument {}: {}[{}]", number + 1, parts[1], *count)),
      name, *count);
  if ((output || in_out) && (parts.size() == 3 || (output && path))) {
    return Argument{
        made(fmt::format("Allocate<{}>({})", cpp, *count)) + declared,
        print + (path ? fmt::format("Write({}, {}, {});\n", Literal(parts[4]),
                                    name, *count)
                      : "")};
  }
  if (parts[0] != "in" && !in_out) return wrong;
  const auto input = [&](const std::string& value) {
    return Argument{made(value) + declared, in_out ? print : ""};
  };
  if (path) {
    const std::string objection =
        ObjectionToInput(std::string(parts[4]), *type, *count);
    if (!objection.empty()) return std::unexpected(objection);
    return input(
        fmt::format("Read<{}>({}, {})", cpp, *count, Literal(parts[4])));
  }
  const bool fill = how == "fill" && parts.size() == 5;
  if (!fill && !(how == "ramp" && parts.size() == 6)) return wrong;
  const auto from = NumberOf(*type, parts[4]);
  // A step of numbers without sign may have one.
  const auto step = NumberOf(IsWhole(*type) ? isa::DType::kInt64 : *type,
                             fill ? "0" : parts[5]);
  if (!from || !step) return wrong;
  return input(fmt::format("Ramp<{}>({}, {}, {})", cpp, *count, *from, *step));
}

}  // namespace

std::string KernelMain(const KernelCall& call,
                       const std::vector<std::string>& sources) {
  std::string text;
  for (const std::string& source : sources) {
    text += fmt::format("#include {}\n", Literal(source));
  }
  text += fmt::format("#line 1 {}", Literal(reports::kMainOfKernel));
  text += kParts;
  text += "int main() {\n";
  std::string names;
  std::string after;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto argument = ArgumentOf(call.arguments[i], i);
    if (!argument) {
      const char* const word = argument.error() == kAllowed ? "allowed: " : "";
      Fail("--arg: \"{}\"; {}{}", call.arguments[i], word, argument.error());
    }
    text += argument->made;
    after += argument->after;
    const bool pointer = argument->made.contains("* const");
    names += i == 0 ? "" : ", ";
    names += pointer ? fmt::format("::lanediff::GmPointer(argument{})", i)
                     : fmt::format("argument{}", i);
  }
  text += fmt::format(
      "::lanediff::KernelLaunch({}, 0, 0).Run([&] {{ {}({}); }}, {});\n",
      call.blocks, call.kernel, names, Literal(call.kernel));
  return text + after + "}\n";
}

}  // namespace lanediff::cli
