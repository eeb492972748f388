// Features of candidate spans, which a linear model weighs: where the span stands, of what form it
// is, what of the question is around it, and what varies in its place between the passages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reading/breaks.hpp"
#include "reading/characters.hpp"
#include "reading/dates.hpp"
#include "reading/question.hpp"
#include "reading/spans.hpp"
#include "reading/variation.hpp"

namespace asof::reading {

/// Names of features by their number, to which weights refer.
std::vector<std::u16string> feature_names();

struct Feature {
  std::uint16_t number = 0;
  double value = 0;
};

/// A word of the question in a sentence.
struct SaidWord : Span {
  std::uint32_t place = 0;  // among the question's
};

/// A sentence of a passage, whose title is a sentence too; offsets are those of the passage.
struct Sentence : Span {
  bool is_title = false;
  std::vector<SaidWord> said;
  double with_title = 0;  // share of the question's words that it has with the title; 0 to 1
};

/// What features of a span look at.
struct Surroundings {
  const Sentence& sentence;
  Text text;  // of the sentence
  const Breaks& breaks;
  const std::vector<double>& shares;  // of the question's words, by place
  std::uint32_t rank = 0;             // of the passage, from 0
  double with_title = 0;              // of the sentence that the span is read with
};

/// Appends the features of a span of a sentence that are not 0, by its offsets there.
void add_features(const Surroundings& around, const TextSpan& span, QuestionWords& words,
                  std::vector<Feature>& features);
void add_features(const Variability& variability, std::vector<Feature>& features);
void add_features(const std::optional<SpanDate>& date, const AskedTime& time,
                  std::vector<Feature>& features);
/// Those of the day on which a passage was published.
void add_features_of_publication(std::uint32_t at, double with_title_share,
                                 std::vector<Feature>& features);

/// Values that others look at: whether the question has said nothing of a span, and whether its
/// date is outside of what is asked.
bool is_fresh(std::span<const Feature> features);
bool is_outside(std::span<const Feature> features);

}  // namespace asof::reading
