// Recencies of tiles and ranges, and kernel bias by recency.
#include "index/vector/quantized_scan/recency_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/vector/masked_products.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;

}  // namespace

RecencyBounds::RecencyBounds(const BoundInputs& inputs, const TimeKernels& kernels)
    : BoundProvider(inputs), kernels_(kernels) {
  if (!shared()) return;
  for (std::size_t s = 0; s < plan().size(); ++s) {
    const QuerySlot& slot = plan().slot(s);
    const RecencySum& sum = sums_.emplace_back(slot.query->form, *slot.normalization);
    bias_weights_.push_back(round_up(sum.factor / slot.query->semantic_weight));
    unit_constants_.push_back(static_cast<float>(sum.constant / slot.query->semantic_weight));
    cap_ = std::max(cap_, seeds(s).recency_cap);
    undated_ = std::max(undated_, sum.mean);
  }
  if (!temporal::by_latest(form())) return;
  for (const VisibleRows& segment : plan().request().segments)
    tick_tables_.push_back(tick_table(segment.rows));
}

bool RecencyBounds::decides() const {
  if (!shared()) return false;
  for (std::size_t s = 0; s < plan().size(); ++s) {
    if (seeds(s).complete) return true;
    if (plan().slot(s).top_recencies == nullptr) continue;
    const double min_by_mean =
        static_cast<double>(min_biased_similarity(s, thresholds().threshold(s))) -
        static_cast<double>(bias_weights_[s]) * undated_;
    if (min_by_mean > plan().slot(s).norm * seeds().max_row_norm()) return true;
  }
  return false;
}

void RecencyBounds::open_tile(const Tile& tile, RowBounds& bounds) const {
  for (std::size_t r = 0; r < plan().recency_forms().size(); ++r) {
    auto& recencies = bounds.recencies[r];
    addends_of(plan().recency_forms()[r], plan().request().segments[tile.segment].rows, tile.begin,
               tile.count, recencies.data());
    RowBounds::RecencySpan span;
    for (std::size_t i = 0; i < tile.count; ++i) {
      span.has_undated = span.has_undated || recencies[i] != recencies[i];
      span.min = recencies[i] < span.min ? recencies[i] : span.min;
      span.max = recencies[i] > span.max ? recencies[i] : span.max;
    }
    bounds.recency_spans[r] = span;
  }
}

void RecencyBounds::bound_tile(std::size_t s, const TileScope& scope, RowBounds& bounds) const {
  const QuerySlot& slot = plan().slot(s);
  const RowBounds::RecencySpan& span = bounds.recency_spans[slot.recency];
  bounds.max_factor[s] = 1;
  bounds.min_similarity[s] = min_similarity(slot, thresholds().threshold(s), 1, max_extra(s, span));
  bounds.rows[s] = scope.visible(slot);
  if (!seeds(s).scored(span.max)) return;
  for_each(scope.visible(slot), [&](std::size_t i) {
    if (seeds(s).scored(bounds.recencies[slot.recency][i]))
      bounds.rows[s][i / 64] &= ~(std::uint64_t{1} << (i % 64));
  });
}

void RecencyBounds::bound_range(std::size_t s, const RangeScope& range, RowBounds& bounds) const {
  const double extra =
      shared() ? sums_[s].constant + sums_[s].factor * bounds.max_recency : max_extra(s, range);
  bounds.min_similarity[s] = min_similarity(plan().slot(s), thresholds().threshold(s), 1, extra);
}

void RecencyBounds::tighten_range(std::size_t s, const KernelTerms&, RowBounds& bounds) const {
  if (shared()) bounds.min_similarity[s] = min_biased_similarity(s, thresholds().threshold(s));
}

/// What the recencies of a tile's rows add at most to the slot's scores.
double RecencyBounds::max_extra(std::size_t s, const RowBounds::RecencySpan& span) const {
  const standardize::Map& map = *plan().slot(s).normalization;
  const double weight = plan().slot(s).query->form.weight;
  double extra = span.has_undated ? weight * map.mean_to : -infinity;
  if (span.min <= span.max)
    extra = std::max({extra, weight * temporal::standardized(map, seeds(s).capped(span.min)),
                      weight * temporal::standardized(map, seeds(s).capped(span.max))});
  return std::isnan(extra) ? infinity : extra;
}

/// The same by the times of blocks.
double RecencyBounds::max_extra(std::size_t s, const RangeScope& range) const {
  const QuerySlot& slot = plan().slot(s);
  const temporal::Form& form = slot.query->form;
  const auto [least, greatest] = range.times.range(form);
  double extra = -infinity;
  for (const double value : {temporal::undated(form), least, greatest})
    extra = std::max(
        extra, form.weight * temporal::standardized(*slot.normalization, seeds(s).capped(value)));
  return std::isnan(extra) ? infinity : extra;
}

/// Upper bound of the bias of the range's rows.
double RecencyBounds::max_shared_recency(const RangeScope& range) const {
  const double most = range.times.range(form()).greatest;
  return most > undated_ ? std::max(undated_, std::min(most, cap_)) : undated_;
}

/// The least similarity plus bias weight times recency of a row that reaches the threshold.
float RecencyBounds::min_biased_similarity(std::size_t s, double threshold) const {
  return min_similarity(plan().slot(s), threshold, 1, sums_[s].constant);
}

KernelTerms RecencyBounds::kernel_terms(const RangeScope& range, const PanelRange&,
                                        RowBounds& bounds) const {
  if (!shared()) return {};
  KernelTerms terms;
  terms.row_bias = bounds.row_bias.data();
  terms.bias_weights = bias_weights_.data();
  bool reachable = false;
  for (std::size_t s = 0; s < plan().size(); ++s) {
    if (bounds.min_similarity[s] == RowBounds::unreachable) continue;
    bounds.min_similarity[s] = min_biased_similarity(s, thresholds().threshold(s));
    reachable = true;
  }
  if (!reachable) return terms;
  const std::size_t shift = range.rows.begin % panel_rows;
  bounds.row_bias.resize(shift + range.rows.count);
  std::fill_n(bounds.row_bias.begin(), shift, 0.0f);
  read_recencies(range.rows, bounds.row_bias.data() + shift);
  terms.row_bias = bounds.row_bias.data();
  return terms;
}

bool RecencyBounds::unit_terms(const SegmentRange& unit, float* buffer, UnitTerms& terms) const {
  if (!shared()) return true;
  read_recencies(unit, buffer);
  terms.bias = buffer;
  terms.bias_weights = bias_weights_.data();
  terms.constants = unit_constants_.data();
  return true;
}

/// Empty unless ticks have enough rows that computing each recency once pays.
RecencyBounds::TickTable RecencyBounds::tick_table(const FlatRows& rows) const {
  constexpr std::int64_t max_ticks = 1 << 15, rows_per_tick = 16;
  const auto* clock =
      std::get_if<temporal::ClockView<std::int32_t>>(&column_of(rows, form().clock));
  if (clock == nullptr || !clock->offset.empty() || clock->start.empty() || clock->blocks.empty())
    return {};
  std::int64_t first = std::numeric_limits<std::int32_t>::max(),
               last = std::numeric_limits<std::int32_t>::min();
  for (std::size_t i = 0; i + 1 < clock->blocks.size(); i += 2) {
    if (clock->blocks[i] > clock->blocks[i + 1]) continue;
    first = std::min<std::int64_t>(first, clock->blocks[i]);
    last = std::max<std::int64_t>(last, clock->blocks[i + 1]);
  }
  if (last < first ||
      last - first > std::min(max_ticks, static_cast<std::int64_t>(rows.rows) / rows_per_tick))
    return {};
  TickTable table;
  table.first = static_cast<std::int32_t>(first);
  for (std::int64_t tick = first; tick <= last; ++tick) {
    const double end = milliseconds_of(static_cast<std::int32_t>(tick), clock->encoding);
    table.recencies.push_back(round_up(std::min(value_of_latest(form(), end), cap_)));
  }
  const double most = std::min(temporal::range(form()).greatest, cap_);
  table.recencies.push_back(round_up(clock->end.empty() ? undated_ : std::max(undated_, most)));
  table.recencies.push_back(round_up(std::max(undated_, most)));
  return table;
}

/// Upper bounds of the rows' values, capped where rows were scored as seeds.
void RecencyBounds::read_recencies(const SegmentRange& range, float* out) const {
  const FlatRows& rows = plan().request().segments[range.segment].rows;
  if (max_values_of(form(), rows, {range.begin, range.count}, kernels_, out)) return;
  if (!tick_tables_.empty() && !tick_tables_[range.segment].recencies.empty()) {
    const TickTable& table = tick_tables_[range.segment];
    const auto& clock = std::get<temporal::ClockView<std::int32_t>>(column_of(rows, form().clock));
    const std::int32_t* latest = (clock.end.empty() ? clock.start : clock.end).data() + range.begin;
    const std::uint32_t tick_count = static_cast<std::uint32_t>(table.recencies.size() - 2),
                        first = static_cast<std::uint32_t>(table.first);
    for (std::size_t i = 0; i < range.count; ++i) {
      const std::uint32_t place = static_cast<std::uint32_t>(latest[i]) - first;
      const std::uint32_t other =
          latest[i] == ticks<std::int32_t>::absent ? tick_count : tick_count + 1;
      out[i] = table.recencies[place < tick_count ? place : other];
    }
    return;
  }
  double values[block_rows];
  for (std::size_t from = 0; from < range.count; from += block_rows) {
    const std::size_t n = std::min(block_rows, range.count - from);
    addends_of(form(), rows, range.begin + from, n, values);
    for (std::size_t i = 0; i < n; ++i) {
      const double capped = values[i] < cap_ ? values[i] : cap_;
      out[from + i] = round_up(values[i] == values[i] ? capped : undated_);
    }
  }
}

}  // namespace asof::vector
