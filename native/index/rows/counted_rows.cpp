// Look-up of counts, the least recently used ones leaving.
#include "index/rows/counted_rows.hpp"

#include <algorithm>
#include <cstring>

namespace asof {
namespace {

constexpr std::size_t max_sets = 4;        // of a segment
constexpr std::size_t max_terms = 65'536;  // of a set, some 3 MB

}  // namespace

std::array<std::uint32_t, 3> CountedRows::with_term(
    std::uint32_t term, const std::function<std::array<std::uint32_t, 3>()>& count) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = with_term_.find(term); known != with_term_.end()) return known->second;
  }
  const auto rows = count();
  const std::lock_guard lock(mutex_);
  if (with_term_.size() >= max_terms) with_term_.clear();
  with_term_.emplace(term, rows);
  return rows;
}

std::shared_ptr<CountedRows> CountedRowsCache::of(std::span<const std::uint8_t> passages,
                                                  const std::function<void(CountedRows&)>& count) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(latest_, [&](const std::shared_ptr<CountedRows>& each) {
    const auto known = each->passages();
    return known.size() == passages.size() &&
           std::memcmp(known.data(), passages.data(), known.size()) == 0;
  });
  if (found != latest_.end()) {
    latest_.splice(latest_.begin(), latest_, found);
    return latest_.front();
  }
  auto counted = std::make_shared<CountedRows>(passages);
  count(*counted);
  if (latest_.size() >= max_sets) latest_.pop_back();
  latest_.push_front(counted);
  return counted;
}

}  // namespace asof
