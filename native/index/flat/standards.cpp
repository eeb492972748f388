// See standards.hpp.
#include "index/flat/standards.hpp"

#include <algorithm>
#include <cmath>

#include "index/flat/runs.hpp"
#include "index/flat/search.hpp"

namespace asof::flat {
namespace {

void add_to(standardize::Moments& moments, const standardize::Moments& more) { moments = standardize::merged(moments, more); }

}  // namespace

void Standards::clear(std::size_t rows) {
  rows_ = rows;
  summing_.clear();
  slot_of_.clear();
  recency_of_.clear();
  keys_.clear();
}

bool Standards::has_room(const Query& query) const {
  const std::size_t bytes = rows_ * (sizeof(float) * (summing_.size() + 1) + sizeof(double) * (keys_.size() + 1));
  return query.form.combine != Combine::sum || summing_.empty() || bytes <= kept_bytes_most;
}

void Standards::add(const Query& query, std::size_t mask) {
  const std::size_t q = slot_of_.size();
  slot_of_.push_back(summing_.size());
  recency_of_.push_back(0);
  if (query.form.combine != Combine::sum) return;
  summing_.push_back(q);
  const Key key{mask, query.form.clock, query.form.at, query.form.floor_days};
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  recency_of_.back() = static_cast<std::size_t>(known - keys_.begin());
  if (known == keys_.end()) keys_.push_back(key);
}

void Standards::open() {
  kept_ = std::make_unique_for_overwrite<float[]>(summing_.size() * rows_);
  kept_recencies_ = std::make_unique_for_overwrite<double[]>(keys_.size() * rows_);
  relevance_moments_.assign(summing_.size() * tasks_.size(), {});
  recency_moments_.assign(keys_.size() * tasks_.size(), {});
  maps_.assign(slot_of_.size(), {});
  relevance_.assign(slot_of_.size(), {});
  recency_.assign(slot_of_.size(), {});
}

void Standards::keep(const Scored& scored, std::size_t q, std::size_t t, const float* similarities, std::size_t begin, std::size_t count,
                     const BlockBits& bits) {
  std::copy_n(similarities, count, &kept_[slot_of_[q] * rows_ + place(t, begin)]);
  float values[schema::block_rows];
  std::size_t length = 0;
  for_each(bits, [&](std::size_t i) { values[length++] = static_cast<float>(scored.relevance(similarities[i], begin + i)); });
  add_to(relevance_moments_[slot_of_[q] * tasks_.size() + t], kernels_.moments(values, length));
}

void Standards::add_recencies(std::size_t t, std::size_t begin, std::size_t count, const std::vector<BlockBits>& bits) {
  for (std::size_t r = 0; r < keys_.size(); ++r) {
    Form form;
    form.clock = keys_[r].clock;
    form.at = keys_[r].at;
    form.floor_days = keys_[r].floor_days;
    double* kept = &kept_recencies_[r * rows_ + place(t, begin)];
    recencies_of(form, request_.segments[tasks_[t].segment].rows, begin, count, kept);
    double values[schema::block_rows];
    std::size_t length = 0;
    for_each(bits[keys_[r].mask], [&](std::size_t i) {
      if (!std::isnan(kept[i])) values[length++] = kept[i];
    });
    add_to(recency_moments_[r * tasks_.size() + t], moments_of(values, length));
  }
}

void Standards::standardise() {
  for (const std::size_t q : summing_) {
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      add_to(relevance_[q], relevance_moments_[slot_of_[q] * tasks_.size() + t]);
      add_to(recency_[q], recency_moments_[recency_of_[q] * tasks_.size() + t]);
    }
    maps_[q] = standardize::map_of(recency_[q], relevance_[q]);
  }
}

}  // namespace asof::flat
