#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"

/// JSON Schema of records, for those who read documents elsewhere. It has what
/// `Fields` list; a reader holds a document to a `Fault` too.
namespace lanediff {

namespace record_schema {

// `{"type": TYPE}` and the like, with what is allowed.
Json TextSchema(const Allowed& allowed);
/// Of "integer", "number" or "boolean".
Json NumberSchema(std::string_view type, const Allowed& allowed);
Json WordsSchema(std::span<const std::string_view> words,
                 const Allowed& allowed);
Json RuleSchema(const Allowed& allowed);
Json ListSchema(Json each, const Allowed& allowed);
/// Of two integers.
Json SpanSchema(const Allowed& allowed);
/// Of any object, or of one whose members are texts.
Json ObjectSchema(bool of_texts, const Allowed& allowed);
/// Of an object whose members are counts.
Json CountsSchema(const Allowed& allowed);
/// Of an integer, as a text where it is beyond 2^53.
Json IntegerOrTextSchema(const Allowed& allowed);
Json NumberOrTextSchema(const Allowed& allowed);
/// `schema`, or null.
Json OrNull(Json schema);

/// The object that has the fields that are added.
class ObjectBuilder {
 public:
  void Add(std::string_view name, Json schema, bool required);
  void Together(std::string_view a, std::string_view b);
  void TrueWithout(std::string_view name, std::string_view other);
  Json Build(const Allowed& allowed) &&;

 private:
  Json required_ = Json::array();
  Json properties_ = Json::object();
  Json dependencies_ = Json::object();
  Json condition_ = Json::object();
};

template <Record T>
Json RecordSchema(const Allowed& allowed);

template <class T>
Json ValueSchema(const Allowed& allowed) {
  using record_json::kIsList;
  using record_json::kIsOptional;
  if constexpr (kIsOptional<T>) {
    return OrNull(ValueSchema<typename T::value_type>(allowed));
  } else if constexpr (std::same_as<T, bool>) {
    return NumberSchema("boolean", allowed);
  } else if constexpr (std::same_as<T, std::string> ||
                       std::same_as<T, std::string_view>) {
    return TextSchema(allowed);
  } else if constexpr (std::same_as<T, record_json::IntegerOrText>) {
    return IntegerOrTextSchema(allowed);
  } else if constexpr (std::same_as<T, record_json::NamedCounts>) {
    return CountsSchema(allowed);
  } else if constexpr (std::same_as<T, isa::Step>) {
    return ObjectSchema(false, allowed);
  } else if constexpr (std::unsigned_integral<T>) {
    Allowed from = allowed;
    if (!allowed.all_bits) from.low = allowed.low.value_or(0);
    return NumberSchema("integer", from);
  } else if constexpr (std::same_as<T, std::int64_t>) {
    return NumberSchema("integer", allowed);
  } else if constexpr (std::same_as<T, double>) {
    return NumberSchema("number", allowed);
  } else if constexpr (std::is_enum_v<T>) {
    return WordsSchema(isa::Words<T>::kSpelling, allowed);
  } else if constexpr (std::same_as<T, isa::RuleId>) {
    return RuleSchema(allowed);
  } else if constexpr (std::same_as<T, NamedTexts>) {
    return ObjectSchema(true, allowed);
  } else if constexpr (std::same_as<T, record_json::Span>) {
    return SpanSchema(allowed);
  } else if constexpr (kIsList<T>) {
    const Allowed each = allowed.each == nullptr ? Allowed{} : *allowed.each;
    return ListSchema(allowed.elsewhere
                          ? ObjectSchema(false, {})
                          : ValueSchema<typename T::value_type>(each),
                      allowed);
  } else if constexpr (std::same_as<T, NumberOrText>) {
    return NumberOrTextSchema(allowed);
  } else if constexpr (std::same_as<T, JsonText>) {
    return ObjectSchema(false, allowed);
  } else {
    if (allowed.elsewhere) return ObjectSchema(false, allowed);
    return RecordSchema<T>(allowed);
  }
}

class Visitor {
 public:
  void Format(std::string_view text) {
    builder.Add("format", {{"const", text}}, true);
  }
  void Document(std::string_view kind) {
    builder.Add("schema", {{"const", kReportSchema}}, true);
    builder.Add("kind", {{"const", kind}}, true);
  }
  template <class T>
  void Required(std::string_view name, const T&, const Allowed& allowed = {}) {
    builder.Add(name, ValueSchema<T>(allowed), true);
  }
  template <class T>
  void RequiredIf(bool, std::string_view name, const T& value,
                  const Allowed& allowed = {}) {
    Optional(name, value, allowed);
  }
  template <class T>
  void Optional(std::string_view name, const T&, const Allowed& allowed = {}) {
    AddOptional<T>(name, allowed);
  }
  template <class T>
  void OptionalIf(bool, std::string_view name, const T& value,
                  const Allowed& allowed = {}) {
    Optional(name, value, allowed);
  }
  template <class F>
  void Derived(std::string_view name, const F&, const Allowed& allowed = {}) {
    using T = std::remove_cvref_t<std::invoke_result_t<F>>;
    if constexpr (record_json::kIsOptional<T>) {
      AddOptional<T>(name, allowed);
    } else {
      builder.Add(name, ValueSchema<T>(allowed), true);
    }
  }
  void Together(std::string_view a, std::string_view b) {
    builder.Together(a, b);
  }
  void Renamed(std::string_view, std::string_view) {}
  template <class T>
  void TrueWithout(std::string_view name, std::string_view other, const T&,
                   const Allowed& allowed = {}) {
    builder.Add(name, NumberSchema("boolean", allowed), true);
    builder.TrueWithout(name, other);
  }

  ObjectBuilder builder;

 private:
  template <class T>
  void AddOptional(std::string_view name, const Allowed& allowed) {
    if constexpr (record_json::kIsOptional<T>) {
      // Null where the value may be left out and may be null.
      builder.Add(name, ValueSchema<typename T::value_type>(allowed), false);
    } else {
      builder.Add(name, ValueSchema<T>(allowed), false);
    }
  }
};

template <Record T>
Json RecordSchema(const Allowed& allowed) {
  Visitor visitor;
  const T record{};
  T::Fields(record, visitor);
  return std::move(visitor.builder).Build(allowed);
}

}  // namespace record_schema

/// The schema of documents that are a `T`, as text.
template <Record T>
std::string SchemaText(std::string_view title, std::string_view description) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", title}};
  schema.update(record_schema::RecordSchema<T>({.description = description}));
  return LayOut(schema);
}

}  // namespace lanediff
