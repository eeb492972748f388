// Word vectors by index term.
#include "index/lexical/word_table.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace asof::lexical {

WordTable::WordTable(std::vector<std::string> terms, std::vector<float> scales,
                     std::vector<std::int8_t> rows, std::size_t dimensions)
    : terms_(std::move(terms)),
      scales_(std::move(scales)),
      rows_(std::move(rows)),
      dimensions_(dimensions) {
  if (scales_.size() != terms_.size() || rows_.size() != terms_.size() * dimensions_) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected a scale and " + std::to_string(dimensions_) + " components for each of " +
                    std::to_string(terms_.size()) + " terms, received " +
                    std::to_string(scales_.size()) + " and " + std::to_string(rows_.size()) + ".");
  }
  numbers_.reserve(terms_.size());
  for (std::uint32_t i = 0; i < terms_.size(); ++i) {
    if (!numbers_.emplace(terms_[i], i).second)
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected terms that differ, received " + terms_[i] + " twice.");
  }
}

std::optional<std::uint32_t> WordTable::find(std::string_view term) const {
  const auto entry = numbers_.find(term);
  return entry == numbers_.end() ? std::nullopt : std::optional(entry->second);
}

double WordTable::likeness(std::uint32_t term, std::uint32_t other) const {
  const std::int8_t* a = rows_.data() + term * dimensions_;
  const std::int8_t* b = rows_.data() + other * dimensions_;
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < dimensions_; ++j) sum += std::int32_t{a[j]} * b[j];
  const double cosine = static_cast<double>(sum) * scales_[term] * scales_[other];
  return std::max(0.0, std::min(1.0, cosine));
}

std::shared_ptr<WordNumbers> WordTable::numbers_of(std::uint64_t segment, std::size_t terms) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  // From the end: recently used segments are last, after many that may be closed.
  const auto entry = std::find_if(cache_.rbegin(), cache_.rend(),
                                  [&](const CacheEntry& each) { return each.segment == segment; });
  if (entry != cache_.rend() && entry->numbers->terms() == terms) {
    std::rotate(entry.base() - 1, entry.base(), cache_.end());
    return cache_.back().numbers;
  }
  auto numbers = std::make_shared<WordNumbers>(terms);
  if (terms > max_cached_terms) return numbers;
  cache_.push_back({segment, numbers});
  std::size_t all = 0;
  for (const CacheEntry& each : cache_) all += each.numbers->terms();
  for (; all > max_cached_terms; cache_.erase(cache_.begin()))
    all -= cache_.front().numbers->terms();
  return numbers;
}

}  // namespace asof::lexical
