// Moments of relevance and recency, and top recencies.
#include "index/vector/times/normalization.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "index/segment/vector_moments.hpp"
#include "index/vector/masked_products.hpp"
#include "index/vector/search.hpp"
#include "index/vector/times/block_times.hpp"

namespace asof::vector {
namespace {

// Decays are numbered down from here, each query's its own.
constexpr std::size_t no_recency = ~std::size_t{0} - 1;

constexpr std::size_t max_top_recencies = 4096,
                      max_all_top_recencies =
                          32 * max_top_recencies;  // of a number of recencies, and of all

bool greater(const TopRecencies::Row& a, const TopRecencies::Row& b) {
  return a.recency > b.recency;
}

void add_to(standardize::Moments& moments, const standardize::Moments& more) {
  moments = standardize::merge(moments, more);
}

}  // namespace

void Normalization::clear(std::size_t rows) {
  rows_ = rows;
  counted_ = false;
  for (auto* list : {&additive_, &slot_of_, &recency_of_}) list->clear();
  normalized_.clear();
  keys_.clear();
  by_instants_.clear();
  all_have_moments_ = true;
  top_recencies_.reset();
  maps_.clear();
  relevance_.clear();
  recency_.clear();
}

void Normalization::add(const Query& query, std::size_t mask) {
  const std::size_t q = slot_of_.size();
  slot_of_.push_back(0);
  recency_of_.push_back(0);
  normalized_.push_back(false);
  maps_.emplace_back();
  relevance_.emplace_back();
  recency_.emplace_back();
  if (query.form.combine != temporal::Combine::sum) return;
  if (!query.normalizes()) {
    maps_.back() = query.standard.value_or(standardize::Map{0, 1, 0});  // a decay: as it is
    normalized_.back() = true;
    recency_of_.back() = no_recency - q;
    return;
  }
  additive_.push_back(q);
  all_have_moments_ = all_have_moments_ && has_moments(query);
  const Key key{mask, query.form};
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  recency_of_.back() = static_cast<std::size_t>(known - keys_.begin());
  if (known == keys_.end()) keys_.push_back(key);
}

template <typename Visit>
void Normalization::each_group(Visit visit) const {
  for (const VisibleRows& segment : request_.segments) {
    const std::size_t ends[] = {0, segment.rows.multi_sentence, segment.rows.passages,
                                segment.rows.rows};
    for (std::size_t group = request_.scope == Scope::sentences ? 1 : 0;
         group < (request_.scope == Scope::passages ? 2 : 3); ++group) {
      if (ends[group] < ends[group + 1]) visit(segment, group, ends[group], ends[group + 1]);
    }
  }
}

bool Normalization::has_moments(const Query& query) const {
  if (!query.normalizes() || !query.has_vector) return false;
  if (query.weighs_words()) return false;
  std::size_t rows_with_moments = 0;
  each_group(
      [&](const VisibleRows& segment, std::size_t group, std::size_t first, std::size_t last) {
        if (segment.rows.moments[group].count > 0) rows_with_moments += last - first;
      });
  return 4 * rows_with_moments >= 3 * rows_ && rows_ > 0;
}

void Normalization::count_recencies(std::size_t t, std::size_t begin, std::size_t count,
                                    const std::vector<BlockBits>& bits) {
  const std::size_t segment = tasks_[t].segment;
  const FlatRows& rows = request_.segments[segment].rows;
  for (std::size_t r = 0; r < keys_.size(); ++r) {
    double own[block_rows], values[block_rows];
    addends_of(keys_[r].form, rows, begin, count, own);
    if (top_recencies_ && rows.panels)
      top_recencies_[r].offer(segment, begin, count, own, max_top_recencies_);
    std::size_t length = 0;
    if (count_of(bits[keys_[r].mask]) == count) {
      for (std::size_t i = 0; i < count; ++i) {
        values[length] = own[i];
        length += own[i] == own[i];
      }
    } else {
      for_each(bits[keys_[r].mask], [&](std::size_t i) {
        if (!std::isnan(own[i])) values[length++] = own[i];
      });
    }
    add_to(recency_moments_[r * tasks_.size() + t], moments_of(values, length));
  }
}

void Normalization::TopRecencyCollector::offer(std::size_t segment, std::size_t begin,
                                               std::size_t count, const double* recencies,
                                               std::size_t most) {
  const double least = rest_max.load(std::memory_order_relaxed);
  int greater = 0;
  for (std::size_t i = 0; i < count; ++i) greater |= recencies[i] > least;
  if (greater == 0) return;
  std::lock_guard lock(mutex);
  for (std::size_t i = 0; i < count; ++i) {
    if (!(recencies[i] > least)) continue;
    top.rows.push_back(
        {recencies[i],
         {static_cast<std::uint32_t>(segment), static_cast<std::uint32_t>(begin + i)}});
  }
  if (top.rows.size() > 4 * most) prune(most);
}

/// Keeps at most `most` rows, those above the greatest of the rest.
void Normalization::TopRecencyCollector::prune(std::size_t most) {
  if (top.rows.size() > most) {
    const auto rest = top.rows.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(top.rows.begin(), rest, top.rows.end(), greater);
    raise(rest_max, rest->recency);
  }
  const double least = rest_max.load(std::memory_order_relaxed);
  std::erase_if(top.rows, [&](const TopRecencies::Row& row) { return !(row.recency > least); });
}

/// A recency that at most about `most` rows exceed, by the first times of the latest blocks, if
/// rows are in the order of time. The greatest possible one if more rows have it.
double Normalization::recency_cutoff(const Key& key, std::size_t most) const {
  std::vector<double> starts;
  for (const ScanTask& task : tasks_) {
    const FlatRows& rows = request_.segments[task.segment].rows;
    if (!rows.panels) continue;
    const ClockColumn& column = column_of(rows, key.form.clock);
    for (std::size_t row = task.begin; row < task.end; row += block_rows) {
      const temporal::Window span = span_of_block(column, row);
      if (span.start <= span.end) starts.push_back(span.start);
    }
  }
  const std::size_t blocks = most / block_rows + 2;
  if (starts.size() <= blocks) return -infinity;
  std::nth_element(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(blocks),
                   starts.end(), std::greater<>());
  return value_of_latest(key.form, starts[blocks]);
}

/// Moments of the relevance of a group without moments of its vectors.
standardize::Moments Normalization::relevances(const FlatRows& rows, std::size_t first,
                                               std::size_t last, const Query& query,
                                               const float* vector) const {
  standardize::Moments moments;
  const std::size_t d = rows.dimensions;
  for (std::size_t from = first; from < last; from += block_rows) {
    const std::size_t n = std::min(block_rows, last - from);
    float values[block_rows];
    products_.block({vector, 1, d}, {rows.vectors_at(from, n), n, d}, d, values, block_rows);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = static_cast<float>(query.semantic_weight * static_cast<double>(values[i]));
    add_to(moments, kernels_.moments(values, n));
  }
  return moments;
}

void Normalization::normalize_by_moments(std::size_t q, const Query& query, const float* vector,
                                         const Cancel& cancel) {
  each_group(
      [&](const VisibleRows& segment, std::size_t group, std::size_t first, std::size_t last) {
        cancel.throw_if_requested();
        const GroupMoments& known = segment.rows.moments[group];
        if (!(known.count > 0))
          return add_to(relevance_[q], relevances(segment.rows, first, last, query, vector));
        const standardize::Moments own = product_moments(known, vector);
        add_to(relevance_[q], {own.count, query.semantic_weight * own.mean,
                               query.semantic_weight * query.semantic_weight * own.squares});
      });
  const std::size_t r = recency_of_[q];
  if (by_instants_[r])
    recency_[q] = totals_[r];
  else
    for (std::size_t t = 0; t < tasks_.size(); ++t)
      add_to(recency_[q], recency_moments_[r * tasks_.size() + t]);
  maps_[q] = standardize::map_of(recency_[q], relevance_[q]);
  normalized_[q] = true;
}

bool Normalization::hides_nothing(const temporal::Mask& mask) const {
  if (mask.has_window) return false;
  bool all = true;
  each_group([&](const VisibleRows& segment, std::size_t group, std::size_t, std::size_t) {
    if (!segment.visible.empty() || !segment.blocks.empty()) all = false;
    if (!all || mask.published_until == infinity) return;
    const ClockCounts::Group* counts =
        segment.rows.counts
            ? &segment.rows.counts->of(segment.rows, temporal::Clock::published, group)
            : nullptr;
    all = counts && counts->known &&
          (counts->instants.empty() || counts->instants.front().at <= mask.published_until);
  });
  return all;
}

bool Normalization::counts_suffice(const Key& key) const {
  bool all = true;
  each_group([&](const VisibleRows& segment, std::size_t group, std::size_t, std::size_t) {
    all = all && segment.rows.counts &&
          segment.rows.counts->of(segment.rows, key.form.clock, group).known;
  });
  return all;
}

bool Normalization::count_by_instants(const std::vector<temporal::Mask>& masks) {
  max_top_recencies_ =
      std::min(max_top_recencies, max_all_top_recencies / std::max<std::size_t>(1, keys_.size()));
  totals_.assign(keys_.size(), {});
  by_instants_.assign(keys_.size(), false);
  bool all = all_have_moments_;
  for (std::size_t r = 0; r < keys_.size(); ++r) {
    by_instants_[r] = hides_nothing(masks[keys_[r].mask]) && counts_suffice(keys_[r]);
    all = all && by_instants_[r];
    if (!by_instants_[r]) continue;
    each_group([&](const VisibleRows& segment, std::size_t group, std::size_t, std::size_t) {
      add_to(totals_[r],
             moments_of(segment.rows.counts->of(segment.rows, keys_[r].form.clock, group).instants,
                        keys_[r].form));
    });
  }
  if (!all) return false;
  counted_ = true;
  top_recencies_ = std::make_unique<TopRecencyCollector[]>(keys_.size());
  for (std::size_t r = 0; r < keys_.size(); ++r) collect_by_instants(r);
  close_counting();
  return true;
}

/// Collects rows of the latest instants of segments with panels.
void Normalization::collect_by_instants(std::size_t r) {
  const Key& key = keys_[r];
  const temporal::Form& form = key.form;
  double rest_max = -infinity;
  auto each_counts = [&](auto visit) {
    each_group([&](const VisibleRows& segment, std::size_t group, std::size_t, std::size_t) {
      const auto number = static_cast<std::uint32_t>(&segment - request_.segments.data());
      if (segment.rows.panels)
        visit(number, segment.rows.counts->of(segment.rows, key.form.clock, group));
    });
  };
  each_counts([&](std::uint32_t, const ClockCounts::Group& counts) {
    if (counts.whole < counts.instants.size())
      rest_max = std::max(rest_max, value_of_latest(form, counts.instants[counts.whole].at));
  });
  top_recencies_[r].rest_max.store(rest_max, std::memory_order_relaxed);
  each_counts([&](std::uint32_t segment, const ClockCounts::Group& counts) {
    for (const auto& [at, row] : counts.latest) {
      const double recency = value_of_latest(form, at);
      if (!(recency > rest_max)) break;  // nor is any later one's
      top_recencies_[r].top.rows.push_back({recency, {segment, row}});
    }
  });
}

void Normalization::open_counting() {
  counted_ = true;
  recency_moments_.assign(keys_.size() * tasks_.size(), {});
  top_recencies_ = std::make_unique<TopRecencyCollector[]>(keys_.size());
  max_top_recencies_ =
      std::min(max_top_recencies, max_all_top_recencies / std::max<std::size_t>(1, keys_.size()));
  for (std::size_t r = 0; r < keys_.size(); ++r)
    top_recencies_[r].rest_max.store(recency_cutoff(keys_[r], max_top_recencies_),
                                     std::memory_order_relaxed);
}

void Normalization::close_counting() {
  for (std::size_t r = 0; r < keys_.size(); ++r) {
    top_recencies_[r].prune(max_top_recencies_);
    TopRecencies& top = top_recencies_[r].top;
    std::sort(top.rows.begin(), top.rows.end(), greater);
    if (!top.rows.empty())
      top.rest_max = top_recencies_[r].rest_max.load(std::memory_order_relaxed);
  }
}

std::size_t Normalization::open(std::size_t size) {
  std::size_t slots = 0;
  for (std::size_t q = 0; q < size; ++q) {
    if (std::find(additive_.begin(), additive_.end(), q) == additive_.end() || normalized_[q])
      continue;
    if (slots > 0 && rows_ * sizeof(float) * (slots + 1) > max_kept_bytes) {
      size = q;
      break;
    }
    slot_of_[q] = slots++;
  }
  std::erase_if(additive_, [&](std::size_t q) { return normalized_[q] || q >= size; });
  similarities_ = std::make_unique_for_overwrite<float[]>(slots * rows_);
  relevance_moments_.assign(slots * tasks_.size(), {});
  if (!counted_) recency_moments_.assign(keys_.size() * tasks_.size(), {});
  return size;
}

void Normalization::keep(const RowScorer& scorer, std::size_t q, const TaskTile& tile,
                         const float* similarities, const BlockBits& bits) {
  const auto [t, begin, count] = tile;
  std::copy_n(similarities, count, &similarities_[slot_of_[q] * rows_ + place(t, begin)]);
  float values[block_rows];
  std::size_t length = 0;
  for_each(bits, [&](std::size_t i) {
    values[length++] = static_cast<float>(scorer.relevance(similarities[i], tile.begin + i));
  });
  add_to(relevance_moments_[slot_of_[q] * tasks_.size() + t], kernels_.moments(values, length));
}

void Normalization::finish() {
  for (const std::size_t q : additive_) {
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      add_to(relevance_[q], relevance_moments_[slot_of_[q] * tasks_.size() + t]);
      add_to(recency_[q], recency_moments_[recency_of_[q] * tasks_.size() + t]);
    }
    maps_[q] = standardize::map_of(recency_[q], relevance_[q]);
  }
}

}  // namespace asof::vector
