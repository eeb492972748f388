// Reader of questions: which of a question's words carry time, order and relation, which name an
// anchor, which mentions of time bound the answer, and its kind. A small convolutional network
// over tokens, trained on labelled questions (models/README.md); the tagger gives the times.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "encoder/static_model.hpp"
#include "question/model.hpp"
#include "timetag/tagger.hpp"

namespace asof::question {

/// The outputs of a question, in the order of the model's file.
enum class Output : std::uint8_t {
  order,     // none, first, latest, now, next, previous, nth
  relation,  // none, at, before, after, since, until, between, around
  asks,      // when, how long, a thing
  clock,     // content, published
  ordinal,   // -6 to -1, 1 to 20
  anchored,  // no, yes
  shift,     // none, forward, backward
  unit,      // day, week, month, year, decade, century, hour, minute, season, quarter, none
  kind,      // of the anchor: none, event, name, value
  count
};
constexpr std::array<std::size_t, static_cast<std::size_t>(Output::count)> classes = {
    7, 8, 3, 2, 26, 2, 3, 11, 4};

struct Span {
  std::uint32_t begin = 0, end = 0;  // UTF-16 units, half-open
};

struct Reading {
  std::array<std::uint8_t, classes.size()> best{};  // class of each output
  std::array<float, classes.size()> confidence{};   // its probability
  std::array<float, classes[static_cast<std::size_t>(Output::relation)]> relations{};
  Span anchor;                  // the likeliest words of an anchor, whether or not there is one
  std::vector<Span> removed;    // words of time, order and relation, in order
  std::vector<float> mentions;  // probability of each mention that it bounds the answer
};

/// Tokens that are read: the last ones of a longer text.
constexpr std::size_t most_tokens = 256;

/// Reads a question with its mentions of time (Mode::question). `reference_ms`: when it is asked.
/// Of a text without tokens a thing is asked, with confidence 0; a mention before the tokens that
/// are read bounds nothing. Time is linear in the text and quadratic in
/// `most_tokens`.
Reading read(const Model& model, const StaticModel& pieces, std::u16string_view text,
             double reference_ms, const timetag::Tags& tags);

/// Components of a token's features, and whether a model and a table of pieces fit this reader.
constexpr std::size_t feature_count = 37;
bool fits(const Model& model, const StaticModel& pieces);

}  // namespace asof::question
