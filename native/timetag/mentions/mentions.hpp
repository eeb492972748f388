// From expressions to mentions: the words before a date that relate it, what speaks against its
// being one, the two ends of a range, and the TIMEX3 expressions that it is written in.
#pragma once
#include <cstdint>
#include <vector>

#include "timetag/document.hpp"

namespace asof::timetag {

// signals.cpp
Signal read_signal(const Document& doc, std::size_t floor, const Expression& expression);

// timexes.cpp
/// Appends the TIMEX3 expressions that `expression` is written in, and returns how many. `floor` is
/// the first token that no mention before holds.
std::uint32_t append_timexes(const Document& doc, const Expression& expression, std::size_t floor,
                             std::vector<Timex>& timexes);

// acceptance.cpp
/// Whether `expression` is a mention of time; `floor` is the first token that no date before holds,
/// or 0.
bool is_time_mention(const Document& doc, const Expression& expression, const Signal& signal,
                     std::size_t floor);

// mentions.cpp
void read_mentions(Document& doc, Tags& tags);

// quantities.cpp: numbers that are quantities and no years.
/// Whether the word after the number at `i` may be a plural that it counts.
bool quantifies_next_word(const Document& doc, std::size_t i);
/// `expression` is a bare year that no joint made a range of; `floor` is the first token that no
/// mention holds.
bool is_quantity(const Document& doc, const Expression& expression, const Signal& signal,
                 std::size_t floor);
bool is_quantity_range(const Document& doc, const Expression& expression, const Signal& signal);

}  // namespace asof::timetag
