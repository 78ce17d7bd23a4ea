#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "differential/testcase/json.h"
#include "isa/vocabulary.h"

/// Walking a `Json` while knowing where one is. For readers of documents only:
/// what does not fit is thrown as a `CaseError`, which a reader turns into a
/// result before it returns.
namespace lanediff {

class Cursor {
 public:
  explicit Cursor(const Json& root) : value_(&root) {}
  Cursor(const Json& value, const Cursor& parent,
         std::variant<std::string_view, std::size_t> key)
      : value_(&value), parent_(&parent), key_(key) {}
  /// A parent outlives what is below it.
  Cursor(const Json&, const Cursor&&,
         std::variant<std::string_view, std::size_t>) = delete;

  const Json& value() const { return *value_; }
  /// Of a member.
  std::string_view name() const { return std::get<std::string_view>(key_); }

  std::string Pointer() const;

  [[noreturn]] void Fail(std::string message) const;
  [[noreturn]] void FailType(std::string_view allowed) const;
  template <class E>
  [[noreturn]] void FailWord(std::string_view found) const {
    FailWord(found, {isa::Words<E>::kSpelling.begin(),
                     isa::Words<E>::kSpelling.end()});
  }
  [[noreturn]] void FailWord(
      std::string_view found,
      const std::vector<std::string_view>& allowed) const;

  bool IsNull() const;
  bool IsString() const;
  bool IsNumber() const;
  bool IsArray() const;
  bool IsObject() const;

  const std::string& String() const;
  bool Boolean() const;
  /// Refuses any other string than `allowed`.
  void MustBe(std::string_view allowed) const;
  /// The text of a number.
  std::string Number() const;
  /// An integer in [−2⁶³, 2⁶³−1].
  std::int64_t Integer() const;
  /// An integer in [0, 2⁶⁴−1].
  std::uint64_t Count() const;
  double Double() const;
  std::int64_t IntegerIn(std::int64_t low, std::int64_t high) const;
  /// 64 bits as "0x…".
  std::uint64_t HexWord() const;
  /// Which of `words` it is; the error states what is `allowed`.
  std::size_t OneOf(std::initializer_list<std::string_view> words,
                    std::string_view allowed) const;
  template <class E>
  E Word() const {
    const auto value = isa::Parse<E>(String());
    if (!value) FailWord<E>(String());
    return *value;
  }

  // Reads what is there by the type of `value`.
  void To(bool& value) const { value = Boolean(); }
  void To(std::string& value) const { value = String(); }
  void To(std::int64_t& value) const { value = Integer(); }
  template <class E>
    requires std::is_enum_v<E>
  void To(E& value) const {
    value = Word<E>();
  }
  template <class T>
  void To(std::optional<T>& value) const {
    To(value.emplace());
  }

  /// Items of an array; members of an object.
  std::size_t CountItems() const;
  std::size_t CountMembers() const;
  Cursor Item(std::size_t index) const;
  Cursor Member(std::size_t index) const;

  template <class F>
  void ForEach(F&& f) const {
    const std::size_t count = CountItems();
    for (std::size_t i = 0; i < count; ++i) f(Item(i));
  }
  template <class F>
  void ForEachMember(F&& f) const {
    const std::size_t count = CountMembers();
    for (std::size_t i = 0; i < count; ++i) {
      const Cursor member = Member(i);
      f(member.name(), member);
    }
  }

 private:
  const Json* value_;
  const Cursor* parent_ = nullptr;
  std::variant<std::string_view, std::size_t> key_;
};

/// Reads the members of an object and, at `Finish`, refuses those that were not
/// requested, before it refuses that needed ones are missing.
class ObjectCursor {
 public:
  explicit ObjectCursor(const Cursor& place)
      : place_(place), requested_(place.CountMembers(), false) {}
  /// The place outlives the object and its members.
  explicit ObjectCursor(const Cursor&&) = delete;

  const Cursor& place() const { return place_; }

  /// Where no member is called `name`, the member `old` is read as `name`.
  void Renamed(std::string_view name, std::string_view old);

  std::optional<Cursor> Optional(std::string_view name);
  Cursor Required(std::string_view name);
  /// As `Required`, but what is missing is refused at `Finish`.
  std::optional<Cursor> Needed(std::string_view name);
  /// Reads the member `name` into `value`, by its type, if it is given.
  template <class T>
  void Read(std::string_view name, T& value) {
    if (const auto place = Optional(name)) place->To(value);
  }
  /// As `Read`, of a member that is needed.
  template <class T>
  void Need(std::string_view name, T& value) {
    if (const auto place = Needed(name)) place->To(value);
  }
  /// As `Needed`, of one of several.
  void OneIsMissing(const std::vector<std::string_view>& names);
  void Finish() const;
  /// Refuses a member that is not among `names`.
  void Allow(const std::vector<std::string_view>& names) const;

 private:
  const Cursor& place_;
  std::vector<std::string_view> missing_;
  std::string refusal_;  ///< of the first of them
  std::vector<std::pair<std::string_view, std::string_view>> renamed_;
  std::vector<bool> requested_;
};

/// Has `read` look at the document `text` of at most `most` bytes; what is
/// wrong with it.
std::optional<CaseError> WithDocument(
    std::string_view text, std::size_t most,
    const std::function<void(const Cursor&)>& read);

/// What `read` makes of the document `text` of at most `most` bytes, or what is
/// wrong with it.
template <class F>
std::expected<std::invoke_result_t<F, const Cursor&>, CaseError> ReadDocument(
    std::string_view text, const F& read,
    std::size_t most = std::string_view::npos) {
  std::optional<std::invoke_result_t<F, const Cursor&>> result;
  auto error = WithDocument(
      text, most, [&](const Cursor& root) { result.emplace(read(root)); });
  if (error) return std::unexpected(*std::move(error));
  return *std::move(result);
}

}  // namespace lanediff
