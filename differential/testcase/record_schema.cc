#include "differential/testcase/record_schema.h"

namespace lanediff::record_schema {
namespace {

Json Text(std::string_view text) { return Json(std::string(text)); }

Json Number(std::int64_t number) {
  return Json(JsonNumber{std::to_string(number)});
}

JsonObject Described(const Allowed& allowed) {
  JsonObject schema;
  if (!allowed.description.empty()) {
    schema.emplace_back("description", Text(allowed.description));
  }
  return schema;
}

JsonObject Typed(std::string_view type, const Allowed& allowed) {
  JsonObject schema = Described(allowed);
  schema.emplace_back("type", Text(type));
  return schema;
}

}  // namespace

Json TextSchema(const Allowed& allowed) {
  if (!allowed.words.empty()) return WordsSchema(allowed.words, allowed);
  JsonObject schema = Typed("string", allowed);
  if (allowed.filled) schema.emplace_back("minLength", Number(1));
  if (!allowed.pattern.empty()) {
    schema.emplace_back("pattern", Text(allowed.pattern));
  }
  return Json(std::move(schema));
}

Json NumberSchema(std::string_view type, const Allowed& allowed) {
  JsonObject schema = Typed(type, allowed);
  if (allowed.low) schema.emplace_back("minimum", Number(*allowed.low));
  if (allowed.high) schema.emplace_back("maximum", Number(*allowed.high));
  return Json(std::move(schema));
}

Json WordsSchema(std::span<const std::string_view> words,
                 const Allowed& allowed) {
  JsonArray list;
  for (const std::string_view word : words) list.push_back(Text(word));
  JsonObject schema = Described(allowed);
  schema.emplace_back("enum", std::move(list));
  return Json(std::move(schema));
}

Json RuleSchema(const Allowed& allowed) {
  Allowed id = allowed;
  id.pattern = kRuleText.pattern;
  return TextSchema(id);
}

Json ListSchema(Json each, const Allowed& allowed) {
  JsonObject schema = Typed("array", allowed);
  if (each.As<JsonObject>() != nullptr) {
    schema.emplace_back("items", std::move(each));
  }
  if (allowed.filled) schema.emplace_back("minItems", Number(1));
  return Json(std::move(schema));
}

Json SpanSchema(const Allowed& allowed) {
  JsonObject schema = Typed("array", allowed);
  schema.emplace_back("items", NumberSchema("integer", {}));
  schema.emplace_back("minItems", Number(2));
  schema.emplace_back("maxItems", Number(2));
  return Json(std::move(schema));
}

Json ObjectSchema(bool of_texts, const Allowed& allowed) {
  JsonObject schema = Typed("object", allowed);
  if (of_texts) schema.emplace_back("additionalProperties", TextSchema({}));
  return Json(std::move(schema));
}

Json OrNull(Json schema) {
  const Json null = Json(JsonObject{{"type", Text("null")}});
  return Json(JsonObject{{"oneOf", Json(JsonArray{std::move(schema), null})}});
}

void ObjectBuilder::Add(std::string_view name, Json schema, bool required) {
  if (required) required_.push_back(Text(name));
  properties_.emplace_back(name, std::move(schema));
}

void ObjectBuilder::Together(std::string_view a, std::string_view b) {
  dependencies_.emplace_back(a, JsonArray{Text(b)});
  dependencies_.emplace_back(b, JsonArray{Text(a)});
}

void ObjectBuilder::TrueWithout(std::string_view name, std::string_view other) {
  const Json needs_other =
      Json(JsonObject{{"required", Json(JsonArray{Text(other)})}});
  const Json is_true = Json(JsonObject{{"const", Json(true)}});
  condition_ = {
      {"if", Json(JsonObject{{"properties", Json(JsonObject{{std::string(name),
                                                             is_true}})}})},
      {"then", Json(JsonObject{{"not", needs_other}})},
      {"else", needs_other}};
}

Json ObjectBuilder::Build(const Allowed& allowed) && {
  JsonObject schema = Typed("object", allowed);
  schema.emplace_back("additionalProperties", false);
  if (!required_.empty()) {
    schema.emplace_back("required", std::move(required_));
  }
  schema.emplace_back("properties", std::move(properties_));
  if (!dependencies_.empty()) {
    schema.emplace_back("dependencies", std::move(dependencies_));
  }
  for (auto& member : condition_) schema.push_back(std::move(member));
  return Json(std::move(schema));
}

}  // namespace lanediff::record_schema
