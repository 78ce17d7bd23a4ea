#include "tools/prepare/prepare.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanediff::prepare {
namespace {

std::string Prepared(const std::string& text) {
  const auto prepared = Prepare(text, "a.cpp");
  if (!prepared) return prepared.error();
  std::string first = "#line 1 \"a.cpp\"\n";
  if (MayLaunch(text)) first = "#include \"lanediff/kernel.h\"\n" + first;
  EXPECT_EQ(prepared->substr(0, first.size()), first);
  EXPECT_EQ(
      std::ranges::count(*prepared, '\n') - std::ranges::count(first, '\n'),
      std::ranges::count(text, '\n'));
  return prepared->substr(first.size());
}

TEST(Prepare, ALaunchBecomesACall) {
  EXPECT_EQ(
      Prepared("  add<<<8, nullptr, stream>>>(x, y);\n"),
      "  ::lanediff::KernelLaunch(8, nullptr, stream).Run([&]{ add(x, y); "
      "});\n");
}

TEST(Prepare, NamesHaveQualifiersAndArguments) {
  EXPECT_EQ(Prepared("f<half, S<T<4>>, (1 > 2)><<<n, 0, s>>>(x)"),
            "::lanediff::KernelLaunch(n, 0, s).Run([&]{ f<half, S<T<4>>, (1 > "
            "2)>(x); })");
  EXPECT_EQ(Prepared("return a::B<T>::f<<<n, 0, s>>>();"),
            "return ::lanediff::KernelLaunch(n, 0, s).Run([&]{ a::B<T>::f(); "
            "});");
  EXPECT_EQ(Prepared("; ::f <<<n, 0, s>>> (x)"),
            "; ::lanediff::KernelLaunch(n, 0, s).Run([&]{ ::f  (x); })");
  EXPECT_EQ(Prepared("return ::f<<<n, 0, s>>>(x)"),
            "return ::lanediff::KernelLaunch(n, 0, s).Run([&]{ ::f(x); })");
}

TEST(Prepare, ArgumentsMayHoldAnything) {
  EXPECT_EQ(Prepared("f<<<g(a >> 2, b), (c >>> 1), s[i]>>>(\")\", ')', [&]{ "
                     "return 1; }())"),
            "::lanediff::KernelLaunch(g(a >> 2, b), (c >>> 1), s[i]).Run([&]{ "
            "f(\")\", ')', [&]{ return 1; }()); })");
  EXPECT_EQ(Prepared("f<<<S<T<4>>::n, 0, S<T<4>>>>>(x)"),
            "::lanediff::KernelLaunch(S<T<4>>::n, 0, S<T<4>>).Run([&]{ f(x); "
            "})");
}

TEST(Prepare, LinesStayWhereTheyAre) {
  EXPECT_EQ(
      Prepared("f<T>\n<<<8, // <<<\n 0, s>>>(\n x,\n y);\nz;\n"),
      "::lanediff::KernelLaunch(8, // <<<\n 0, s).Run([&]{ f<T>\n(\n x,\n "
      "y); });\nz;\n");
}

TEST(Prepare, SeveralAndThoseOfMacros) {
  EXPECT_EQ(
      Prepared("#define RUN(f) \\\n  f<<<1, 0, s>>>(x)\na<<<1, 0, s>>>(); "
               "b<<<2, 0, s>>>();"),
      "#define RUN(f) \\\n  ::lanediff::KernelLaunch(1, 0, s).Run([&]{ "
      "f(x); })\n::lanediff::KernelLaunch(1, 0, s).Run([&]{ a(); }); "
      "::lanediff::KernelLaunch(2, 0, s).Run([&]{ b(); });");
}

TEST(Prepare, NamesThatAMacroPastesAreWhole) {
  EXPECT_EQ(Prepared("#define RUN(N) a::N##_ ## 1<T><<<1, 0, s>>>(x)\n"),
            "#define RUN(N) ::lanediff::KernelLaunch(1, 0, s).Run([&]{ "
            "a::N##_ ## 1<T>(x); })\n");
}

TEST(Prepare, WhatOnlyLooksLikeALaunchStays) {
  for (const std::string text :
       {"// f<<<1, 0, s>>>(x)\n", "/* f<<<1,\n 0, s>>>(x) */",
        "\"f<<<1, 0, s>>>(x)\"", "\"\\\"f<<<\"", "R\"(\" f<<<1)\" )\";",
        "u8R\"x( )\" f<<< )x\"", "'<' '<' '\"'", "#error don't f<<<1>>>(x)\n",
        "#error a \\\n f<<<\n", "#include <<<>\n", "operator<<<T>(a, b)",
        "1'000 << 2; '<'", "a << <b", "# pragma f<<<\nx", "x // \\\nf<<<\n"}) {
    EXPECT_EQ(Prepared(text), text);
  }
}

TEST(Prepare, WhatIsNotClosedIsNamedWithItsLine) {
  const std::string is = "; a launch is f<<<blocks, ub, stream>>>(arguments)";
  EXPECT_EQ(Prepared("\n\nf<<<1, 0, s;"), "a.cpp:3: <<< without >>>" + is);
  EXPECT_EQ(Prepared("f<<<1, 0, s>>>;"), "a.cpp:1: no ( behind >>>" + is);
  EXPECT_EQ(Prepared("f<<<1, 0, s>>>(x;"),
            "a.cpp:1: the ( behind >>> is not closed" + is);
  EXPECT_EQ(Prepared("\n<<<<<<< HEAD\n"), "a.cpp:2: no name before <<<" + is);
  EXPECT_EQ(Prepared("2 <<<1, 0, s>>>(x)"), "a.cpp:1: no name before <<<" + is);
}

TEST(Prepare, AnyBytesAreTaken) {
  for (const std::string text :
       {"", "\"", "'", "/*", "/", "R\"", "R\"(", "#", "\\", "#define", "f<T><",
        "\"\\", ">", "x\\\n"}) {
    EXPECT_EQ(Prepared(text), text);
  }
  EXPECT_NE(Prepared("<<<"), "<<<");
  EXPECT_NE(Prepared("><<<"), "><<<");
}

TEST(Prepare, TheFileIsNamedAsAText) {
  EXPECT_EQ(Prepare("", "a\"b\\c"), "#line 1 \"a\\\"b\\\\c\"\n");
  EXPECT_EQ(Prepare("", "a\n7\x1b"), "#line 1 \"a\\0127\\033\"\n");
}

}  // namespace
}  // namespace lanediff::prepare
