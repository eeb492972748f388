// What the kernel adds to the products of rows before it compares them: the words that few queries
// share, or the recency that all queries of a batch read alike, each by a weight of its own. So a
// row has to reach a threshold with its own words or time, and not with the best of its stretch. It
// scores nothing: survivors are scored as everywhere (coarse.hpp).
#include <algorithm>
#include <cmath>
#include <limits>

#include "index/vector/quantized_scan/call.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;

/// What a row scores without its similarity is this and its recency times `factor`; where it has no
/// recency, that of `mean`.
struct Summand {
  double constant, factor, mean;
  Summand(const Form& form, const standardize::Map& map)
      : constant(form.weight * map.mean_to - form.weight * map.factor * map.mean_from),
        factor(form.weight * map.factor),
        mean(map.mean_from) {
    // The two differ from what scores are made of by their roundings.
    constant += rounding_slack * (std::abs(form.weight * map.mean_to) + std::abs(factor * mean));
  }
};

}  // namespace

/// Decides what lies beside products, and its weights.
void Coarse::open_beside() {
  shared_words_ = share_words();
  shared_recency_ = share_recency();
  beside_weights_.assign(slots_.size(), 0);
  most_beside_ = none_beside_ = 0;
  for (const Slot& slot : slots_) most_beside_ = std::max(most_beside_, slot.others);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const Query& asked = query(slots_[s].q);
    if (shared_words_)
      beside_weights_[s] = static_cast<float>(asked.lexical_weight / asked.semantic_weight);
    if (!shared_recency_) continue;
    const Summand summand(asked.form, normalization_->maps()[slots_[s].q]);
    beside_weights_[s] = not_below(summand.factor / asked.semantic_weight);
    none_beside_ = std::max(none_beside_, summand.mean);
  }
  ticks_beside_.assign(request_.segments.size(), {});
  for (std::size_t segment = 0; segment < ticks_beside_.size() && shared_recency_; ++segment) {
    open_ticks(request_.segments[segment].rows, ticks_beside_[segment]);
  }
}

/// Whether all slots sum, with the same recency of every row, and nothing else.
bool Coarse::share_recency() const {
  constexpr double most =
      0x1p20;  // of weights and recencies: single precision has room for their products
  if (words_ || recencies_.size() != 1 || request_.exactness != Exactness::certified) return false;
  auto whole = [](const SearchSegment& segment) {
    return !segment.rows.panels || segment.rows.panels->storage != quantized::Storage::int4;
  };
  if (!std::all_of(request_.segments.begin(), request_.segments.end(), whole) ||
      !(1 / recencies_.front().floor_days <= most))
    return false;
  return std::all_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    const Query& asked = query(slot.q);
    if (asked.form.combine != Combine::sum) return false;
    const Summand summand(asked.form, normalization_->maps()[slot.q]);
    const double weight = summand.factor / asked.semantic_weight;
    return weight >= 0 && weight <= most && summand.mean >= 0 && summand.mean <= most &&
           std::isfinite(summand.constant);
  });
}

/// Whether the rows that lead have set thresholds that a row of no more than the mean recency
/// cannot reach, for some slot: most rows are left anyway.
bool Coarse::time_decides() const {
  return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    const std::size_t s = static_cast<std::size_t>(&slot - slots_.data());
    if (slot.done || slot.leading == nullptr) return slot.done;
    const double least = static_cast<double>(least_beside(s, threshold_of(s))) -
                         static_cast<double>(beside_weights_[s]) * none_beside_;
    return least > slot.length * longest_;
  });
}

/// What a row must have of similarity and, times the slot's weight, of recency.
float Coarse::least_beside(std::size_t s, double threshold) const {
  const Slot& slot = slots_[s];
  return least_similarity(slot, threshold, 1,
                          Summand(query(slot.q).form, normalization_->maps()[slot.q]).constant);
}

/// Of rows of so few ticks that it pays to work out each once.
void Coarse::open_ticks(const FlatRows& rows, Ticks& ticks) const {
  constexpr std::int64_t most_ticks = 1 << 15, rows_a_tick = 16;
  const Form& form = recencies_.front();
  const auto* clock = std::get_if<ClockView<std::int32_t>>(&column_of(rows, form.clock));
  if (clock == nullptr || !clock->offset.empty() || clock->start.empty() || clock->blocks.empty())
    return;
  std::int64_t first = std::numeric_limits<std::int32_t>::max(),
               last = std::numeric_limits<std::int32_t>::min();
  for (std::size_t i = 0; i + 1 < clock->blocks.size(); i += 2) {
    if (clock->blocks[i] > clock->blocks[i + 1]) continue;
    first = std::min<std::int64_t>(first, clock->blocks[i]);
    last = std::max<std::int64_t>(last, clock->blocks[i + 1]);
  }
  if (last < first ||
      last - first > std::min(most_ticks, static_cast<std::int64_t>(rows.rows) / rows_a_tick))
    return;
  ticks.first = static_cast<std::int32_t>(first);
  for (std::int64_t tick = first; tick <= last; ++tick) {
    const double age =
        (form.at - milliseconds_of(static_cast<std::int32_t>(tick), clock->encoding)) /
        spline::day_ms;
    ticks.recencies.push_back(
        not_below(std::min(1 / (form.floor_days < age ? age : form.floor_days), most_beside_)));
  }
  const double most = std::min(1 / form.floor_days, most_beside_);
  ticks.recencies.push_back(
      not_below(clock->end.empty() ? none_beside_ : std::max(none_beside_, most)));
  ticks.recencies.push_back(not_below(std::max(none_beside_, most)));
}

/// The recencies of rows, at least, those that lead as if they did not: they are scored before.
void Coarse::read_beside(std::size_t segment, std::size_t begin, std::size_t count,
                         float* out) const {
  const FlatRows& rows = request_.segments[segment].rows;
  if (const Ticks& ticks = ticks_beside_[segment]; !ticks.recencies.empty()) {
    const auto& clock =
        std::get<ClockView<std::int32_t>>(column_of(rows, recencies_.front().clock));
    const std::int32_t* latest = (clock.end.empty() ? clock.start : clock.end).data() + begin;
    const std::uint32_t known = static_cast<std::uint32_t>(ticks.recencies.size() - 2),
                        first = static_cast<std::uint32_t>(ticks.first);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t place = static_cast<std::uint32_t>(latest[i]) - first;
      const std::uint32_t other =
          latest[i] == asof::ticks<std::int32_t>::absent ? known : known + 1;
      out[i] = ticks.recencies[place < known ? place : other];
    }
    return;
  }
  double values[schema::block_rows];
  for (std::size_t from = 0; from < count; from += schema::block_rows) {
    const std::size_t n = std::min(schema::block_rows, count - from);
    recencies_of(recencies_.front(), rows, begin + from, n, values);
    for (std::size_t i = 0; i < n; ++i) {
      const double capped = values[i] < most_beside_ ? values[i] : most_beside_;
      out[from + i] = not_below(values[i] == values[i] ? capped : none_beside_);
    }
  }
}

/// Sets what slots need of a stretch, and unless none needs any of it, its rows' recencies.
void Coarse::look_beside(Lane& lane, std::size_t segment, std::size_t begin,
                         std::size_t count) const {
  const FlatRows& rows = request_.segments[segment].rows;
  const double most = most_recency_beside(rows, begin, count);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const Query& asked = query(slots_[s].q);
    const Summand summand(asked.form, normalization_->maps()[slots_[s].q]);
    lane.thresholds[s] =
        least_similarity(slots_[s], threshold_of(s), 1, summand.constant + summand.factor * most);
  }
  leave_unreachable(lane, segment, begin, count);
  bool some = false;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (lane.thresholds[s] == std::numeric_limits<float>::infinity()) continue;
    lane.thresholds[s] = least_beside(s, threshold_of(s));
    some = true;
  }
  if (!some) return;
  const std::size_t shift = begin % panel_rows;
  lane.beside.resize(shift + count);
  std::fill_n(lane.beside.begin(), shift, 0.0f);
  read_beside(segment, begin, count, lane.beside.data() + shift);
}

/// No row of the stretch has more beside its product, by the times of its blocks.
double Coarse::most_recency_beside(const FlatRows& rows, std::size_t begin,
                                   std::size_t count) const {
  const Form& form = recencies_.front();
  const ClockColumn& column = column_of(rows, form.clock);
  double most = none_beside_;
  for (std::size_t row = begin / schema::block_rows * schema::block_rows; row < begin + count;
       row += schema::block_rows) {
    const Window span = span_of_block(column, row);
    if (span.start > span.end) continue;
    const double recency = 1 / std::max(form.floor_days, (form.at - span.end) / spline::day_ms);
    most = std::max(most, recency < most_beside_ ? recency : most_beside_);
  }
  return most;
}

/// What lies beside the products of the call's rows, from the first of its panel on, or null.
const float* Coarse::beside_of(const Call& call) const {
  if (call.tile != nullptr) return nullptr;
  if (shared_recency_) return call.lane.beside.data();
  if (!shared_words_) return nullptr;
  const Query& any = query(slots_.front().q);
  return call.segment < any.lexical.size() && !any.lexical[call.segment].empty()
             ? any.lexical[call.segment].data() + call.base
             : nullptr;
}

/// Adds the recencies of a unit of a sample to products: what slots are compared by, but for their
/// weight of similarity.
void Coarse::sample_beside(std::size_t segment, std::size_t row, std::size_t s, float* products,
                           float* recencies) const {
  if (s == 0) read_beside(segment, row, unit_rows, recencies);
  const Query& asked = query(slots_[s].q);
  const float constant = static_cast<float>(
      Summand(asked.form, normalization_->maps()[slots_[s].q]).constant / asked.semantic_weight);
  for (std::size_t i = 0; i < unit_rows; ++i)
    products[i] += beside_weights_[s] * recencies[i] + constant;
}

}  // namespace asof::vector
