// Rules shared by durations.cpp and modified_durations.cpp.
#pragma once
#include <string>

#include "timetag/document.hpp"

namespace asof::timetag {

/// A hyphen without blanks on either side.
bool joined_hyphen(const Document& doc, std::size_t i);
/// "Rush Hours", "Hundred Years' War", "24 Hours of Le Mans": whether a capitalised unit is part of
/// a name.
bool is_name(const Document& doc, std::size_t unit, std::size_t first);
/// Whether the word at `i` makes a count of units before it a date: "ago", "later".
bool is_shift(const Document& doc, std::size_t i);
/// One word between count and unit: "ten brutal months", "three more days", "five straight years".
bool is_unit_adjective(const Document& doc, std::size_t i);
void fill_duration(Expression& expression, std::size_t first, std::size_t last, std::string value);
/// "the past three months", "the first two years", "the final five minutes", "the coming weeks",
/// "the past century"
bool read_modified_duration(const Document& doc, std::size_t i, Expression& expression);

}  // namespace asof::timetag
