#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "differential/testcase/document_parts.h"
#include "differential/testcase/json.h"
#include "differential/testcase/json_cursor.h"
#include "differential/testcase/record.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// Records as JSON. Only files that read or write documents include this.
namespace lanediff {

/// The texts of a record by name: an object with a member for each.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

namespace record_json {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T, class Less>
inline constexpr bool kIsList<std::set<T, Less>> = true;
template <>
inline constexpr bool kIsList<NamedTexts> = false;

/// The first and the last: a list of two.
using Span = std::pair<std::int64_t, std::int64_t>;

/// `value` with as many digits as it takes to read it back.
Json DoubleJson(double value);

// What a reader finds at `place`; throws a `CaseError` where it does not fit.
std::string ReadText(const Cursor& place, const Allowed& allowed);
std::uint64_t ReadUnsigned(const Cursor& place, const Allowed& allowed);
std::int64_t ReadSigned(const Cursor& place, const Allowed& allowed);
double ReadDouble(const Cursor& place, const Allowed& allowed);
Span ReadSpan(const Cursor& place);

/// Refuses a report of another kind or of a later schema.
void CheckDocument(ObjectCursor& object, std::string_view kind);

/// For a field that may be given together with another only.
void CheckTogether(ObjectCursor& object, std::string_view a,
                   std::string_view b);
/// For a flag that is true only where another field is left out. Documents of
/// earlier versions may lack that field where the flag is false, too.
void CheckTrueWithout(ObjectCursor& object, std::string_view name,
                      std::string_view other);

}  // namespace record_json

/// Whether a reader minds members that a record does not have.
enum class UnknownFields : std::uint8_t { kRefused, kNotLookedAt };

template <Record T>
Json RecordJson(const T& record);

/// An array of records.
template <class T>
Json ListJson(const std::vector<T>& records);

/// The record at `place`. An unknown, missing or repeated field, a wrong type
/// and a value that is not allowed are thrown as a `CaseError` that names its
/// place.
template <Record T>
T ReadRecord(const Cursor& place,
             UnknownFields unknown = UnknownFields::kRefused);

namespace record_json {

template <class T>
Json ValueJson(const T& value) {
  if constexpr (std::same_as<T, Json>) {
    return value;
  } else if constexpr (std::same_as<T, bool> || std::same_as<T, std::string>) {
    return Json(value);
  } else if constexpr (std::integral<T>) {
    return Json(JsonNumber{std::to_string(value)});
  } else if constexpr (std::same_as<T, double>) {
    return DoubleJson(value);
  } else if constexpr (std::is_enum_v<T>) {
    return Json(std::string(isa::Name(value)));
  } else if constexpr (std::same_as<T, isa::RuleId>) {
    return Json(std::string(value.text()));
  } else if constexpr (kIsOptional<T>) {
    return value ? ValueJson(*value) : Json();
  } else if constexpr (std::same_as<T, NamedTexts>) {
    JsonObject members;
    for (const auto& [name, text] : value) members.emplace_back(name, text);
    return Json(std::move(members));
  } else if constexpr (std::same_as<T, Span>) {
    return Json(JsonArray{ValueJson(value.first), ValueJson(value.second)});
  } else if constexpr (kIsList<T>) {
    JsonArray items;
    items.reserve(value.size());
    for (const auto& item : value) items.push_back(ValueJson(item));
    return Json(std::move(items));
  } else {
    return RecordJson(value);
  }
}

template <class T>
T ReadValue(const Cursor& place, const Allowed& allowed,
            UnknownFields unknown) {
  if constexpr (std::same_as<T, Json>) {
    return place.value();
  } else if constexpr (std::same_as<T, bool>) {
    return place.Boolean();
  } else if constexpr (std::same_as<T, std::string>) {
    return ReadText(place, allowed);
  } else if constexpr (std::unsigned_integral<T>) {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    return ReadUnsigned(place, allowed);
  } else if constexpr (std::same_as<T, std::int64_t>) {
    return ReadSigned(place, allowed);
  } else if constexpr (std::same_as<T, double>) {
    return ReadDouble(place, allowed);
  } else if constexpr (std::is_enum_v<T>) {
    return place.Word<T>();
  } else if constexpr (std::same_as<T, isa::RuleId>) {
    return ReadRule(place);
  } else if constexpr (kIsOptional<T>) {
    if (place.value().As<std::nullptr_t>() != nullptr) return std::nullopt;
    return ReadValue<typename T::value_type>(place, allowed, unknown);
  } else if constexpr (std::same_as<T, NamedTexts>) {
    T texts;
    place.ForEachMember([&](std::string_view name, const Cursor& value) {
      texts.emplace_back(name, value.String());
    });
    return texts;
  } else if constexpr (std::same_as<T, Span>) {
    return ReadSpan(place);
  } else if constexpr (kIsList<T>) {
    const Allowed each = allowed.each == nullptr ? Allowed{} : *allowed.each;
    T list;
    place.ForEach([&](const Cursor& item) {
      list.insert(list.end(),
                  ReadValue<typename T::value_type>(item, each, unknown));
    });
    return list;
  } else {
    return ReadRecord<T>(place, unknown);
  }
}

class Writer {
 public:
  void Format(std::string_view text) { Put("format", std::string(text)); }
  void Document(std::string_view kind) {
    Put("schema", std::string(kReportSchema));
    Put("kind", std::string(kind));
  }
  template <class T>
  void Required(std::string_view name, const T& value, const Allowed& = {}) {
    Put(name, value);
  }
  template <class T>
  void RequiredIf(bool given, std::string_view name, const T& value,
                  const Allowed& = {}) {
    OptionalIf(given, name, value);
  }
  template <class T>
  void Optional(std::string_view name, const T& value, const Allowed& = {}) {
    OptionalIf(!IsLeftOut(value), name, value);
  }
  template <class T>
  void OptionalIf(bool written, std::string_view name, const T& value,
                  const Allowed& = {}) {
    if (!written) return;
    if constexpr (kIsOptional<T>) {
      if (value) Put(name, *value);
    } else {
      Put(name, value);
    }
  }
  template <class F>
  void Derived(std::string_view name, const F& function, const Allowed& = {}) {
    const auto value = function();
    if constexpr (kIsOptional<std::remove_const_t<decltype(value)>>) {
      if (value) Put(name, *value);
    } else {
      Put(name, value);
    }
  }
  void Together(std::string_view, std::string_view) {}
  void Renamed(std::string_view, std::string_view) {}
  template <class T>
  void TrueWithout(std::string_view name, std::string_view, const T& value,
                   const Allowed& = {}) {
    Put(name, IsLeftOut(value));
  }

  JsonObject members;

 private:
  template <class T>
  void Put(std::string_view name, const T& value) {
    members.emplace_back(name, ValueJson(value));
  }
};

class Reader {
 public:
  Reader(const Cursor& place, UnknownFields unknown)
      : object_(place), unknown_(unknown) {}

  void Format(std::string_view text) {
    object_.Required("format").MustBe(text);
  }
  void Document(std::string_view kind) { CheckDocument(object_, kind); }
  template <class T>
  void Required(std::string_view name, T& value, const Allowed& allowed = {}) {
    value = ReadValue<T>(object_.Required(name), allowed, unknown_);
  }
  template <class T>
  void RequiredIf(bool given, std::string_view name, T& value,
                  const Allowed& allowed = {}) {
    if (given) ReadGiven(object_.Required(name), value, allowed);
  }
  template <class T>
  void Optional(std::string_view name, T& value, const Allowed& allowed = {}) {
    if (const auto place = object_.Optional(name)) {
      ReadGiven(*place, value, allowed);
    }
  }
  template <class T>
  void OptionalIf(bool, std::string_view name, T& value,
                  const Allowed& allowed = {}) {
    Optional(name, value, allowed);
  }
  template <class F>
  void Derived(std::string_view name, const F&, const Allowed& = {}) {
    if constexpr (kIsOptional<std::invoke_result_t<F>>) {
      object_.Optional(name);
    } else {
      object_.Required(name);
    }
  }
  void Together(std::string_view a, std::string_view b) {
    CheckTogether(object_, a, b);
  }
  void Renamed(std::string_view name, std::string_view old) {
    object_.Renamed(name, old);
  }
  template <class T>
  void TrueWithout(std::string_view name, std::string_view other, const T&,
                   const Allowed& = {}) {
    CheckTrueWithout(object_, name, other);
  }

  void Finish() const {
    if (unknown_ == UnknownFields::kRefused) object_.Finish();
  }

 private:
  /// A field that may be left out is not null where it is given.
  template <class T>
  void ReadGiven(const Cursor& place, T& value, const Allowed& allowed) {
    if constexpr (kIsOptional<T>) {
      value = ReadValue<typename T::value_type>(place, allowed, unknown_);
    } else {
      value = ReadValue<T>(place, allowed, unknown_);
    }
  }

  ObjectCursor object_;
  UnknownFields unknown_;
};

}  // namespace record_json

template <Record T>
Json RecordJson(const T& record) {
  record_json::Writer writer;
  T::Fields(record, writer);
  return Json(std::move(writer.members));
}

template <class T>
Json ListJson(const std::vector<T>& records) {
  return record_json::ValueJson(records);
}

template <Record T>
T ReadRecord(const Cursor& place, UnknownFields unknown) {
  T record;
  record_json::Reader reader(place, unknown);
  T::Fields(record, reader);
  reader.Finish();
  if constexpr (requires { record.Fault(); }) {
    if (const auto fault = record.Fault()) {
      throw CaseError{place.Pointer() + fault->pointer, fault->message};
    }
  }
  return record;
}

/// The record that is the document `text`.
template <Record T>
std::expected<T, CaseError> ReadDocument(std::string_view text) {
  return ReadDocument(text,
                      [](const Cursor& root) { return ReadRecord<T>(root); });
}

}  // namespace lanediff
