// What becomes of a tile's survivors: their times, and the wait, whose lists are cut back as they
// fill up. See coarse.hpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "index/vector/kth_largest.hpp"
#include "index/vector/quantized_scan/call.hpp"

namespace asof::vector {

namespace {

/// The row's score with this similarity and what its time gives (`time_of`).
double score(const Scored& scored, double similarity, std::size_t row, double time) {
  const double relevance = scored.relevance_of(similarity, row);
  return scored.query.form.combine == Combine::sum ? scored.summed(relevance, time)
                                                   : scored.timed(relevance, time);
}

/// What was multiplied by at least the row's c, before; a little more for rounding. Times 0 nothing
/// is known from below: a similarity below 0 costs twice.
quantized::Candidate untimed(quantized::Candidate candidate, float factor) {
  if (!(factor > 0))
    return {candidate.query, candidate.row, -std::numeric_limits<float>::infinity(), 0};
  candidate.product /= factor;
  candidate.most = candidate.most / factor * (1 + 0x1p-20f);
  return candidate;
}

}  // namespace

/// The row's c where the form multiplies, its recency where it sums.
double Coarse::time_of(const Call& call, const Scored& scored, std::size_t s,
                       std::size_t row) const {
  const Form& form = scored.query.form;
  if (form.combine == Combine::product) return scored.factor(row);
  if (form.combine == Combine::none) return 1;
  return call.tile != nullptr ? call.lane.recencies[slots_[s].recency][row - call.tile->begin]
                              : recency_of(form, scored.rows, row).value;
}

void Coarse::take(Call& call, const quantized::Candidate& given) {
  const std::size_t s = call.first_slot + given.query, row = call.base + given.row;
  const quantized::Candidate candidate =
      call.timed ? untimed(given, call.lane.row_factors[given.row]) : given;
  const Slot& slot = slots_[s];
  if (call.tile != nullptr) {
    const std::size_t i = row - call.tile->begin;
    if ((call.lane.reach[s][i / 64] >> (i % 64) & 1) == 0 ||
        call.lane.thresholds[s] == std::numeric_limits<float>::infinity())
      return;
  }
  const Scored against = scored(slot.q, call.segment);
  if (request_.exactness != Exactness::certified)
    return take_approximately(call, against, candidate, s, row);
  const double threshold = threshold_of(s), most = static_cast<double>(candidate.most);
  double time = 1;
  if (!slot.plain) {
    // The time is read where the similarity can still win with the best one.
    const bool multiplies = against.query.form.combine == Combine::product;
    const double best =
        call.timed ? static_cast<double>(call.lane.row_factors[given.row]) : call.lane.factors[s];
    if (multiplies &&
        against.timed(against.relevance_of(most, row), best) * (1 + rounding_slack) < threshold &&
        threshold > 0)
      return;
    time = time_of(call, against, s, row);
    if (call.tile == nullptr && slot.leads(time)) return;  // scored before
  }
  const double bound =
      slot.plain ? against.query.semantic_weight * most : score(against, most, row, time);
  if (bound < threshold) return;
  double least = 2 * static_cast<double>(candidate.product) - most;
  least -= rounding_slack * (std::abs(least) + std::abs(most));
  const double lower =
      slot.plain ? against.query.semantic_weight * least : score(against, least, row, time);
  constexpr float none = std::numeric_limits<float>::infinity();
  wait(call, s,
       {std::isnan(bound) ? none : not_below(bound), std::isnan(lower) ? -none : not_above(lower),
        static_cast<std::uint32_t>(call.segment), static_cast<std::uint32_t>(row)});
}

/// The same of a stretch whose slots are all plain, or whose splines are in the products. Every
/// float here is widened by more than its roundings.
void Coarse::take_plain(Call& call, std::span<const quantized::Candidate> candidates) {
  constexpr float slack = 2 * static_cast<float>(rounding_slack), widened = 0x1p-21f,
                  least_float = std::numeric_limits<float>::min();
  const bool certified = request_.exactness == Exactness::certified;
  const std::uint32_t segment = static_cast<std::uint32_t>(call.segment),
                      base = static_cast<std::uint32_t>(call.base);
  Waiting* const slots = call.lane.waiting.data() + call.first_slot;
  for (const quantized::Candidate& candidate : candidates) {
    if (std::isinf(candidate.most)) {
      take(call, candidate);
      continue;
    }
    Waiting& waiting = slots[candidate.query];
    const float weight = static_cast<float>(waiting.weight);
    Pending pending{0, candidate.product, segment, base + candidate.row};
    if (certified) {
      const float most =
          call.timed ? candidate.most + slack * std::fabs(candidate.most) : candidate.most;
      const float least = 2 * candidate.product - most;
      const float high = weight * most,
                  low = weight * (least - slack * (std::fabs(least) + std::fabs(most)));
      pending.most = high + (std::fabs(high) * widened + least_float);
      pending.least = low - (std::fabs(low) * widened + least_float);
      if (call.timed) {  // below 0 a score is no product with c, but it is below 0
        pending.most = std::max(pending.most, 0.0f);
        if (!(pending.least > 0)) pending.least = -std::numeric_limits<float>::infinity();
      }
    } else {
      pending.most = static_cast<float>(waiting.weight * static_cast<double>(candidate.product));
    }
    waiting.rows.push_back(pending);
    if (waiting.rows.size() < waiting.room) continue;
    cut(call.lane, static_cast<std::size_t>(&waiting - call.lane.waiting.data()));
    raise_threshold(call, static_cast<std::size_t>(&waiting - call.lane.waiting.data()));
  }
}

void Coarse::take_approximately(Call& call, const Scored& scored,
                                const quantized::Candidate& candidate, std::size_t s,
                                std::size_t row) {
  const Slot& slot = slots_[s];
  const std::size_t d = request_.dimensions;
  float similarity = candidate.product;
  if (std::isinf(candidate.most)) {  // its panel says nothing
    kernels_.block(vector(slot.q), 1, d, scored.rows.vectors.data() + row * d, 1, d, d, &similarity,
                   1);
    call.lane.rescored[s] += 1;
  }
  const double product = static_cast<double>(similarity);
  const float value =
      static_cast<float>(slot.plain ? scored.query.semantic_weight * product
                                    : score(scored, product, row, time_of(call, scored, s, row)));
  if (!(static_cast<double>(value) >= threshold_of(s))) return;
  wait(call, s,
       {value, similarity, static_cast<std::uint32_t>(call.segment),
        static_cast<std::uint32_t>(row)});
}

/// What this tile needs from now on, where another row has raised it. (Of rows that add to their
/// similarity, the next tile's is set anew, unless what they add lies beside it.)
void Coarse::raise_threshold(Call& call, std::size_t s) {
  const Slot& slot = slots_[s];
  const Query& asked = query(slot.q);
  const double threshold = threshold_of(s);
  if (shared_recency_ && call.tile == nullptr) call.lane.thresholds[s] = least_beside(s, threshold);
  if (threshold == call.lane.known[s].threshold || asked.form.combine == Combine::sum ||
      (!asked.lexical.empty() && call.tile != nullptr))
    return;
  if (call.timed && !(threshold > 0)) return;  // not of products with c
  call.lane.thresholds[s] = least_without_more(call.lane, s, threshold);
}

void Coarse::wait(Call& call, std::size_t s, const Pending& pending) {
  Waiting& waiting = call.lane.waiting[s];
  waiting.rows.push_back(pending);
  if (waiting.rows.size() < waiting.room) return;
  cut(call.lane, s);
  raise_threshold(call, s);
}

/// What k rows score at the least, or next to nothing less: those, and what else is known.
double Coarse::certain_score(Reach& reach, std::size_t s, std::span<const Pending> rows,
                             std::span<const Leader> leaders) const {
  const std::size_t k = keep_[slots_[s].q];
  if (!repeats(slots_[s])) {
    reach.keys.clear();
    for (const Leader& each : leaders) reach.keys.push_back(order_key_below(each.score));
    for (const Pending& each : rows) reach.keys.push_back(order_key(each.least));
    return reached(reach.keys, k);
  }
  reach.leaders.assign(leaders.begin(), leaders.end());
  for (const Pending& each : rows)
    reach.leaders.push_back(
        {name_of(request_, each.segment, each.row), static_cast<double>(each.least)});
  return reached(reach.leaders, k);
}

void Coarse::cut(Lane& lane, std::size_t s) {
  const std::size_t q = slots_[s].q;
  Waiting& waiting = lane.waiting[s];
  const bool guesses = sampling_ && slots_[s].guesses;
  if (guesses) guess_from(lane.reaching, s, waiting.rows);
  if (request_.exactness != Exactness::certified) {
    raise(best_[q], keep_best(request_, waiting.rows, keep_[q]));
    drop_below(waiting.rows, threshold_of(s));
    waiting.room = std::max(waiting.room, 2 * waiting.rows.size());  // ties of other segments
    return;
  }
  if (!guesses) raise(best_[q], certain_score(lane.reaching, s, waiting.rows, waiting.leaders));
  drop_below(waiting.rows, threshold_of(s));
  if (2 * waiting.rows.size() < waiting.room) return;
  waiting.room = std::min(waiting_most_, 2 * waiting.room);
  // Bounds do not tell these rows apart, as where many are alike.
  if (2 * waiting.rows.size() >= waiting.room) resolve(lane, s);
}

}  // namespace asof::vector
