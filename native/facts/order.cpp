#include "facts/order.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "facts/members.hpp"

namespace asof::facts {

Holding holding_in(const Time& time, const Window& window, bool is_event, double longest) {
  if (time.start >= window.end) return Holding::not_yet;
  const bool has_until = !std::isnan(time.until);
  if ((has_until ? time.until : time.end) <= window.start)
    return is_event || time.range || has_until ? Holding::ended : Holding::unknown;
  if (time.end <= window.start) return Holding::holds;
  const bool is_before =
      !is_event && time.start == -infinity && window.end < time.end && time.end < infinity;
  return is_before && time.end - window.end >= longest ? Holding::unknown : Holding::holds;
}

bool is_later_report(const Dated& of, const Asked& asked) {
  const Window& window = asked.window;
  if (!of.time || of.time->range) return false;
  const double start = of.time->start, end = of.time->end;
  if (!(start < window.end && end > window.end)) return false;
  if (std::isnan(of.published_at)) return !asked.is_now && window.end - start < end - window.end;
  return of.published_at >= window.end && of.published_at < end + (end - start);
}

bool meets_alternative(const Time& time, const std::vector<Window>& alternatives) {
  return alternatives.empty() ||
         std::any_of(alternatives.begin(), alternatives.end(), [&](const Window& each) {
           return time.start < each.end && time.end > each.start;
         });
}

namespace {

/// Smaller is preferred; an earlier field decides before a later one.
struct Key {
  int tier;  // 0 satisfies the operator, 1 may still hold, 2 is excluded
  double key;
  double publication;
  std::uint32_t place;

  auto preference() const { return std::tie(tier, key, publication); }
};

struct TieredKey {
  int tier;
  double key;
};
constexpr TieredKey last{2, 0};

/// Where only its end is known, a state is taken to have begun as long before as it lasts on.
double beginning(const Time& time, double at) {
  return time.start == -infinity && time.end > at ? 2 * at - time.end : time.start;
}

double key_of_any(const Time& time, const Asked& asked, double until) {
  const double from = asked.window.start;
  // "Since August" asks for what began then.
  const bool is_since = until == infinity && asked.has_named && asked.named.start == from;
  if (is_since && time.start >= from && time.start < asked.named.end) return -infinity;
  // Of what is open at one side, what is nearest to the bound.
  if (std::isfinite(from) == std::isfinite(until)) return 0;
  return std::isfinite(from) ? std::max(time.start, from) : -std::min(time.end, until);
}

double key_of_latest(const Time& time, double until) {
  // A stretch that reaches the end of the window holds there.
  if (time.start == -infinity && time.end >= until && time.end < infinity)
    return std::max(1 - until, time.end - 2 * until);
  // Of a beginning alone, that is known.
  if (!time.range || time.end == infinity) return -time.start;
  return time.end >= until ? 1 - until : -time.end;
}

double order_key(const Time& time, const Asked& asked, double until) {
  if (asked.order == Order::any) return key_of_any(time, asked, until);
  if (asked.order == Order::latest) return key_of_latest(time, until);
  // Of a unit ("2018") it is unknown where in it.
  const bool is_open = time.start < asked.window.start || time.start == -infinity;
  return is_open || !time.range ? time.end : time.start;
}

TieredKey preference_key(const Time* time, const Asked& asked, double longest) {
  const Window& window = asked.window;
  const bool is_bounded = std::isfinite(window.start) || std::isfinite(window.end);
  if (!time) return asked.order == Order::any && !is_bounded ? TieredKey{0, 0} : last;
  const double end =
      asked.order == Order::latest ? std::min(window.end, asked.asked_at + 1) : window.end;
  const Window& held = held_of(asked);
  const Holding holding = holding_in(*time, held, asked.is_event, longest);
  if (holding == Holding::ended) return last;
  if (holding == Holding::unknown && may_hold_if_unknown(*time, asked))
    return {1, -beginning(*time, held.start)};
  const bool is_inside =
      time->start < end && time->end > window.start && meets_alternative(*time, asked.alternatives);
  return is_inside ? TieredKey{0, order_key(*time, asked, end)} : last;
}

Key key_of(const Dated& of, std::uint32_t place, const Asked& asked, double longest) {
  const bool is_latest = asked.order == Order::latest;
  const bool is_later = is_latest && is_later_report(of, asked);
  const auto [tier, key] = preference_key(is_later ? nullptr : of.time, asked, longest);
  double publication = 0;
  if (is_latest && asked.place == 1)
    publication = std::isnan(of.published_at) ? infinity : -of.published_at;
  return {tier, key, publication, place};
}

}  // namespace

Preference preference_of(std::span<const Dated> times, const Asked& asked, double longest) {
  std::vector<Key> keys;
  keys.reserve(times.size());
  for (std::uint32_t place = 0; place < times.size(); ++place)
    keys.push_back(key_of(times[place], place, asked, longest));
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return std::tie(a.tier, a.key, a.publication, a.place) <
           std::tie(b.tier, b.key, b.publication, b.place);
  });
  Preference found;
  found.order.reserve(keys.size());
  found.ranks.resize(keys.size());
  std::int32_t rank = 0;
  for (std::size_t at = 0; at < keys.size(); ++at) {
    if (at > 0 && keys[at - 1].preference() != keys[at].preference()) ++rank;
    found.order.push_back(keys[at].place);
    found.ranks[keys[at].place] = rank;
  }
  return found;
}

}  // namespace asof::facts
