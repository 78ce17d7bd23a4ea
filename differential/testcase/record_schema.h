#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "differential/testcase/json.h"
#include "differential/testcase/record_json.h"

/// JSON Schema of records, for those who read documents elsewhere. It has what
/// `Fields` list; a reader holds a document to a `Fault` too.
namespace lanediff {

namespace record_schema {

// Schemas of single values, with what is allowed.

inline Json Described(const Allowed& allowed) {
  Json schema = Json::object();
  if (!allowed.description.empty()) schema["description"] = allowed.description;
  return schema;
}

inline Json Typed(std::string_view type, const Allowed& allowed) {
  Json schema = Described(allowed);
  schema["type"] = type;
  return schema;
}

inline Json WordsSchema(std::span<const std::string_view> words,
                        const Allowed& allowed) {
  Json schema = Described(allowed);
  schema["enum"] = words;
  return schema;
}

inline Json TextSchema(const Allowed& allowed) {
  if (!allowed.words.empty()) return WordsSchema(allowed.words, allowed);
  Json schema = Typed("string", allowed);
  if (allowed.filled) schema["minLength"] = 1;
  if (!allowed.pattern.empty()) schema["pattern"] = allowed.pattern;
  return schema;
}

/// Of "integer", "number" or "boolean".
inline Json NumberSchema(std::string_view type, const Allowed& allowed) {
  Json schema = Typed(type, allowed);
  if (allowed.low) schema["minimum"] = *allowed.low;
  if (allowed.high) schema["maximum"] = *allowed.high;
  return schema;
}

inline Json RuleSchema(const Allowed& allowed) {
  Allowed id = allowed;
  id.pattern = kRuleText.pattern;
  return TextSchema(id);
}

inline Json ListSchema(Json each, const Allowed& allowed) {
  Json schema = Typed("array", allowed);
  if (each.is_object()) schema["items"] = std::move(each);
  if (allowed.filled) schema["minItems"] = 1;
  return schema;
}

/// Of two integers.
inline Json SpanSchema(const Allowed& allowed) {
  Json schema = Typed("array", allowed);
  schema["items"] = NumberSchema("integer", {});
  schema["minItems"] = 2;
  schema["maxItems"] = 2;
  return schema;
}

/// Of an object, each of whose members is `each`.
inline Json MapSchema(Json each, const Allowed& allowed) {
  Json schema = Typed("object", allowed);
  schema["additionalProperties"] = std::move(each);
  return schema;
}

/// Of an integer, as a text where it is beyond 2^53.
inline Json IntegerOrTextSchema(const Allowed& allowed) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  Json schema = Described(allowed);
  schema["oneOf"] =
      Json::array({NumberSchema("integer", {.low = -kExact, .high = kExact}),
                   TextSchema({.pattern = "^-?[1-9][0-9]{15,18}$"})});
  return schema;
}

inline Json NumberOrTextSchema(const Allowed& allowed) {
  Json schema = Described(allowed);
  schema["type"] = {"number", "string"};
  return schema;
}

/// `schema`, or null.
inline Json OrNull(Json schema) {
  return {{"oneOf", {std::move(schema), {{"type", "null"}}}}};
}

template <Record T>
Json RecordSchema(const Allowed& allowed);

template <class T>
Json ValueSchema(const Allowed& allowed) {
  using record_json::kIsList;
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
    return MapSchema(NumberSchema("integer", {.low = 0}), allowed);
  } else if constexpr (std::same_as<T, isa::Step>) {
    return Typed("object", allowed);
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
    return MapSchema(TextSchema({}), allowed);
  } else if constexpr (std::same_as<T, record_json::Span>) {
    return SpanSchema(allowed);
  } else if constexpr (kIsList<T>) {
    const Allowed each = allowed.each == nullptr ? Allowed{} : *allowed.each;
    return ListSchema(allowed.elsewhere
                          ? Typed("object", {})
                          : ValueSchema<typename T::value_type>(each),
                      allowed);
  } else if constexpr (std::same_as<T, NumberOrText>) {
    return NumberOrTextSchema(allowed);
  } else if constexpr (std::same_as<T, JsonText>) {
    return Typed("object", allowed);
  } else {
    if (allowed.elsewhere) return Typed("object", allowed);
    return RecordSchema<T>(allowed);
  }
}

/// The object that has the fields that are visited.
class Visitor {
 public:
  void Format(std::string_view text) { Add("format", {{"const", text}}, true); }
  void Document(std::string_view kind) {
    Add("schema", {{"const", kReportSchema}}, true);
    Add("kind", {{"const", kind}}, true);
  }
  template <class T>
  void Required(std::string_view name, const T&, const Allowed& allowed = {}) {
    Add(name, ValueSchema<T>(allowed), true);
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
    if constexpr (kIsOptional<T>) {
      AddOptional<T>(name, allowed);
    } else {
      Add(name, ValueSchema<T>(allowed), true);
    }
  }
  void Together(std::string_view a, std::string_view b) {
    dependencies_[std::string(a)] = Json::array({b});
    dependencies_[std::string(b)] = Json::array({a});
  }
  void Renamed(std::string_view, std::string_view) {}
  template <class T>
  void TrueWithout(std::string_view name, std::string_view other, const T&,
                   const Allowed& allowed = {}) {
    Add(name, NumberSchema("boolean", allowed), true);
    const Json needs_other = {{"required", Json::array({other})}};
    const Json is_true = {{std::string(name), {{"const", true}}}};
    condition_ = {{"if", {{"properties", is_true}}},
                  {"then", {{"not", needs_other}}},
                  {"else", needs_other}};
  }

  Json Build(const Allowed& allowed) && {
    Json schema = Typed("object", allowed);
    schema["additionalProperties"] = false;
    if (!required_.empty()) schema["required"] = std::move(required_);
    schema["properties"] = std::move(properties_);
    if (!dependencies_.empty()) {
      schema["dependencies"] = std::move(dependencies_);
    }
    schema.update(condition_);
    return schema;
  }

 private:
  void Add(std::string_view name, Json schema, bool required) {
    if (required) required_.push_back(name);
    properties_[std::string(name)] = std::move(schema);
  }
  template <class T>
  void AddOptional(std::string_view name, const Allowed& allowed) {
    if constexpr (kIsOptional<T>) {
      // Null where the value may be left out and may be null.
      Add(name, ValueSchema<typename T::value_type>(allowed), false);
    } else {
      Add(name, ValueSchema<T>(allowed), false);
    }
  }

  Json required_ = Json::array();
  Json properties_ = Json::object();
  Json dependencies_ = Json::object();
  Json condition_ = Json::object();
};

template <Record T>
Json RecordSchema(const Allowed& allowed) {
  Visitor visitor;
  const T record{};
  T::Fields(record, visitor);
  return std::move(visitor).Build(allowed);
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
