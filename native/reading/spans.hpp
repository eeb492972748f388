// Candidate answer spans: the stretches of a text that could be an answer by their form alone. It
// finds and does not choose, and knows no names, units or offices. Time is linear in the text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reading/characters.hpp"

namespace asof::reading {

/// A value has a digit or spells a number, a chunk is a run of content words, a phrase such runs
/// joined by a preposition, code a word with signs or capitals inside.
enum class Form : std::uint8_t { date, value, name, quoted, code, chunk, phrase };

struct TextSpan : Span {
  Form form = Form::chunk;
};

/// Replaces `found` by the spans of a sentence, each once, in order of appearance. `times` are the
/// dates and times of day in it, in order; they may end beyond it.
void spans_of(const Text& sentence, std::span<const Span> times, std::vector<TextSpan>& found);

}  // namespace asof::reading
