#include "facts/restatements.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "facts/revision.hpp"
#include "timetag/civil.hpp"

namespace asof::facts {

std::uint32_t TermSets::add(const Range& of, bool values) {
  ++round_;
  for (std::uint32_t at = of.from; at < of.to; ++at) {
    const std::uint32_t word = of.of->words[at];
    const std::uint32_t term = lexicon_.terms[word];
    if ((!values && lexicon_.values[word] != 0) || seen_[term] == round_) continue;
    seen_[term] = round_;
    terms_.push_back(term);
  }
  ends_.push_back(static_cast<std::uint32_t>(terms_.size()));
  return marked_ = static_cast<std::uint32_t>(ends_.size() - 1);
}

void TermSets::mark(std::uint32_t set) {
  ++round_;
  for (std::uint32_t at = begin(set); at < ends_[set]; ++at) seen_[terms_[at]] = round_;
  marked_ = set;
}

bool TermSets::are_mostly_alike(std::uint32_t one, std::uint32_t other) {
  const std::uint32_t sizes = ends_[one] - begin(one) + ends_[other] - begin(other);
  const auto are_alike = [&](std::uint32_t common) { return 2 * common >= sizes - common; };
  const std::uint32_t most = std::min(ends_[one] - begin(one), ends_[other] - begin(other));
  if (most == 0 || !are_alike(most)) return false;
  if (marked_ != one) mark(one);
  std::uint32_t common = 0;
  for (std::uint32_t at = begin(other); at < ends_[other]; ++at)
    common += seen_[terms_[at]] == round_;
  return common > 0 && are_alike(common);
}

namespace {

/// Most later publications that a statement is compared with.
constexpr std::size_t most_compared = 32;
/// Latest publications among which these are sought.
constexpr std::size_t most_read = 256;
/// Terms of a question that a statement's bits cover.
constexpr std::size_t most_matched = 30;
/// Share of a wording's statements that may contradict the series: errors of reading.
constexpr double most_conflicts = 0.1;
/// Names agree as well as the best up to this.
constexpr double same_name = 0.02;

/// Bits of the question's terms that are names and values, or of the others.
std::int32_t bits_of(const Question& question, bool names_and_values) {
  std::int32_t bits = 0;
  for (std::size_t t = 0; t < std::min(question.terms.size(), most_matched); ++t) {
    const Term& term = question.terms[t];
    if ((term.name || term.value) == names_and_values) bits |= 1 << t;
  }
  return bits;
}

/// By candidate, the number of its subject: the title's words, values aside. 0 where it has none.
std::vector<std::uint32_t> subjects_of(const Pool& pool) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers{{{}, 0}};
  std::vector<std::uint32_t> subjects;
  subjects.reserve(pool.passages.size());
  for (const auto& passage : pool.passages) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    subjects.push_back(numbers.try_emplace(subject_of(pool.lexicon, *passage), next).first->second);
  }
  return subjects;
}

/// A statement of the question's very name with a value, which may be of its series.
struct Stating {
  std::uint32_t match;
  const Passage* passage;
  const Time* time;  // null for none
  std::vector<std::uint32_t> values;
};

const Time* main_time(const Passage& passage, const Statement& statement) {
  for (const Time& time : passage.times_of(statement))
    if (time.source != Source::compared) return &time;
  if (!passage.title_times.empty()) return &passage.title_times.front();
  return passage.has_published ? &passage.published : nullptr;
}

bool share_value(const Stating& one, const Stating& other) {
  return std::any_of(one.values.begin(), one.values.end(), [&](std::uint32_t value) {
    return std::find(other.values.begin(), other.values.end(), value) != other.values.end();
  });
}

/// Two values for one time, published at once as far as is known.
bool conflict(const Stating& one, const Stating& other) {
  if (one.passage == other.passage) return false;
  const double a = one.passage->published_at, b = other.passage->published_at;
  if (!std::isnan(a) && !std::isnan(b) && a != b) return false;
  const Time *s = one.time, *t = other.time;
  if (!s || !t || s->start >= t->end || t->start >= s->end) return false;
  const double x = s->end - s->start, y = t->end - t->start;
  if (x > 4 * y || y > 4 * x) return false;
  return !share_value(one, other);
}

using Wording = std::vector<Stating>;

/// Statements of the question's name by the words of its relation that they have, in the order in
/// which these first occur.
std::vector<Wording> wordings_of(const Pool& pool, const Matches& matches) {
  double best = 0;
  for (std::size_t match = 0; match < matches.size(); ++match)
    best = std::max(best, matches.row(match)[name_overlap]);
  const std::int32_t of_relation = bits_of(pool.question, false);
  std::unordered_map<std::int32_t, std::size_t> places;
  std::vector<Wording> wordings;
  for (std::uint32_t match = 0; match < matches.size(); ++match) {
    const auto features = matches.row(match);
    if (features[name_overlap] < best - same_name || features[value_missing] != 0) continue;
    std::vector<std::uint32_t> values = varying(pool, matches, match).values;
    if (values.empty()) continue;
    const Passage& passage = *pool.passages[matches.candidate[match]];
    const Time* time = main_time(passage, passage.statements[matches.statement[match]]);
    const auto [found, is_new] =
        places.try_emplace(matches.matched[match] & of_relation, wordings.size());
    if (is_new) wordings.emplace_back();
    wordings[found->second].push_back({match, &passage, time, std::move(values)});
  }
  return wordings;
}

/// Whether few statements of a wording contradict those of the series.
bool agrees(const Wording& wording, const std::vector<const Stating*>& series) {
  const double most = most_conflicts * static_cast<double>(wording.size());
  double conflicts = 0;
  for (const Stating& one : wording) {
    const bool conflicts_with_any = std::any_of(
        series.begin(), series.end(), [&](const Stating* other) { return conflict(one, *other); });
    if (conflicts_with_any && ++conflicts > most) return false;
  }
  return true;
}

/// By match, 1 of those that may be one series in whatever words; none of a question without names.
std::vector<std::uint8_t> merged_wordings(const Pool& pool, const Matches& matches) {
  std::vector<std::uint8_t> merged(matches.size());
  if (pool.question.names.empty()) return merged;
  std::vector<Wording> wordings = wordings_of(pool, matches);
  const auto missing = [&](const Wording& of) {
    return matches.row(of.front().match)[rarity_missing];
  };
  std::stable_sort(wordings.begin(), wordings.end(), [&](const Wording& a, const Wording& b) {
    return missing(a) != missing(b) ? missing(a) < missing(b) : a.size() > b.size();
  });
  std::vector<const Stating*> series;
  for (const Wording& wording : wordings) {
    if (!series.empty() && !agrees(wording, series)) continue;
    for (const Stating& each : wording) {
      series.push_back(&each);
      merged[each.match] = 1;
    }
  }
  return merged;
}

/// A member by content, with what is read of it for each that it may restate.
struct Row {
  bool is_dated;
  double start, end;  // of its time; of an undated one its subject and 0
  double published_at;
  std::uint32_t member, match, subject;
  std::int32_t matched;

  auto key() const { return std::tie(is_dated, start, end); }
};

/// Rows of a column.
struct Found {
  std::uint32_t from = 0, to = 0;
  bool empty() const { return from == to; }
};

class Restating {
 public:
  Restating(Members& members, const Pool& pool, const Matches& matches, const Asked& asked,
            TermSets& sets)
      : members_(members),
        pool_(pool),
        matches_(matches),
        asked_(asked),
        sets_(sets),
        subjects_(subjects_of(pool)),
        names_and_values_(bits_of(pool.question, true)),
        set_of_(matches.size(), no_set) {}

  void put() {
    found_.resize(members_.match.size());
    put_rows();
    for (std::size_t from = 0; from < rows_.size();) {
      std::size_t to = from + 1;
      while (to < rows_.size() && rows_[to].key() == rows_[from].key()) ++to;
      const std::span group = std::span(rows_).subspan(from, to - from);
      for (const Row& row : group) find(row, group);
      from = to;
    }
    write();
  }

 private:
  static constexpr std::uint32_t no_set = ~0u;

  const Statement& statement_of(std::uint32_t match) const {
    return pool_.passages[matches_.candidate[match]]->statements[matches_.statement[match]];
  }

  std::uint32_t terms_of(std::uint32_t match) {
    if (set_of_[match] == no_set) {
      const Passage& passage = *pool_.passages[matches_.candidate[match]];
      set_of_[match] = sets_.add(passage.words_of(statement_of(match)), true);
    }
    return set_of_[match];
  }

  /// Members that may be restated, by their time or subject, the newest first.
  void put_rows() {
    for (std::uint32_t at = 0; at < members_.match.size(); ++at) {
      const std::uint32_t match = members_.match[at];
      const double published_at = pool_.passages[matches_.candidate[match]]->published_at;
      if (members_.interpretation[at] == 1 || std::isnan(published_at)) continue;
      const Time& time = members_.times[at];
      const bool is_dated =
          members_.has_time[at] != 0 && time.source != Source::published && !asked_.is_when;
      // What states no time, or another where that is asked for, is revised under the same title.
      const std::uint32_t subject = subjects_[matches_.candidate[match]];
      if (!is_dated && subject == 0) continue;
      const auto [start, end] =
          is_dated ? std::pair(time.start, time.end) : std::pair<double, double>(subject, 0);
      rows_.push_back(
          {is_dated, start, end, published_at, at, match, subject, matches_.matched[match]});
    }
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      return std::tie(a.is_dated, a.start, a.end, b.published_at, a.member) <
             std::tie(b.is_dated, b.start, b.end, a.published_at, b.member);
    });
  }

  /// Finds the restatements of a row among those of its time or subject.
  void find(const Row& own, std::span<const Row> group) {
    const bool is_day = own.is_dated && own.end - own.start <= 2 * timetag::day_ms;
    // Of one day, the names suffice; of a longer time, it has to say as much of the question.
    const std::int32_t needed =
        own.matched & (is_day && names_and_values_ != 0 ? names_and_values_ : -1);
    const auto from = static_cast<std::uint32_t>(later_.size());
    std::size_t compared = 0;
    for (const Row& row : group.first(std::min(group.size(), most_read))) {
      if (compared == most_compared || row.published_at <= own.published_at) break;
      if ((row.matched & needed) != needed) continue;
      if (!own.is_dated && row.published_at >= asked_.operator_window.end) continue;
      ++compared;
      const bool is_revised = is_revision(own, row);
      const bool same_series = is_revised || (is_day && are_merged(own.match, row.match));
      if (own.is_dated || is_revised) later_.push_back({row.member, same_series});
    }
    found_[own.member] = {from, static_cast<std::uint32_t>(later_.size())};
  }

  /// Whether a statement has mostly the words of another, under the same title. Without a title,
  /// the question's names say what both are about.
  bool is_revision(const Row& one, const Row& other) {
    if (one.subject != other.subject) return false;
    if (one.subject == 0 && pool_.question.names.empty()) return false;
    return sets_.are_mostly_alike(terms_of(one.match), terms_of(other.match));
  }

  bool are_merged(std::uint32_t one, std::uint32_t other) {
    if (merged_.empty()) merged_ = merged_wordings(pool_, matches_);
    return merged_[one] != 0 && merged_[other] != 0;
  }

  /// Writes what was found by member. A passage as a whole is restated with any of its sentences:
  /// where nothing restates it at one of its times, with what does at another.
  void write() {
    std::vector<Found> of_whole(matches_.size());
    for (std::size_t at = 0; at < found_.size(); ++at) {
      const std::uint32_t match = members_.match[at];
      if (!found_[at].empty() && statement_of(match).whole) of_whole[match] = found_[at];
    }
    members_.restatement_ends.reserve(found_.size());
    auto& all = members_.restatements;
    for (std::size_t at = 0; at < found_.size(); ++at) {
      const bool is_own = !found_[at].empty() || members_.interpretation[at] == 1;
      const auto [from, to] = is_own ? found_[at] : of_whole[members_.match[at]];
      all.insert(all.end(), later_.begin() + from, later_.begin() + to);
      members_.restatement_ends.push_back(static_cast<std::uint32_t>(all.size()));
    }
  }

  Members& members_;
  const Pool& pool_;
  const Matches& matches_;
  const Asked& asked_;
  TermSets& sets_;
  const std::vector<std::uint32_t> subjects_;
  const std::int32_t names_and_values_;
  std::vector<std::uint32_t> set_of_;  // by match
  std::vector<std::uint8_t> merged_;   // by match, once it is asked for
  std::vector<Row> rows_;
  std::vector<Restatement> later_;
  std::vector<Found> found_;  // by member: of `later_`
};

}  // namespace

void put_restatements(Members& members, const Pool& pool, const Matches& matches,
                      const Asked& asked, TermSets& sets) {
  Restating(members, pool, matches, asked, sets).put();
}

}  // namespace asof::facts
