#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/properties/support.h"
#include "generators/random/generate.h"
#include "isa/catalogue.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Laws as GoogleTest tests. RapidCheck is large: only tests include this.
namespace lanediff::isa {

/// How RapidCheck prints a word of the documents.
template <class E>
  requires requires { Words<E>::kSpelling; }
void showValue(E word, std::ostream& os) {
  os << Name(word);
}

}  // namespace lanediff::isa

namespace lanediff::properties {

/// The same numbers in every run; RC_PARAMS in the environment replaces them,
/// as in RC_PARAMS="seed=7 max_success=5000".
inline constexpr const char* kDefaultParams = "seed=20240601 max_success=1000";

/// Checks the law `name`. `law` draws its parameters from RapidCheck and
/// returns a Verdict. While RapidCheck shrinks, the law breaks for smaller and
/// smaller parameters; the last of them is saved, once.
inline void CheckLaw(std::string_view slug, std::string_view name,
                     const std::function<Verdict()>& law) {
  setenv("RC_PARAMS", kDefaultParams, /*replace=*/0);
  testing::Test::RecordProperty("edition",
                                std::string(isa::Name(EditionUnderTest())));
  Verdict smallest;
  rc::detail::checkGTest([&]() -> std::string {
    Verdict verdict = law();
    std::string broken = verdict.broken;
    CountLawCheck(broken.empty());
    if (!broken.empty()) smallest = std::move(verdict);
    return broken;
  });
  if (!smallest.broken.empty()) {
    ADD_FAILURE() << SaveWitness(slug, name, smallest);
  }
}

/// A law and its test's name, "RepeatIsSingleRepeats"; saved cases have it as
/// "repeat-is-single-repeats".
struct NamedLaw {
  std::string_view name;
  std::function<Verdict()> law;
};

inline std::string KebabCase(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool upper = 'A' <= c && c <= 'Z';
    if (upper && !text.empty()) text += '-';
    text += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

/// "RepeatReduceSumLaws" of "repeat_reduce_sum": where a hunt looks for laws.
inline std::string SuiteOf(std::string_view slug) {
  std::string suite;
  bool capital = true;
  for (const char c : slug) {
    if (c != '_') suite += capital ? static_cast<char>(c - 'a' + 'A') : c;
    capital = c == '_';
  }
  return suite + "Laws";
}

class LawTest : public testing::Test {
 public:
  explicit LawTest(std::function<void()> body) : body_(std::move(body)) {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

/// Makes a test of `body`. Files do so as they initialise a constant: before
/// the tests run.
inline bool GiveTest(const std::string& suite, std::string_view name,
                     const std::function<void()>& body) {
  testing::RegisterTest(suite.c_str(), std::string(name).c_str(), nullptr,
                        nullptr, __FILE__, __LINE__,
                        [body]() -> LawTest* { return new LawTest(body); });
  return true;
}

/// Makes a test of each of `laws`; cases that break one are saved as cases of
/// `slug`.
inline bool GiveLaws(const std::string& suite, std::string_view slug,
                     std::initializer_list<NamedLaw> laws) {
  for (const NamedLaw& law : laws) {
    GiveTest(suite, law.name,
             [=] { CheckLaw(slug, KebabCase(law.name), law.law); });
  }
  return true;
}

/// In the suite "AddLaws" for "add". Several files may give laws of one call.
inline bool GiveLaws(std::string_view slug,
                     std::initializer_list<NamedLaw> laws) {
  return GiveLaws(SuiteOf(slug), slug, laws);
}

/// `gen` as it is at RapidCheck's full size, from the first case on.
template <class T>
rc::Gen<T> AllAlike(rc::Gen<T> gen) {
  return rc::gen::resize(rc::kNominalSize, std::move(gen));
}

/// An integer in [low, high], shrinking to `low`; shown as `name`.
template <class T>
T Draw(const std::string& name, T low, T high) {
  return *AllAlike(rc::gen::inRange<T>(low, high + 1)).as(name);
}

inline bool DrawFlag(const char* name) {
  return *rc::gen::arbitrary<bool>().as(name);
}

/// All 64-bit words alike, without shrinking: seeds and masks.
inline std::uint64_t DrawWord(const char* name) {
  return *rc::gen::noShrink(AllAlike(rc::gen::arbitrary<std::uint64_t>()))
              .as(name);
}

/// What the bytes of no operand are.
inline std::uint8_t DrawFill() {
  return static_cast<std::uint8_t>(Draw("fill", 0, 255));
}

/// One of the products that have `op` in the edition under test. Of atlas-a2
/// most is known, so that laws shrink to it.
inline isa::Product DrawProduct(std::string_view op) {
  const isa::Instruction& call = *isa::FindInstruction(op);
  auto products = call.products;
  std::erase_if(products, [&](isa::Product product) {
    return !call.Has({product, EditionUnderTest()});
  });
  const auto a2 = std::ranges::find(products, isa::Product::kAtlasA2);
  if (a2 != products.end()) std::rotate(products.begin(), a2, a2 + 1);
  return *rc::gen::elementOf(products).as("product");
}

/// Whether the saturation mode is on, which most products can't switch off.
inline bool DrawSaturation(isa::Product product) {
  const bool has_modes =
      product == isa::Product::kAtlasA2 || product == isa::Product::kAtlasA3;
  return !has_modes || DrawFlag("saturation");
}

/// 0, 1, -1, 2, -2, … up to ±most; shrinks to 0.
inline rc::Gen<std::uint64_t> IntegerElement(isa::DType type, int most) {
  return rc::gen::map(rc::gen::inRange(0, 2 * most + 1), [type](int n) {
    return ScaledInteger(type, n % 2 != 0 ? (n + 1) / 2 : -(n / 2), 0);
  });
}

/// An element whose biased exponent is in [low, high].
inline rc::Gen<std::uint64_t> ElementBetween(isa::DType type, int low,
                                             int high) {
  const std::uint64_t fractions = make::LayoutOf(type).ones() + 1;
  return rc::gen::map(
      rc::gen::tuple(rc::gen::arbitrary<bool>(),
                     rc::gen::inRange(low, high + 1),
                     rc::gen::inRange<std::uint64_t>(0, fractions)),
      [type](const std::tuple<bool, int, std::uint64_t>& fields) {
        const auto [negative, exponent, fraction] = fields;
        return Compose(type, negative, exponent, fraction);
      });
}

/// Whether infinities and NaNs are among the elements.
enum class Values { kAny, kFinite };

/// Elements with one intent for all: small integers, sums that round, sums that
/// overflow, subnormals, or all exponents mixed.
inline rc::Gen<std::uint64_t> AnElement(isa::DType type, Values values) {
  const make::FloatLayout format = make::LayoutOf(type);
  const int bias = static_cast<int>(format.bias());
  const int finite = static_cast<int>(format.top()) - 1;
  switch (Draw("intent", 0, 5)) {
    case 0:
      return IntegerElement(type, 64);
    case 1:
    case 2:
      return ElementBetween(type, bias - 8, bias + 4);
    case 3:
      return ElementBetween(type, finite - 2, finite);
    case 4:
      return ElementBetween(type, 0, 1);
    default:
      return ElementBetween(type, 0,
                            values == Values::kAny ? finite + 1 : finite);
  }
}

inline constexpr int kMostElements = 200;

/// Up to `kMostElements`; an empty list stands for zeros.
inline std::vector<std::uint64_t> DrawElements(rc::Gen<std::uint64_t> element) {
  return *rc::gen::resize(kMostElements,
                          rc::gen::container<std::vector<std::uint64_t>>(
                              AllAlike(std::move(element))))
              .as("elements");
}

}  // namespace lanediff::properties
