#pragma once

#include <gtest/gtest.h>

#include <string>

/// For tests of what printers write: is it valid?
namespace lanediff::reports::test {

/// Whether `document` is JSON and valid by reports/schema/NAME; a failure
/// names the place.
testing::AssertionResult FitsSchema(const std::string& document,
                                    const std::string& name);

/// Whether `document` is valid by Jenkins' XML Schema of JUnit files, as
/// xmllint sees it.
testing::AssertionResult FitsJunit(const std::string& document);

/// `text` with the first `old` in it replaced; fails the test if there is none.
std::string Replaced(std::string text, const std::string& old,
                     const std::string& now);

}  // namespace lanediff::reports::test
