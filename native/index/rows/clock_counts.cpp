// Count of a group's rows by latest instant.
#include "index/rows/clock_counts.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include "index/rows/flat_rows.hpp"
#include "temporal/forms.hpp"

namespace asof {
namespace {

/// The end of the row's latest time; absent where it has none.
template <typename Tick>
Tick latest_of(const temporal::ClockView<Tick>& clock, std::size_t row) {
  Tick latest = ticks<Tick>::absent;
  bool any = false;
  each_time(clock, row, [&](std::size_t, Tick, Tick end) {
    latest = any ? std::max(latest, end) : end;
    any = true;
    return false;
  });
  return latest;
}

template <typename Tick>
ClockCounts::Group count(const temporal::ClockView<Tick>& clock, std::size_t first,
                         std::size_t last) {
  using Distance = std::make_unsigned_t<Tick>;
  ClockCounts::Group group;
  Tick least = ticks<Tick>::future, most = ticks<Tick>::past;
  double open_ends[2] = {0, 0};  // of the past and of the future
  for (std::size_t row = first; row < last; ++row) {
    const Tick tick = latest_of(clock, row);
    if (tick == ticks<Tick>::absent) continue;
    if (tick == ticks<Tick>::past || tick == ticks<Tick>::future) {
      open_ends[tick == ticks<Tick>::future] += 1;
      continue;
    }
    least = std::min(least, tick);
    most = std::max(most, tick);
  }
  const std::size_t n = last - first;
  const Distance width =
      least > most ? 0 : static_cast<Distance>(most) - static_cast<Distance>(least);
  if (width > 2 * n + 65536) return group;
  std::vector<std::uint32_t> rows_at(least > most ? 0 : static_cast<std::size_t>(width) + 1);
  auto each_finite = [&](auto visit) {
    for (std::size_t row = first; row < last; ++row) {
      const Tick tick = latest_of(clock, row);
      if (tick >= least && tick <= most && tick != ticks<Tick>::past && tick != ticks<Tick>::absent)
        visit(row, tick);
    }
  };
  each_finite([&](std::size_t, Tick tick) {
    rows_at[static_cast<Distance>(tick) - static_cast<Distance>(least)] += 1;
  });
  if (open_ends[1] > 0)
    group.instants.push_back({std::numeric_limits<double>::infinity(), open_ends[1]});
  for (std::size_t i = rows_at.size(); i-- > 0;) {
    if (rows_at[i] == 0) continue;
    const Tick tick = static_cast<Tick>(static_cast<Distance>(least) + static_cast<Distance>(i));
    group.instants.push_back(
        {milliseconds_of(tick, clock.encoding), static_cast<double>(rows_at[i])});
  }
  if (open_ends[0] > 0)
    group.instants.push_back({-std::numeric_limits<double>::infinity(), open_ends[0]});
  if (group.instants.size() > n / 8 + 64) return {};
  group.known = true;
  double latest_count = 0;
  for (; group.whole < group.instants.size() &&
         latest_count + group.instants[group.whole].rows <= ClockCounts::max_latest;
       ++group.whole) {
    latest_count += group.instants[group.whole].rows;
  }
  if (group.whole == 0) return group;
  const double until = group.instants[group.whole - 1].at;
  for (std::size_t row = first; row < last; ++row) {
    const double at = milliseconds_of(latest_of(clock, row), clock.encoding);
    if (at >= until) group.latest.push_back({at, static_cast<std::uint32_t>(row)});
  }
  std::stable_sort(group.latest.begin(), group.latest.end(),
                   [](const auto& a, const auto& b) { return a.at > b.at; });
  return group;
}

}  // namespace

const ClockCounts::Group& ClockCounts::of(const FlatRows& rows, temporal::Clock clock,
                                          std::size_t group) const {
  const std::size_t place = 3 * static_cast<std::size_t>(clock) + group;
  counting_[place].run([&] {
    const std::size_t ends[] = {0, rows.multi_sentence, rows.passages, rows.rows};
    groups_[place] =
        std::visit([&](const auto& view) { return count(view, ends[group], ends[group + 1]); },
                   column_of(rows, clock));
  });
  return groups_[place];
}

}  // namespace asof
