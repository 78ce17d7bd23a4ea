#include "differential/testcase/record_schema.h"

namespace lanediff::record_schema {
namespace {

Json Described(const Allowed& allowed) {
  Json schema = Json::object();
  if (!allowed.description.empty()) schema["description"] = allowed.description;
  return schema;
}

Json Typed(std::string_view type, const Allowed& allowed) {
  Json schema = Described(allowed);
  schema["type"] = type;
  return schema;
}

}  // namespace

Json TextSchema(const Allowed& allowed) {
  if (!allowed.words.empty()) return WordsSchema(allowed.words, allowed);
  Json schema = Typed("string", allowed);
  if (allowed.filled) schema["minLength"] = 1;
  if (!allowed.pattern.empty()) schema["pattern"] = allowed.pattern;
  return schema;
}

Json NumberSchema(std::string_view type, const Allowed& allowed) {
  Json schema = Typed(type, allowed);
  if (allowed.low) schema["minimum"] = *allowed.low;
  if (allowed.high) schema["maximum"] = *allowed.high;
  return schema;
}

Json WordsSchema(std::span<const std::string_view> words,
                 const Allowed& allowed) {
  Json schema = Described(allowed);
  schema["enum"] = words;
  return schema;
}

Json RuleSchema(const Allowed& allowed) {
  Allowed id = allowed;
  id.pattern = kRuleText.pattern;
  return TextSchema(id);
}

Json ListSchema(Json each, const Allowed& allowed) {
  Json schema = Typed("array", allowed);
  if (each.is_object()) schema["items"] = std::move(each);
  if (allowed.filled) schema["minItems"] = 1;
  return schema;
}

Json SpanSchema(const Allowed& allowed) {
  Json schema = Typed("array", allowed);
  schema["items"] = NumberSchema("integer", {});
  schema["minItems"] = 2;
  schema["maxItems"] = 2;
  return schema;
}

Json ObjectSchema(bool of_texts, const Allowed& allowed) {
  Json schema = Typed("object", allowed);
  if (of_texts) schema["additionalProperties"] = TextSchema({});
  return schema;
}

Json CountsSchema(const Allowed& allowed) {
  Json schema = Typed("object", allowed);
  schema["additionalProperties"] = NumberSchema("integer", {.low = 0});
  return schema;
}

Json IntegerOrTextSchema(const Allowed& allowed) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  Json schema = Described(allowed);
  schema["oneOf"] =
      Json::array({NumberSchema("integer", {.low = -kExact, .high = kExact}),
                   TextSchema({.pattern = "^-?[1-9][0-9]{15,18}$"})});
  return schema;
}

Json NumberOrTextSchema(const Allowed& allowed) {
  Json schema = Described(allowed);
  schema["type"] = {"number", "string"};
  return schema;
}

Json OrNull(Json schema) {
  return {{"oneOf", {std::move(schema), {{"type", "null"}}}}};
}

void ObjectBuilder::Add(std::string_view name, Json schema, bool required) {
  if (required) required_.push_back(name);
  properties_[std::string(name)] = std::move(schema);
}

void ObjectBuilder::Together(std::string_view a, std::string_view b) {
  dependencies_[std::string(a)] = Json::array({b});
  dependencies_[std::string(b)] = Json::array({a});
}

void ObjectBuilder::TrueWithout(std::string_view name, std::string_view other) {
  const Json needs_other = {{"required", Json::array({other})}};
  const Json is_true = {{std::string(name), {{"const", true}}}};
  condition_ = {{"if", {{"properties", is_true}}},
                {"then", {{"not", needs_other}}},
                {"else", needs_other}};
}

Json ObjectBuilder::Build(const Allowed& allowed) && {
  Json schema = Typed("object", allowed);
  schema["additionalProperties"] = false;
  if (!required_.empty()) schema["required"] = std::move(required_);
  schema["properties"] = std::move(properties_);
  if (!dependencies_.empty()) schema["dependencies"] = std::move(dependencies_);
  schema.update(condition_);
  return schema;
}

}  // namespace lanediff::record_schema
