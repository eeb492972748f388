// Scores of candidates and what follows of them.
#include "reading/score.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "text/forms.hpp"

namespace asof::reading {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Of the only span of a passage, and the most of others: how far it scores above the next.
constexpr double alone = 4;
/// How far below the best another span may score to be listed, and how many are.
constexpr double near_enough = 2;
constexpr std::size_t most_items = 8;

bool overlap(const Span& one, const Span& other) {
  return one.start < other.end && one.end > other.start;
}

/// Of each candidate the number of its text, regardless of case.
std::vector<std::uint32_t> numbered(const Candidates& candidates) {
  std::unordered_map<std::u16string, std::uint32_t> numbers;
  std::vector<std::uint32_t> of;
  of.reserve(candidates.all.size());
  for (const Candidate& each : candidates.all)
    of.push_back(
        numbers.try_emplace(text::lower_case(each.text), static_cast<std::uint32_t>(numbers.size()))
            .first->second);
  return of;
}

}  // namespace

std::vector<double> scores_of(const Candidates& candidates, std::span<const double> weights) {
  std::vector<double> scores(candidates.all.size());
  for (std::size_t at = 0; at < scores.size(); ++at)
    for (const Feature& each : candidates.features_of(at))
      scores[at] += each.value * weights[each.number];
  return scores;
}

std::optional<BestSpan> best_span(const Candidates& candidates, std::span<const double> scores) {
  if (scores.empty()) return std::nullopt;
  const double most = *std::max_element(scores.begin(), scores.end());
  const std::vector<std::uint32_t> texts = numbered(candidates);
  std::vector<double> powers(texts.size());
  for (std::size_t at = 0; at < texts.size(); ++at)
    powers[texts[at]] += std::exp(scores[at] - most);
  std::size_t best = 0;
  for (std::size_t at = 1; at < texts.size(); ++at) {
    const bool is_better = texts[at] == texts[best] ? scores[at] > scores[best]
                                                    : powers[texts[at]] > powers[texts[best]];
    if (is_better) best = at;
  }
  const Candidate& chosen = candidates.all[best];
  double rival = -infinity;
  std::vector<bool> seen(texts.size());
  std::size_t distinct = 0;
  for (std::size_t at = 0; at < texts.size(); ++at) {
    const Candidate& each = candidates.all[at];
    if (each.passage != chosen.passage) continue;
    if (!seen[texts[at]]) ++distinct;
    seen[texts[at]] = true;
    const bool is_apart =
        texts[at] != texts[best] && (each.start >= chosen.end || each.end <= chosen.start);
    if (is_apart) rival = std::max(rival, scores[at]);
  }
  return BestSpan{
      best,
      {1, scores[best], chosen.passage == 0 ? 1.0 : 0.0, std::min(alone, scores[best] - rival),
       is_outside(candidates.features_of(best)) ? 1.0 : 0.0,
       std::log(1 + static_cast<double>(distinct))}};
}

double probability_of(const BestSpan& best, const AnswerFeatures& weights) {
  const double log_odds =
      std::inner_product(weights.begin(), weights.end(), best.features.begin(), 0.0);
  return 1 / (1 + std::exp(-log_odds));
}

std::vector<std::u16string> items_like(std::size_t best, const Candidates& candidates,
                                       std::span<const double> scores) {
  const Candidate& chosen = candidates.all[best];
  std::vector<std::size_t> near;
  for (std::size_t at = 0; at < scores.size(); ++at) {
    const Candidate& each = candidates.all[at];
    if (each.passage == chosen.passage && each.form == chosen.form &&
        each.sentence == chosen.sentence && scores[at] >= scores[best] - near_enough &&
        is_fresh(candidates.features_of(at)))
      near.push_back(at);
  }
  std::stable_sort(near.begin(), near.end(),
                   [&](std::size_t one, std::size_t other) { return scores[one] > scores[other]; });
  std::vector<std::size_t> kept;
  for (const std::size_t at : near) {
    const bool is_apart = std::none_of(kept.begin(), kept.end(), [&](std::size_t other) {
      return overlap(candidates.all[at], candidates.all[other]);
    });
    if (is_apart && kept.size() < most_items) kept.push_back(at);
  }
  std::stable_sort(kept.begin(), kept.end(), [&](std::size_t one, std::size_t other) {
    return candidates.all[one].start < candidates.all[other].start;
  });
  std::vector<std::u16string> items;
  for (const std::size_t at : kept) {
    const std::u16string_view text = candidates.all[at].text;
    if (std::find(items.begin(), items.end(), text) == items.end()) items.emplace_back(text);
  }
  return items;
}

}  // namespace asof::reading
