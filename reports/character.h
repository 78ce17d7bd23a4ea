#pragma once

#include <string>

#include "reports/character_record.h"

/// Printers of what a target does where documents are silent.
namespace lanediff::reports {

/// One page for people: instruction by instruction a line for each question;
/// types that answer alike share it.
std::string CharacterText(const character::Character& character);

/// The record as a JSON document, with the cases in it.
std::string CharacterJson(const character::Character& character);

}  // namespace lanediff::reports
