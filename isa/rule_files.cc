#include "isa/rule_files.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "isa/fields.h"

namespace lanediff::isa {
namespace {

using Json = nlohmann::ordered_json;

/// The file called so; null if there is none.
Json FileCalled(std::string_view name) {
  for (const auto& [file, text] : EmbeddedTexts()) {
    if (file == std::string(name) + ".json") return Json::parse(text);
  }
  return nullptr;
}

/// Ids and quotations are in use until the process has ended.
std::string_view Kept(std::string text) {
  static auto& all = *new std::deque<std::string>();
  return all.emplace_back(std::move(text));
}

// Read a value by its type.
void Read(const Json& json, bool& value) { value = json.get<bool>(); }
template <class E>
  requires std::is_enum_v<E>
void Read(const Json& json, E& word) {
  word = Parse<E>(json.get_ref<const std::string&>()).value();
}
template <class E>
void Read(const Json& json, std::optional<E>& word) {
  Read(json, word.emplace());
}
template <class E>
void Read(const Json& json, std::vector<E>& list) {
  for (const Json& word : json) Read(word, list.emplace_back());
}
/// Reads the member `name`, if there is one.
void Read(const Json& object, const char* name, auto& value) {
  if (object.contains(name)) Read(object.at(name), value);
}

[[noreturn]] void FailUnknown(const std::string& name) {
  throw std::runtime_error("isa/rules: unknown member " + name);
}

/// Throws if `object` has a member that is not among `names`.
void CheckNames(const Json& object,
                std::initializer_list<std::string_view> names) {
  for (const auto& [name, value] : object.items()) {
    if (std::ranges::find(names, name) == names.end()) FailUnknown(name);
  }
}

/// Reads what a file states of `instruction`. `page` has a text for each
/// "{name}" in the file's texts.
class Reader {
 public:
  Reader(std::string_view instruction, const Json& page)
      : instruction_(instruction), page_(page) {}

  std::vector<Rule> Rules(const Json& file) const {
    std::vector<Rule> rules;
    for (const Json& rule : file) {
      if (Applies(rule)) rules.push_back(RuleOf(rule));
    }
    return rules;
  }

  Instruction InstructionOf(const Json& file, std::string_view slug) const {
    Instruction i;
    i.op = instruction_;
    i.slug = slug;
    i.masked = FindSignature(instruction_)->IsMasked();
    CheckNames(file, {"api", "products", "newerProducts", "dtypes",
                      "newerDtypes", "lacks", "arithmetic", "rules", "pages",
                      "texts", "textsOfOneSource", "conversions"});
    Read(file, "api", i.api);
    Read(file, "products", i.products);
    Read(file, "newerProducts", i.newer_products);
    Read(file, "dtypes", i.dtypes);
    Read(file, "newerDtypes", i.newer_dtypes);
    Read(file, "arithmetic", i.arithmetic);
    for (const Json& lack : file.value("lacks", Json::array())) {
      CheckNames(lack, {"product", "dtype"});
      Instruction::Lack& one = i.lacks.emplace_back();
      Read(lack.at("product"), one.product);
      Read(lack.at("dtype"), one.dtype);
    }
    for (const Json& pair : file.value("conversions", Json::array())) {
      CheckNames(pair, {"src", "dst", "modes", "products"});
      Instruction::Conversion& one = i.conversions.emplace_back();
      Read(pair.at("src"), one.from);
      Read(pair.at("dst"), one.to);
      Read(pair.at("modes"), one.modes);
      Read(pair.at("products"), one.products);
    }
    i.rules = Rules(file.at("rules"));
    return i;
  }

 private:
  /// Whether the page has the text, not empty, that `json` needs, if any.
  bool Applies(const Json& json) const {
    const std::string needs = json.value("needs", "");
    return needs.empty() || !page_.value(needs, "").empty();
  }

  std::string_view Text(const Json& json) const {
    std::string text = json.get<std::string>();
    std::size_t at = text.find('{');
    while (at != text.npos) {
      const std::size_t end = text.find('}', at);
      const auto value = page_.find(text.substr(at + 1, end - at - 1));
      const bool known = value != page_.end();
      if (known) {
        text.replace(at, end - at + 1, value->get_ref<const std::string&>());
      }
      at = text.find('{', known ? at : at + 1);
    }
    return Kept(std::move(text));
  }
  /// Empty where there is no such member.
  std::string_view Text(const Json& object, const char* name) const {
    return object.contains(name) ? Text(object.at(name)) : std::string_view();
  }

  Range RangeOf(const Json& json) const {
    CheckNames(json, {"field", "low", "high", "bits", "only", "needs"});
    Range range{.field = Text(json, "field"),
                .low = json.at("low").get<std::int64_t>(),
                .high = json.at("high").get<std::int64_t>(),
                .element_bits = json.value("bits", 0)};
    Read(json, "only", range.only);
    return range;
  }

  /// Whether the instruction has a parameter called so; true of what is none.
  bool HasField(std::string_view field) const {
    const Signature* const row = FindSignature(instruction_);
    return row == nullptr || ParamOf(*row, field).has_value();
  }

  Source SourceOf(const Json& json) const {
    CheckNames(json, {"level", "document", "part", "quote", "needs"});
    Source source{.level = {},
                  .document = std::string(Text(json, "document")),
                  .part = Text(json, "part"),
                  .quote = Text(json, "quote")};
    Read(json.at("level"), source.level);
    return source;
  }

  /// "*" stands for every instruction.
  std::vector<std::string_view> StepsOf(const Json& json) const {
    std::vector<std::string_view> steps;
    for (const Json& op : json) {
      if (op != "*") {
        steps.push_back(Text(op));
        continue;
      }
      for (const Call& kind : CallKinds()) steps.push_back(kind.signature->op);
    }
    return steps;
  }

  Rule RuleOf(const Json& json) const {
    CheckNames(json, {"id", "effect", "instruction", "stage", "topic", "forms",
                      "only", "steps", "statement", "statement2024", "ranges",
                      "sources", "needs"});
    Rule rule;
    rule.id = RuleId(Text(json, "id"));
    rule.instruction =
        json.contains("instruction") ? Text(json, "instruction") : instruction_;
    Read(json, "effect", rule.effect);
    Read(json, "stage", rule.stage);
    Read(json, "topic", rule.topic);
    Read(json, "only", rule.only);
    rule.statement = Text(json, "statement");
    rule.statement_2024 = Text(json, "statement2024");
    if (json.contains("forms")) {
      unsigned forms = 0;
      for (const Json& form : json.at("forms")) {
        forms |= 1u << form.get<unsigned>();
      }
      // Files number the forms of lane-wise calls with a count.
      const Signature* const row = FindSignature(instruction_);
      const bool fewer = row != nullptr && row->family == Family::kLanewise &&
                         !row->Has(Param::kCount);
      rule.forms = static_cast<std::uint8_t>(forms >> (fewer ? 1 : 0));
    }
    if (json.contains("steps")) rule.steps = StepsOf(json.at("steps"));
    for (const Json& one : json.value("ranges", Json::array())) {
      const Range range = RangeOf(one);
      if (!Applies(one)) continue;
      if (HasField(range.field)) {
        rule.ranges.push_back(range);
      } else if (page_.empty()) {  // no text that several calls share
        FailUnknown(std::string(range.field));
      }
    }
    for (const Json& one : json.value("sources", Json::array())) {
      if (Applies(one)) rule.sources.push_back(SourceOf(one));
    }
    return rule;
  }

  std::string_view instruction_;
  const Json& page_;
};

std::vector<Document> ReadDocuments() {
  std::vector<Document> all;
  for (const Json& folder : FileCalled("documents")) {
    const std::string_view edition =
        Kept(folder.at("edition").get<std::string>());
    for (const auto& [title, file] : folder.at("pages").items()) {
      all.push_back(
          {Kept(title), edition,
           folder.at("address").get<std::string>() + file.get<std::string>()});
    }
  }
  return all;
}

RuleFiles ReadFiles() {
  RuleFiles all;
  const Json no_page = Json::object();
  for (std::string_view owner : {kCommon, kKernel}) {
    std::ranges::move(
        Reader(owner, no_page).Rules(FileCalled(owner).at("rules")),
        std::back_inserter(all.rules));
  }
  const Json lanewise = FileCalled("lanewise");
  const Json reductions = FileCalled("reductions");
  for (const Call& kind : CallKinds()) {
    const std::string_view op = kind.signature->op;
    const std::string_view slug = kind.signature->slug;
    const Json own = FileCalled(slug);
    const bool reduces = kind.Is(Family::kReduction);
    const Json& family = reduces ? reductions : lanewise;
    Json file = own.is_null() ? family : own;
    Json page = no_page;
    if (own.is_null()) {
      page = family.at("texts");
      if (kind.signature->sources() == 1 && !reduces) {
        page.update(family.at("textsOfOneSource"));
      }
      page.update(family.at("pages").at(std::string(op)));
      page["op"] = op;
      for (const char* name :
           {"products", "dtypes", "lacks", "arithmetic", "conversions"}) {
        if (page.contains(name)) file[name] = page.at(name);
      }
    }
    const Reader reader(op, page);
    all.instructions.push_back(reader.InstructionOf(file, slug));
    std::ranges::copy(all.instructions.back().rules,
                      std::back_inserter(all.rules));
  }
  all.documents = ReadDocuments();
  return all;
}

}  // namespace

const RuleFiles& Files() {
  static const RuleFiles files = ReadFiles();
  return files;
}

}  // namespace lanediff::isa
