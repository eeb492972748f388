// Sorting by score: a branch-free rank sort of few rows, buckets for thousands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace asof::vector {

inline constexpr std::size_t rank_sort_rows = 24;

/// Sorts few rows by descending score: each goes to the index given by the number of better ones.
/// Without branches on scores, which are unpredictable. False, and no effect, if two scores are
/// equal.
template <typename Row>
bool rank_sort(std::span<Row> rows) {
  const std::size_t n = rows.size();
  Row copy[rank_sort_rows];
  std::uint32_t index[rank_sort_rows] = {};
  bool equal = false;
  for (std::size_t i = 0; i < n; ++i) {
    copy[i] = rows[i];
    std::uint32_t before = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const bool follows = copy[j].score < copy[i].score;
      equal |= copy[j].score == copy[i].score;
      index[j] += follows;
      before += !follows;
    }
    index[i] = before;
  }
  for (std::size_t i = 0; i < n && !equal; ++i) rows[index[i]] = copy[i];
  return !equal;
}

/// Sorts rows by `earlier`, which puts greater scores first. Many rows are first distributed over
/// buckets by score, so that few are compared with each other.
template <typename Row, typename Earlier>
void sort_by_score(std::span<Row> rows, Earlier earlier) {
  constexpr std::size_t buckets = 128, many = 16 * buckets;
  const std::size_t n = rows.size();
  if (n <= rank_sort_rows && rank_sort(rows)) return;
  if (n <= rank_sort_rows || n > many) return std::sort(rows.begin(), rows.end(), earlier);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double least = infinite, most = -infinite;
  for (const Row& each : rows) {
    least = std::min(least, each.score);
    most = std::max(most, each.score);
  }
  const double scale = (buckets - 1) / (most - least);
  if (!(scale > 0 && scale < infinite)) return std::sort(rows.begin(), rows.end(), earlier);
  auto bucket_of = [&](const Row& each) {
    return static_cast<std::size_t>((most - each.score) * scale);
  };
  std::uint32_t begins[buckets + 2] = {};
  for (const Row& each : rows) begins[bucket_of(each) + 2] += 1;
  for (std::size_t bucket = 2; bucket < buckets + 2; ++bucket) begins[bucket] += begins[bucket - 1];
  const std::vector<Row> copy(rows.begin(), rows.end());
  for (const Row& each : copy) rows[begins[bucket_of(each) + 1]++] = each;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const auto begin = rows.begin() + begins[bucket], end = rows.begin() + begins[bucket + 1];
    if (end - begin > 1) std::sort(begin, end, earlier);
  }
}

}  // namespace asof::vector
