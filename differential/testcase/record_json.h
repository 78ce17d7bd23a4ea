#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "differential/testcase/document_parts.h"
#include "differential/testcase/json.h"
#include "differential/testcase/json_cursor.h"
#include "differential/testcase/record.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Records as JSON. Only files that read or write documents include this.
namespace lanediff {

/// The texts of a record by name: an object with a member for each.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

namespace record_json {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T, class Less>
inline constexpr bool kIsList<std::set<T, Less>> = true;
template <>
inline constexpr bool kIsList<NamedTexts> = false;

using IntegerOrText = std::variant<std::int64_t, std::string>;

/// An object with a count for each name.
using NamedCounts = std::map<std::string, std::uint64_t>;

/// The first and the last: a list of two.
using Span = std::pair<std::int64_t, std::int64_t>;

// Where the next member or item of `json` stands.
Json& NewMember(Json& json, std::string_view name);
Json& NewItem(Json& json);

// Make `json` a value. Doubles have as many digits as it takes to read them
// back.
void Write(bool value, Json& json);
void Write(double value, Json& json);
void Write(std::int64_t value, Json& json);
void Write(std::uint64_t value, Json& json);
void Write(std::string_view value, Json& json);
void Write(const JsonText& value, Json& json);
void Write(const NamedTexts& value, Json& json);
void Write(const NamedCounts& value, Json& json);
/// As it stands in a program.
void WriteStep(const isa::Step& step, Json& json);
void WriteEmptyList(Json& json);
void WriteEmptyObject(Json& json);

// What a reader finds at `place`; throws a `CaseError` where it does not fit.
std::string ReadText(const Cursor& place, const Allowed& allowed);
JsonText ReadJsonText(const Cursor& place);
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

/// The record as an object. Where it is used, nlohmann/json.hpp is included.
template <Record T, class Result = Json>
Result RecordJson(const T& record);

/// The record as a document: laid out text.
template <Record T>
std::string RecordText(const T& record);

/// The record at `place`. An unknown, missing or repeated field, a wrong type
/// and a value that is not allowed are thrown as a `CaseError` that names its
/// place.
template <Record T>
T ReadRecord(const Cursor& place,
             UnknownFields unknown = UnknownFields::kRefused);

namespace record_json {

template <Record T>
void WriteRecord(const T& record, Json& json);

template <class T>
void WriteValue(const T& value, Json& json) {
  if constexpr (std::unsigned_integral<T> && !std::same_as<T, bool>) {
    Write(std::uint64_t{value}, json);
  } else if constexpr (std::signed_integral<T>) {
    Write(std::int64_t{value}, json);
  } else if constexpr (std::is_enum_v<T>) {
    Write(isa::Name(value), json);
  } else if constexpr (std::same_as<T, isa::RuleId>) {
    Write(value.text(), json);
  } else if constexpr (kIsOptional<T>) {
    if (value) WriteValue(*value, json);
  } else if constexpr (std::same_as<T, isa::Step>) {
    WriteStep(value, json);
  } else if constexpr (std::same_as<T, IntegerOrText>) {
    std::visit([&](const auto& one) { Write(one, json); }, value);
  } else if constexpr (std::same_as<T, Span>) {
    WriteValue(std::vector{value.first, value.second}, json);
  } else if constexpr (kIsList<T>) {
    WriteEmptyList(json);
    for (const auto& item : value) WriteValue(item, NewItem(json));
  } else if constexpr (Record<T>) {
    WriteRecord(value, json);
  } else {
    Write(value, json);
  }
}

template <class T>
T ReadValue(const Cursor& place, const Allowed& allowed,
            UnknownFields unknown) {
  if constexpr (std::same_as<T, JsonText>) {
    return ReadJsonText(place);
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
  } else if constexpr (std::same_as<T, IntegerOrText>) {
    if (place.IsString()) return place.String();
    return place.Integer();
  } else if constexpr (std::is_enum_v<T>) {
    return place.Word<T>();
  } else if constexpr (std::same_as<T, isa::RuleId>) {
    return ReadRule(place);
  } else if constexpr (kIsOptional<T>) {
    if (place.IsNull()) return std::nullopt;
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
  explicit Writer(Json& object) : object_(object) { WriteEmptyObject(object); }

  void Format(std::string_view text) { Put("format", std::string(text)); }
  void Document(std::string_view kind) {
    Put("schema", kReportSchema);
    Put("kind", kind);
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

 private:
  template <class T>
  void Put(std::string_view name, const T& value) {
    WriteValue(value, NewMember(object_, name));
  }

  Json& object_;
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

template <Record T>
void WriteRecord(const T& record, Json& json) {
  Writer writer(json);
  T::Fields(record, writer);
}

/// The document that `write` makes, as text.
std::string TextOf(const std::function<void(Json&)>& write);

}  // namespace record_json

template <Record T, class Result>
Result RecordJson(const T& record) {
  Result json;
  record_json::WriteRecord(record, json);
  return json;
}

template <Record T>
std::string RecordText(const T& record) {
  return record_json::TextOf(
      [&](Json& json) { record_json::WriteRecord(record, json); });
}

template <Record T>
T ReadRecord(const Cursor& place, UnknownFields unknown) {
  T record{};
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
