// From expressions to mentions: the words before a date that relate it, what speaks against its
// being one, the two ends of a range, and the TIMEX3 expressions that it is written in.
#pragma once
#include <cstdint>
#include <vector>

#include "timetag/scene.hpp"

namespace asof::timetag {

// relations.cpp
Prefix read_prefix(const Scene& scene, std::size_t floor, const Expression& expression);

// timexes.cpp
/// Appends the TIMEX3 expressions that `expression` is written in, and returns how many. `floor` is
/// the first token that no mention before holds.
std::uint32_t append_timexes(const Scene& scene, const Expression& expression, std::size_t floor,
                             std::vector<Timex>& timexes);

// mentions.cpp
void read_mentions(Scene& scene, Tags& tags);

// counts.cpp: what speaks against a number's being a year.
/// Whether the word after the number at `i` may be a plural that it counts.
bool counts_what_follows(const Scene& scene, std::size_t i);
/// `expression` is a bare year that no joint made a range of; `floor` is the first token that no
/// mention holds.
bool is_count(const Scene& scene, const Expression& expression, const Prefix& prefix,
              std::size_t floor);
bool is_range_of_counts(const Scene& scene, const Expression& expression, const Prefix& prefix);

}  // namespace asof::timetag
