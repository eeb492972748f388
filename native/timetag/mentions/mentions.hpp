// From expressions to mentions: signals before a date, acceptance, ranges, and the TIMEX3
// expressions of a mention.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "timetag/document.hpp"

namespace asof::timetag {

// signals.cpp
Signal read_signal(const Document& doc, std::size_t floor, const Expression& expression);

// timexes.cpp
/// Appends the TIMEX3 expressions of `expression`, and returns their number. `floor` is the first
/// token after the mentions before it.
std::uint32_t append_timexes(const Document& doc, const Expression& expression, std::size_t floor,
                             std::vector<Timex>& timexes);

// acceptance.cpp
/// Whether `expression` is a mention of time; `floor` is the first token after the dates before it,
/// or 0.
bool is_time_mention(const Document& doc, const Expression& expression, const Signal& signal,
                     std::size_t floor);

// zone_offsets.cpp
/// Sets `has_offset` of mentions: an expression's value is the time on the clock, the interval what
/// that is in UTC. `timexes` are theirs.
void find_offsets(std::u16string_view text, std::span<Mention> mentions, const Timex* timexes);

// mentions.cpp
void read_mentions(Document& doc, Tags& tags);

// quantities.cpp: numbers that are quantities, not years.
/// Whether the word after the number at `i` may be a plural that it counts.
bool quantifies_next_word(const Document& doc, std::size_t i);
/// `expression` is a bare year that is not part of a range; `floor` is the first token after the
/// mentions before it.
bool is_quantity(const Document& doc, const Expression& expression, const Signal& signal,
                 std::size_t floor);
bool is_quantity_range(const Document& doc, const Expression& expression, const Signal& signal);

}  // namespace asof::timetag
