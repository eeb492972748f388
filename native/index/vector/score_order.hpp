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

/// Puts so few in the order of their scores, each where the number of those before it says: what is
/// compared decides no branch, which would be guessed wrongly every other time. False, and nothing
/// done, where two are equal.
template <typename Row>
bool rank_sort(std::span<Row> rows) {
  const std::size_t n = rows.size();
  Row given[rank_sort_rows];
  std::uint32_t place[rank_sort_rows] = {};
  bool equal = false;
  for (std::size_t i = 0; i < n; ++i) {
    given[i] = rows[i];
    std::uint32_t before = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const bool follows = given[j].score < given[i].score;
      equal |= given[j].score == given[i].score;
      place[j] += follows;
      before += !follows;
    }
    place[i] = before;
  }
  for (std::size_t i = 0; i < n && !equal; ++i) rows[place[i]] = given[i];
  return !equal;
}

/// Puts rows in the order that `earlier` tells, for which a greater `score` comes first. Many are
/// spread first over places by their scores, so that few are left to be compared with another.
template <typename Row, typename Earlier>
void sort_by_score(std::span<Row> rows, Earlier earlier) {
  constexpr std::size_t places = 128, many = 16 * places;
  const std::size_t n = rows.size();
  if (n <= rank_sort_rows && rank_sort(rows)) return;
  if (n <= rank_sort_rows || n > many) return std::sort(rows.begin(), rows.end(), earlier);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double least = infinite, most = -infinite;
  for (const Row& each : rows) {
    least = std::min(least, each.score);
    most = std::max(most, each.score);
  }
  const double scale = (places - 1) / (most - least);
  if (!(scale > 0 && scale < infinite)) return std::sort(rows.begin(), rows.end(), earlier);
  auto place_of = [&](const Row& each) {
    return static_cast<std::size_t>((most - each.score) * scale);
  };
  std::uint32_t begins[places + 2] = {};
  for (const Row& each : rows) begins[place_of(each) + 2] += 1;
  for (std::size_t place = 2; place < places + 2; ++place) begins[place] += begins[place - 1];
  const std::vector<Row> given(rows.begin(), rows.end());
  for (const Row& each : given) rows[begins[place_of(each) + 1]++] = each;
  for (std::size_t place = 0; place < places; ++place) {
    const auto begin = rows.begin() + begins[place], end = rows.begin() + begins[place + 1];
    if (end - begin > 1) std::sort(begin, end, earlier);
  }
}

}  // namespace asof::vector
