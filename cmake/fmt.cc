// {fmt} for fuzz programs, compiled once with whatever standard library they
// use: Debian's is libstdc++'s, and header-only every file would compile it
// again.
#include <fmt/format-inl.h>

namespace fmt {
inline namespace v9 {
namespace detail {

template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view,
                         basic_format_args<buffer_context<char>>, locale_ref);
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;

}  // namespace detail
}  // namespace v9
}  // namespace fmt
