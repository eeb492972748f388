#include "facts/members.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "facts/order.hpp"
#include "facts/restatements.hpp"
#include "timetag/civil.hpp"

namespace asof::facts {

namespace {

constexpr double day = timetag::day_ms, year = 365.2425 * day;
/// How far a state is assumed to reach back if only its end is stated.
constexpr double reached_back = 5 * year;
/// Most times of one statement.
constexpr std::size_t most_times = 8;
/// Statements of a series whose wordings are compared, and those with which they are.
constexpr std::size_t most_compared = 60, most_tried = 5;
/// Statements that show by which clock the series is dated.
constexpr std::size_t top_statements = 20;
/// Terms of a question that a statement's bits cover.
constexpr std::size_t most_matched = 30;
/// Statements say as much of the question as the best up to this.
constexpr double same_series = 0.05;

/// A statement of a candidate with its passage.
struct Stated {
  const Passage& passage;
  const Statement& statement;

  std::span<const Time> own_times() const { return passage.times_of(statement); }
  std::span<const Time> content_times() const {
    const std::span<const Time> own = own_times();
    return own.empty() ? std::span(passage.title_times) : own;
  }
};

Stated stated_of(const Pool& pool, const Matches& matches, std::uint32_t match) {
  const Passage& passage = *pool.passages[matches.candidate[match]];
  return {passage, passage.statements[matches.statement[match]]};
}

// Rows.

/// The times of a statement by content; none where it is of no time at all.
std::span<const Time> times_by_content(const Stated& stated, bool clock_published) {
  const Passage& passage = stated.passage;
  if (passage.has_published && clock_published) return {&passage.published, 1};
  if (passage.has_valid) return {&passage.valid, 1};
  const std::span<const Time> times = stated.content_times();
  if (!times.empty()) return times.first(std::min(times.size(), most_times));
  return {&passage.published, passage.has_published ? 1u : 0u};
}

/// The day of publication; what is published of the past is over, whenever it was published.
Time time_by_publication(const Passage& passage, std::span<const Time> by_content) {
  Time published = passage.published;
  if (passage.has_valid) by_content = {&passage.valid, 1};
  for (const Time& time : by_content) {
    const double end = !std::isnan(time.until) ? time.until : time.range ? time.end : infinity;
    if (end <= published.start && !(end <= published.until)) published.until = end;
  }
  return published;
}

void add_row(Members& members, std::uint32_t match, std::uint32_t candidate,
             std::uint8_t interpretation, const Time* time) {
  members.match.push_back(match);
  members.candidate.push_back(candidate);
  members.interpretation.push_back(interpretation);
  members.times.push_back(time ? *time : Time{});
  members.has_time.push_back(time ? 1 : 0);
}

/// Statements in their order: each at its times, then at that of its publication.
void add_rows(Members& members, const Pool& pool, const Matches& matches, const Asked& asked) {
  for (std::uint32_t match = 0; match < matches.size(); ++match) {
    const Stated stated = stated_of(pool, matches, match);
    const std::uint32_t candidate = matches.candidate[match];
    const std::span<const Time> times = times_by_content(stated, asked.clock_published);
    for (const Time& time : times) add_row(members, match, candidate, 0, &time);
    if (times.empty()) add_row(members, match, candidate, 0, nullptr);
    if (stated.passage.has_published) {
      const Time published = time_by_publication(stated.passage, times);
      add_row(members, match, candidate, 1, &published);
    } else {
      add_row(members, match, candidate, 1, times.empty() ? nullptr : &times.front());
    }
  }
}

// Features of times.

double finite(double value) {
  return std::isfinite(value) ? value : 0;
}

/// As Math.max: NaN where one of both is.
double greatest(double a, double b) {
  return a < b || std::isnan(b) ? b : a;
}

/// A length of time on a logarithmic scale of months.
double scaled(double milliseconds) {
  return std::log1p((12 * std::abs(milliseconds)) / year) / 3;
}

/// UTF-16 units; words after a time are its role less often: "born 1853, died 1927".
double distance(std::uint32_t role, std::int32_t at) {
  const double apart = static_cast<double>(at) - role;
  return apart > 0 ? apart : -2 * apart;
}

/// Whether the word that says what the question's date is of belongs to another time.
bool is_role_of_other(const Time& time, std::span<const Time> times,
                      const std::vector<std::uint32_t>& roles) {
  if (time.at < 0 || roles.empty()) return false;
  return std::none_of(roles.begin(), roles.end(), [&](std::uint32_t role) {
    return std::all_of(times.begin(), times.end(), [&](const Time& other) {
      return other.at < 0 || distance(role, time.at) <= distance(role, other.at);
    });
  });
}

/// The features of a statement at one of its times.
class TimedFeatures {
 public:
  /// `row`: those of the statement, then 0 but for `before_of_figure`: whether a figure is asked
  /// for.
  TimedFeatures(std::span<float> row, const Asked& asked, double longest)
      : row_(row),
        asked_(asked),
        window_(asked.window),
        longest_(longest),
        has_start_(std::isfinite(window_.start)),
        has_end_(std::isfinite(window_.end)),
        before_(row[before_of_figure] == 1 ? before_of_figure : before) {
    put(before_of_figure, 0);
  }

  void put_source(const Time* time, std::span<const Time> times,
                  const std::vector<std::uint32_t>& roles) {
    if (!time) return;
    switch (time->source) {
      case Source::compared:
        put(compared, 1);
        break;
      case Source::previous:
        put(previous, 1);
        break;
      case Source::later:
        put(later, 1);
        break;
      case Source::title:
        put(of_title, 1);
        break;
      default:
        break;
    }
    if (time->source != Source::previous && is_role_of_other(*time, times, roles))
      put(role_of_other, 1);
    if (time->range) put(span, finite(std::log1p((time->end - time->start) / year) / 3));
  }

  void put_window(const Time* time) {
    if (!has_start_ && !has_end_) return;
    if (!time) return put(undated, 1);
    const double shared = std::min(time->end, window_.end) - std::max(time->start, window_.start);
    const Window& held = held_of(asked_);
    const Holding holding = holding_in(*time, held, asked_.is_event, longest_);
    if (holding == Holding::unknown && may_hold_if_unknown(*time, asked_)) {
      // How long a state has lasted says nothing against it.
      is_outside_ = true;
      put(before_, 1);
    } else if (holding == Holding::ended || shared <= 0 ||
               !meets_alternative(*time, asked_.alternatives)) {
      is_outside_ = true;
      put(outside, 1);
      const double early = holding == Holding::ended ? held.start - time->end : 0;
      put(gap, finite(scaled(greatest(greatest(0, time->start - window_.end), early))));
    } else {
      put_inside(*time, shared);
    }
  }

  void put_publication(const Time* time, double published_at) {
    if (std::isnan(published_at)) return;
    if (!is_outside_ && is_later_report({time, published_at}, asked_)) put(later_report, 1);
    const bool is_own = time && time->source == Source::own && !is_outside_;
    if (!has_end_ || is_own || (time && time->source == Source::published)) return;
    put(published_after, published_at >= window_.end ? 1 : 0);
    put(published_gap, scaled(published_at - window_.end));
  }

 private:
  void put(Feature feature, double value) { row_[feature] = static_cast<float>(value); }

  void put_inside(const Time& time, double shared) {
    const double duration = time.end - time.start;
    if (!time.range) put(overhang, finite(1 - shared / duration));
    if (has_start_ && has_end_) {
      const double ratio = duration / (window_.end - window_.start);
      if (!time.range) put(coarse, finite(std::max(0.0, std::log(ratio)) / 5));
      const bool is_equal =
          std::abs(time.start - window_.start) < day && std::abs(time.end - window_.end) < day;
      if (is_equal) put(equal, 1);
    } else if (has_start_ && asked_.has_named && asked_.named.start == window_.start &&
               time.start >= asked_.named.start && time.start < asked_.named.end) {
      put(equal, 1);
    }
  }

  const std::span<float> row_;
  const Asked& asked_;
  const Window& window_;
  const double longest_;
  const bool has_start_, has_end_;
  const Feature before_;
  bool is_outside_ = false;
};

void put_features(Members& members, const Pool& pool, const Matches& matches, const Asked& asked) {
  members.features.resize(members.match.size() * width);
  for (std::size_t at = 0; at < members.match.size(); ++at) {
    const std::uint32_t match = members.match[at];
    const Stated stated = stated_of(pool, matches, match);
    const std::span row = std::span(members.features).subspan(at * width, width);
    std::ranges::transform(matches.row(match), row.begin(),
                           [](double value) { return static_cast<float>(value); });
    const Time* time = members.has_time[at] != 0 ? &members.times[at] : nullptr;
    TimedFeatures features(row, asked, members.longest);
    features.put_source(time, stated.own_times(), matches.roles[match]);
    features.put_window(time);
    features.put_publication(time, stated.passage.published_at);
  }
}

void put_ranks(Members& members, const Pool& pool, const Asked& asked,
               std::span<const std::uint8_t> excluded) {
  members.rank.resize(members.match.size());
  std::vector<std::uint32_t> own;
  std::vector<Dated> times;
  for (std::size_t interpretation = 0; interpretation < 2; ++interpretation) {
    own.clear();
    times.clear();
    for (std::uint32_t at = 0; at < members.match.size(); ++at) {
      if (members.interpretation[at] != interpretation) continue;
      const bool is_dated =
          members.has_time[at] != 0 && (excluded.empty() || excluded[members.match[at]] == 0);
      own.push_back(at);
      times.push_back({is_dated ? &members.times[at] : nullptr,
                       pool.passages[members.candidate[at]]->published_at});
    }
    Preference preference = preference_of(times, asked, members.longest);
    for (std::size_t nth = 0; nth < own.size(); ++nth)
      members.rank[own[nth]] = preference.ranks[nth];
    for (std::uint32_t& place : preference.order) place = own[place];
    members.ranked[interpretation] = std::move(preference.order);
  }
}

// The likely series, and what it says for the gates.

/// Matches by what they lack of the question, the most similar first of equals: the likely series,
/// which say as much of it as the best, and the first `top_statements`.
struct Foremost {
  std::vector<std::uint32_t> matches;
  std::size_t of_series = 0;

  std::span<const std::uint32_t> series() const { return std::span(matches).first(of_series); }
  std::span<const std::uint32_t> top() const {
    return std::span(matches).first(std::min(matches.size(), top_statements));
  }
};

Foremost foremost_of(const Matches& matches) {
  struct Key {
    double missing, similarity;
    std::uint32_t match;
  };
  std::vector<Key> keys;
  keys.reserve(matches.size());
  double best = infinity;
  for (std::uint32_t match = 0; match < matches.size(); ++match) {
    const auto features = matches.row(match);
    keys.push_back({missing_of(features), features[cosine], match});
    best = std::min(best, keys.back().missing);
  }
  const auto series = std::ranges::count_if(
      keys, [&](const Key& each) { return !(each.missing > best + same_series); });
  // The others need no order.
  const auto sorted =
      keys.begin() +
      std::max(series, static_cast<std::ptrdiff_t>(std::min(keys.size(), top_statements)));
  const auto precedes = [](const Key& a, const Key& b) {
    return std::tie(a.missing, b.similarity, a.match) < std::tie(b.missing, a.similarity, b.match);
  };
  if (sorted != keys.end()) std::nth_element(keys.begin(), sorted, keys.end(), precedes);
  std::sort(keys.begin(), sorted, precedes);
  Foremost found{{}, static_cast<std::size_t>(series)};
  for (auto key = keys.begin(); key != sorted; ++key) found.matches.push_back(key->match);
  return found;
}

/// Of what is dated by validity that, else the statement's own times.
std::span<const Time> known_times(const Stated& stated) {
  return stated.passage.has_valid ? std::span(&stated.passage.valid, 1) : stated.own_times();
}

/// How long states of a series last at most: of one whose ends are known, or between two times; of
/// a single one as the scan takes it.
double longest_state(const Pool& pool, const Matches& matches,
                     std::span<const std::uint32_t> series) {
  double longest = -infinity;
  std::vector<double> ends;
  const auto add_end = [&](double end) {
    if (std::isfinite(end)) ends.push_back(end);
  };
  for (const std::uint32_t match : series) {
    for (const Time& time : known_times(stated_of(pool, matches, match))) {
      const double duration = time.end - time.start;
      if (time.range && std::isfinite(duration)) longest = std::max(longest, duration);
      add_end(time.start);
      if (time.range) add_end(time.end);
    }
  }
  if (longest > -infinity) return longest;
  std::sort(ends.begin(), ends.end());
  double widest = 0;
  for (std::size_t at = 1; at < ends.size(); ++at)
    widest = std::max(widest, ends[at] - ends[at - 1]);
  return widest > 0 ? widest : reached_back;
}

std::array<double, 6> clock_inputs(const Pool& pool, const Matches& matches, const Asked& asked,
                                   std::span<const std::uint32_t> top) {
  double dated = 0, published = 0;
  for (const std::uint32_t match : top) {
    const Stated stated = stated_of(pool, matches, match);
    dated += !stated.content_times().empty() || stated.passage.has_valid ? 1 : 0;
    published += stated.passage.has_published ? 1 : 0;
  }
  const double count = top.empty() ? 1 : static_cast<double>(top.size());
  return {1,
          asked.is_now ? 1.0 : 0.0,
          dated / count,
          published / count,
          asked.operator_order == Order::latest ? 1.0 : 0.0,
          asked.operator_order != Order::any ? 1.0 : 0.0};
}

/// The time that distinguishes a statement from others of its wording; null where it has none.
const Time* first_time(const Stated& stated) {
  const std::span<const Time> times = stated.content_times();
  if (!times.empty()) return &times.front();
  return stated.passage.has_published ? &stated.passage.published : nullptr;
}

/// How surely a first statement's wording, values aside, is repeated at other times, 0 to 1.
double repeated_wording(const Pool& pool, const Matches& matches,
                        std::span<const std::uint32_t> series, TermSets& sets) {
  struct Wording {
    double time;
    std::uint32_t terms;
  };
  std::vector<Wording> wordings;
  for (const std::uint32_t match : series.first(std::min(series.size(), most_compared))) {
    const Stated stated = stated_of(pool, matches, match);
    const Time* time = first_time(stated);
    if (!time) continue;
    wordings.push_back({time->start, sets.add(stated.passage.words_of(stated.statement), false)});
  }
  std::size_t repeats = 0;
  std::vector<double> times;
  for (std::size_t nth = 0; nth < std::min(wordings.size(), most_tried); ++nth) {
    times.assign(1, wordings[nth].time);
    for (const Wording& other : wordings) {
      const bool is_known = std::find(times.begin(), times.end(), other.time) != times.end();
      if (!is_known && sets.are_mostly_alike(wordings[nth].terms, other.terms))
        times.push_back(other.time);
    }
    repeats = std::max(repeats, times.size() - 1);
  }
  return 1 - std::exp(-static_cast<double>(repeats) / 2);
}

/// At how many times a series is stated.
std::size_t distinct_starts(const Pool& pool, const Matches& matches,
                            std::span<const std::uint32_t> series) {
  std::vector<double> starts;
  for (const std::uint32_t match : series) {
    const Stated stated = stated_of(pool, matches, match);
    const std::span<const Time> times = stated.content_times();
    for (const Time& time : times) starts.push_back(time.start);
    if (times.empty() && stated.passage.has_published)
      starts.push_back(stated.passage.published.start);
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  return starts.size();
}

/// The weighted share of the question's terms that the bits of a statement have.
double share_said(const Question& question, std::int32_t matched) {
  double said = 0, asked = 0;
  for (std::size_t t = 0; t < std::min(question.terms.size(), most_matched); ++t) {
    const double weight = question.terms[t].weight;
    if ((matched & (1 << t)) != 0) said += weight;
    asked += weight;
  }
  return said / std::max(asked, 1e-9);
}

std::array<double, 5> series_inputs(const Pool& pool, const Matches& matches, const Asked& asked,
                                    std::span<const std::uint32_t> series, TermSets& sets) {
  const double repeated = repeated_wording(pool, matches, series, sets);
  const std::int32_t matched = series.empty() ? 0 : matches.matched[series.front()];
  return {1, asked.has_operator ? 1.0 : 0.0,
          std::log1p(static_cast<double>(distinct_starts(pool, matches, series))) / 3,
          std::max(share_said(pool.question, matched), repeated),
          asked.has_operator || !asked.is_past ? 0 : 1 - repeated};
}

}  // namespace

Members members_of(const Pool& pool, const Matches& matches, const Asked& asked,
                   std::span<const std::uint8_t> excluded) {
  const Foremost foremost = foremost_of(matches);
  TermSets sets(pool.lexicon);
  Members members;
  members.longest = longest_state(pool, matches, foremost.series());
  members.clock_inputs = clock_inputs(pool, matches, asked, foremost.top());
  members.series_inputs = series_inputs(pool, matches, asked, foremost.series(), sets);
  add_rows(members, pool, matches, asked);
  put_features(members, pool, matches, asked);
  put_ranks(members, pool, asked, excluded);
  put_restatements(members, pool, matches, asked, sets);
  return members;
}

}  // namespace asof::facts
