#include "facts/cascade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "facts/features.hpp"

namespace asof::facts {
namespace {

using Numbers = std::vector<std::int32_t>;  // of members; -1 for none
using Values = std::vector<double>;

/// What an older member of the first's series loses, in log-probability.
constexpr double outdated_loss = 12;
/// Log-odds by which a member is far likelier than another of its candidate.
constexpr double weaker = 1;
/// Log-odds below those of the first from which a statement is rather of another series.
constexpr double same_series = 4;
/// Probability of a member that is not believed.
constexpr double least = 1e-12;
/// Log-probability, and log-odds, of a candidate without a member.
constexpr double no_member = -50;

double sigmoid(double z) {
  return 1 / (1 + std::exp(-z));
}

double log_sigmoid(double z) {
  return z >= 0 ? -std::log1p(std::exp(-z)) : z - std::log1p(std::exp(z));
}

double dot(std::span<const double> weights, std::span<const double> inputs) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * inputs[i];
  return sum;
}

/// log of the sum of exponentials
double log_sum(std::span<const double> values) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double value : values) most = std::max(most, value);
  for (const double value : values) sum += std::exp(value - most);
  return most + std::log(sum);
}

/// The first place of the greatest value; -1 of none.
std::int32_t place_of_greatest(std::span<const double> values) {
  return values.empty()
             ? -1
             : static_cast<std::int32_t>(std::ranges::max_element(values) - values.begin());
}

/// By candidate: the member of the greatest value among those of one interpretation, or of all.
Numbers likeliest(const CascadeInput& input, std::span<const double> values, int of = -1) {
  Numbers own(input.candidates, -1);
  for (std::size_t at = 0; at < input.candidate.size(); ++at) {
    if (of >= 0 && input.interpretation[at] != of) continue;
    std::int32_t& best = own[input.candidate[at]];
    if (best < 0 || values[at] > values[best]) best = static_cast<std::int32_t>(at);
  }
  return own;
}

/// The places in `restatements` of what restates a member.
struct Restating {
  std::uint32_t from, to;
};
Restating restating(const CascadeInput& input, std::size_t member) {
  return {member == 0 ? 0 : input.restatement_ends[member - 1], input.restatement_ends[member]};
}

/// Linear log-odds into `output`, with the members that they are of; a restatement of one series is
/// as relevant as what it restates. Returns those of the statements without their times.
Values membership(const CascadeInput& input, std::span<const double> weights,
                  CascadeOutput& output) {
  const std::size_t members = input.candidate.size();
  Values untimed(members);
  output.log_odds.resize(members);
  output.source.resize(members);
  for (std::size_t at = 0; at < members; ++at) {
    const std::span<const float> row = input.features.subspan(at * width, width);
    double z = 0;
    for (std::size_t f = 0; f < first_timed; ++f) z += weights[f] * row[f];
    untimed[at] = z;
    for (std::size_t f = first_timed; f < width; ++f) z += weights[f] * row[f];
    output.log_odds[at] = z + (input.judged.empty() ? 0 : input.judged[input.candidate[at]]);
    output.source[at] = static_cast<std::int32_t>(at);
  }
  for (std::size_t at = 0; at < members; ++at) {
    const auto [from, to] = restating(input, at);
    for (std::uint32_t i = from; i < to; ++i) {
      const std::uint32_t member = input.restatements[i];
      if (input.same_series[i] == 0 || output.log_odds[at] <= output.log_odds[member]) continue;
      output.log_odds[member] = output.log_odds[at];
      output.source[member] = output.source[at];
    }
  }
  return untimed;
}

/// The log-odds of members that are believed less than surely.
void believe(std::span<const double> credibility, double offset, Values& log_odds) {
  for (std::size_t at = 0; at < credibility.size(); ++at) {
    if (credibility[at] == 1) continue;
    const double member = std::max(sigmoid(log_odds[at] + offset) * credibility[at], least);
    log_odds[at] = std::log(member) - std::log1p(-member) - offset;
  }
}

/// The most likely member before each in the operator's order, or that restates it, or that
/// restates a far likelier one by content of its candidate: what supersedes what a passage says
/// best supersedes what else it says.
Numbers preferred_members(const CascadeInput& input, std::span<const double> log_odds) {
  const auto better = [&](std::int32_t one, std::int32_t other) {
    return one < 0 || (other >= 0 && log_odds[other] > log_odds[one]) ? other : one;
  };
  Numbers preferred(input.candidate.size(), -1);
  for (const std::span<const std::int32_t> members : input.ranked) {
    std::int32_t before = -1, equal = -1, last = -1;
    for (const std::int32_t at : members) {
      if (input.rank[at] != last) {
        before = better(before, equal);
        equal = -1;
        last = input.rank[at];
      }
      preferred[at] = before;
      equal = better(equal, at);
    }
  }
  const Numbers best = likeliest(input, log_odds, 0);
  const auto prefer = [&](std::size_t at, std::size_t restated) {
    const auto [from, to] = restating(input, restated);
    for (const std::uint32_t member : input.restatements.subspan(from, to - from))
      if (member != at) preferred[at] = better(preferred[at], static_cast<std::int32_t>(member));
  };
  for (std::size_t at = 0; at < preferred.size(); ++at) {
    prefer(at, at);
    const std::int32_t likelier = best[input.candidate[at]];
    if (input.interpretation[at] == 0 && log_odds[likelier] > log_odds[at] + weaker)
      prefer(at, likelier);
  }
  return preferred;
}

/// By member: log-probability that it is one and that just so many times before it in the
/// operator's order have one. Times count whose likeliest member is rather one than not.
Values likelihood_of_place(const CascadeInput& input, std::span<const double> relative) {
  // More times before it than members are never.
  const std::size_t place = std::min<std::size_t>(input.place, relative.size() + 1);
  Values likelihood(relative.size());
  for (const std::span<const std::int32_t> members : input.ranked) {
    Values counts(place);  // probabilities that 0, 1, ... times before have a member
    counts[0] = 1;
    for (std::size_t at = 0; at < members.size();) {
      const std::int32_t rank = input.rank[members[at]];
      double best = -std::numeric_limits<double>::infinity();
      for (; at < members.size() && input.rank[members[at]] == rank; ++at) {
        const double y = relative[members[at]];
        likelihood[members[at]] = log_sigmoid(y) + std::log(counts[place - 1] + least);
        best = std::max(best, y);
      }
      if (best <= 0) continue;
      const double has = sigmoid(best);
      for (std::size_t n = place; n-- > 0;)
        counts[n] = counts[n] * (1 - has) + (n == 0 ? 0 : counts[n - 1]) * has;
    }
  }
  return likelihood;
}

/// By member: log-probability that it is the one that the operator asks for.
Values likelihood_of(const CascadeInput& input, const CascadeOutput& output) {
  if (input.place > 1) return likelihood_of_place(input, output.relative);
  Values likelihood(output.relative.size());
  for (std::size_t at = 0; at < likelihood.size(); ++at) {
    const std::int32_t preferred = output.preferred[at];
    likelihood[at] = log_sigmoid(output.relative[at]) +
                     (preferred < 0 ? 0 : log_sigmoid(-output.relative[preferred]));
  }
  return likelihood;
}

/// Log-probability by candidate: the log-odds of its most relevant member, its similarity and its
/// coverage.
Values relevance_of(const CascadeInput& input, const CascadeWeights& weights,
                    const CascadeOutput& output) {
  Values values(input.candidates);
  for (std::size_t each = 0; each < values.size(); ++each) {
    const std::int32_t at = output.relevant[each];
    const double of_statement =
        weights.relevance_log_odds * (at < 0 ? no_member : output.evidence[at]);
    const double right = at < 0 || input.credibility.empty() ? 1 : input.credibility[at];
    const double of_passage = weights.relevance_similarity * input.similarity[each] +
                              weights.relevance_coverage * input.coverage[each] +
                              (input.judged.empty() ? 0 : input.judged[each]);
    values[each] = of_statement + of_passage + std::log(right + least);
  }
  const double total = log_sum(values);
  for (double& value : values) value -= total;
  return values;
}

/// By candidate: log-probability in the order of the series, with its parts, winners and rest.
void put_order(const CascadeInput& input, std::span<const double> priors, double none,
               CascadeOutput& output) {
  const Values likelihood = likelihood_of(input, output);
  for (int interpretation = 0; interpretation < 2; ++interpretation) {
    Numbers& own = output.winners[interpretation] = likeliest(input, likelihood, interpretation);
    Values& part = output.parts[interpretation];
    for (const std::int32_t at : own)
      part.push_back(priors[interpretation] + (at < 0 ? no_member : likelihood[at]));
  }
  Values sums(input.candidates);
  for (std::size_t each = 0; each < sums.size(); ++each)
    sums[each] = log_sum(std::array{output.parts[0][each], output.parts[1][each]});
  sums.push_back(none);
  const double total = log_sum(sums);
  sums.pop_back();
  for (double& sum : sums) sum -= total;
  output.ordered = std::move(sums);
  output.nothing = none - total;
}

/// By candidate: the member that gives it most of its probability, and whether as of the series.
void put_members(std::size_t candidates, CascadeOutput& output) {
  for (std::size_t each = 0; each < candidates; ++each) {
    const bool is_ordered = output.series * std::exp(output.ordered[each]) >=
                            (1 - output.series) * std::exp(output.relevance[each]);
    const int interpretation = output.parts[1][each] > output.parts[0][each] ? 1 : 0;
    output.is_ordered.push_back(is_ordered ? 1 : 0);
    output.members.push_back(is_ordered ? output.winners[interpretation][each]
                                        : output.relevant[each]);
  }
}

Values outdated_shares(const CascadeInput& input, const CascadeOutput& output) {
  const std::int32_t likeliest = place_of_greatest(output.ordered);
  const std::int32_t first = input.is_latest && likeliest >= 0 ? output.members[likeliest] : -1;
  Values shares(input.candidates);
  if (first < 0) return shares;
  for (std::size_t each = 0; each < shares.size(); ++each) {
    const std::int32_t member = output.members[each];
    if (member >= 0 && input.starts[member] < input.starts[first] &&
        input.ends[member] < input.ends[first])
      shares[each] = sigmoid(output.relative[member] - output.relative[first] + same_series);
  }
  return shares;
}

}  // namespace

CascadeOutput cascade(const CascadeInput& input, const CascadeWeights& weights) {
  CascadeOutput output;
  Values untimed = membership(input, weights.features, output);
  output.best = place_of_greatest(output.log_odds);
  const double most = output.best < 0 ? 0 : output.log_odds[output.best];
  const double offset =
      output.best < 0 ? 0 : weights.relative_shift - weights.relative_share * most;
  const double none = output.best < 0 ? 0 : log_sigmoid(-most);
  output.clock = sigmoid(dot(weights.clock, input.clock_inputs));
  const std::array priors{std::log(output.clock + least), std::log(1 - output.clock + least)};
  output.evidence = std::move(untimed);
  // A window is asked for whether or not an order is.
  for (std::size_t at = 0; input.has_operator && at < output.evidence.size(); ++at) {
    const double judged = input.judged.empty() ? 0 : input.judged[input.candidate[at]];
    output.evidence[at] = output.log_odds[at] - judged + priors[input.interpretation[at]];
  }
  believe(input.credibility, offset, output.log_odds);
  output.relative = output.log_odds;
  for (double& z : output.relative) z += offset;
  output.preferred = preferred_members(input, output.log_odds);
  put_order(input, priors, none, output);
  output.relevant = likeliest(input, output.evidence);
  output.relevance = relevance_of(input, weights, output);
  output.series = sigmoid(dot(weights.series, input.series_inputs));
  put_members(input.candidates, output);
  output.outdated = outdated_shares(input, output);
  output.scores = mix_cascade({output.ordered, output.relevance, output.outdated}, output.series);
  return output;
}

std::vector<double> mix_cascade(const CascadeShares& shares, double series) {
  const double order = std::log(series + least), rest = std::log(1 - series + least);
  const double loss = series > 0.5 ? outdated_loss : 0;
  Values scores(shares.ordered.size());
  for (std::size_t each = 0; each < scores.size(); ++each) {
    scores[each] =
        log_sum(std::array{order + shares.ordered[each], rest + shares.relevance[each]}) -
        loss * shares.outdated[each];
  }
  return scores;
}

}  // namespace asof::facts
