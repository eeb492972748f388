// The best of candidate answers, the probability that it is the answer, and what a list of answers
// holds: two linear models, of which bench/quality/reading/fitReader.ts fits the weights.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reading/candidates.hpp"

namespace asof::reading {

/// Of the features of the best span that the probability is a sum of, in log-odds.
inline constexpr std::array<std::u16string_view, 6> answer_feature_names = {
    u"bias", u"score", u"isOfFirst", u"margin", u"outside", u"texts"};
using AnswerFeatures = std::array<double, answer_feature_names.size()>;

/// The weighted sums of features of candidates, comparable among those of one question. `weights`
/// are by number of feature.
std::vector<double> scores_of(const Candidates& candidates, std::span<const double> weights);

struct BestSpan {
  std::size_t candidate = 0;
  AnswerFeatures features{};
};

/// The text with the highest sum of the probabilities of its spans, one of which is the answer; at
/// its best place. Others of its passage that do not overlap it are its rivals.
std::optional<BestSpan> best_span(const Candidates& candidates, std::span<const double> scores);

double probability_of(const BestSpan& best, const AnswerFeatures& weights);

/// Spans of the best one's sentence and form that score nearly as well, in order.
std::vector<std::u16string> items_like(std::size_t best, const Candidates& candidates,
                                       std::span<const double> scores);

}  // namespace asof::reading
