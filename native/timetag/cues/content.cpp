// Which dates of a passage it tells of: not those that only state when it was published, "the
// forecast issued on 3 May", or what an earlier report was of.
#include <algorithm>
#include <cmath>
#include <limits>

#include "timetag/civil.hpp"
#include "timetag/cues/cues.hpp"
#include "timetag/cues/words.hpp"

namespace asof::timetag {
namespace {

constexpr std::string_view report_nouns =
    "forecast|forecasts|outlook|outlooks|report|reports|estimate|estimates|figure|figures|count|"
    "counts|number|numbers|statement|statements|article|articles|bulletin|bulletins|warning|"
    "warnings|advisory|advisories|prediction|predictions|projection|projections|data|news|update|"
    "updates|revision|revisions|version|versions|total|totals";
constexpr std::string_view issuing_verbs = " published issued released announced posted updated ";
// Too common alone: their date is one only on the passage's own publication day.
constexpr std::string_view report_verbs =
    " said says told stated wrote announced published issued released posted updated reported "
    "predicted projected dated filed dispatched ";
constexpr std::string_view issued_nouns =
    " bulletin update report statement forecast outlook advisory warning dispatch release notice "
    "briefing message edition revision projection ";

constexpr std::string_view distance_words =
    " just only exactly about a an one two three four five six seven ten some several few hour "
    "hours day days week weeks month months year years prior earlier before later after previous "
    "previously the ";

// Units before and after a date in which its cues stand.
constexpr std::size_t reach_of_apposition = 48, reach_of_issue = 24, reach_before = 32,
                      reach_after = 24;

// Of a zone whose clock was put back in it by two hours at most.
constexpr double longest_month = 31 * day_ms + 2 * 3'600'000;

bool is_another_day(const DatedMention& other, const DatedMention& date) {
  return (other.start_ms != date.start_ms || other.end_ms != date.end_ms) &&
         other.end_ms - other.start_ms <= longest_month;
}

/// Reads words from the end of a text to its beginning.
class Backwards {
 public:
  explicit Backwards(std::string_view text) : words_(text), at_(text.size()), i_(words_.size()) {}
  void skip(std::string_view signs) {
    while (at_ > 0 && signs.find(words_.at(at_ - 1)) != std::string_view::npos) --at_;
  }
  bool skip_one(char sign) {
    const bool stands = at_ > 0 && words_.at(at_ - 1) == sign;
    if (stands) --at_;
    return stands;
  }
  /// The word that ends here, in lower case; empty where none does.
  std::string_view word() const {
    return i_ > 0 && words_.end(i_ - 1) == at_ ? words_[i_ - 1] : std::string_view();
  }
  /// Passes a word of a list, and the one space before it.
  bool take(std::string_view list) {
    const std::size_t begin = i_ > 0 ? words_.begin(i_ - 1) : 0;
    if (!one_of(list, word()) || begin == 0 || words_.at(begin - 1) != ' ') return false;
    at_ = begin - 1;
    --i_;
    return true;
  }

 private:
  Words words_;
  std::size_t at_, i_;
};

constexpr std::string_view blanks = " \t\n\v\f\r", blanks_and_signs = " \t\n\v\f\r,(";

/// A sentence with what its dates have in common.
class Sentence {
 public:
  Sentence(std::string_view text, std::vector<DatedMention> mentions)
      : text_(text), mentions_(std::move(mentions)) {
    for (const DatedMention& each : mentions_)
      if (each.end_ms - each.start_ms <= longest_month) latest_ = std::max(latest_, each.start_ms);
  }

  const std::vector<DatedMention>& mentions() const { return mentions_; }

  /// Whether the words right before say that a report was issued.
  bool is_publication(const DatedMention& date) {
    Backwards words(before(date, reach_of_issue));
    words.skip(blanks);
    words.skip_one(',');
    if (!one_of(issuing_verbs, words.word()) &&
        !(words.take(" on at in by as late early ") && one_of(issuing_verbs, words.word())) &&
        !is_apposed(date))
      return false;
    if (reports_ < 0) reports_ = Words(text_).has(report_nouns) ? 1 : 0;
    return reports_ == 1;
  }

  /// "Officials said on 3 May", "bulletin of 3 May", "(3 May update)".
  bool is_of_report(const DatedMention& date) const {
    return follows_verb(date) || follows_noun(date) || precedes_noun(date);
  }

  /// "3 May: rain on 4 May"
  bool is_dateline(const DatedMention& date) const {
    const std::string_view after = text_.substr(date.end, reach_after);
    std::size_t at = after.starts_with(')') ? 1 : 0;
    while (at < after.size() && is_blank(after[at])) ++at;
    return at < after.size() && (after[at] == ':' || after[at] == wide_dash) &&
           latest_ >= date.end_ms;
  }

  bool follows_noun(const DatedMention& date) const {
    const std::string text = with_preposition(date);
    Backwards words(text);
    words.skip(blanks_and_signs);
    if (!words.take(" on of from ")) return false;
    words.skip_one(',');
    return is_issued(words.word());
  }

  bool precedes_noun(const DatedMention& date) const {
    const std::string_view after = text_.substr(date.end, reach_after);
    std::size_t at = 0;
    while (at < 3 && at < after.size() &&
           (is_blank(after[at]) || after[at] == ')' || after[at] == '-'))
      ++at;
    const Words words(after.substr(at));
    return words.begin(0) == 0 && one_of(issued_nouns, words[0]);
  }

  /// "This takes the place of what was said on 3 May."
  bool is_of_earlier_report(const DatedMention& date) const {
    const std::string text = with_preposition(date);
    const Words words(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t end = words.any_phrase(
          i,
          "what was said|stated|announced|reported|published|forecast|predicted on|in|at?,"
          "what had|has been said|stated|announced|reported|published|forecast|predicted "
          "on|in|at?");
      if (end > 0 && text.find_first_not_of(blanks, end) == std::string::npos) return true;
    }
    return false;
  }

 private:
  /// "issued just one day prior, on 3 May"
  bool is_apposed(const DatedMention& date) const {
    Backwards words(before(date, reach_of_apposition));
    words.skip(blanks);
    words.take(" on ");
    if (!words.skip_one(',')) return false;
    while (words.take(distance_words)) {
    }
    return one_of(issuing_verbs, words.word());
  }

  static bool is_issued(std::string_view word) {
    return one_of(issued_nouns, word) ||
           (word.ends_with('s') && one_of(issued_nouns, word.substr(0, word.size() - 1)));
  }

  bool follows_verb(const DatedMention& date) const {
    const std::string text = with_preposition(date);
    Backwards words(text);
    words.skip(blanks_and_signs);
    words.take(" on at of ");
    words.skip_one(',');
    words.take(" late early ");
    return one_of(report_verbs, words.word());
  }

  std::string_view before(const DatedMention& date, std::size_t reach) const {
    const std::size_t from = date.start - std::min<std::size_t>(date.start, reach);
    return text_.substr(from, date.start - from);
  }
  /// The words before a date, and its own preposition.
  std::string with_preposition(const DatedMention& date) const {
    std::string words(before(date, reach_before));
    const Words own(text_.substr(date.start, std::min<std::size_t>(date.end - date.start, 5)));
    if (own.begin(0) == 0 && one_of(" on at from ", own[0])) words += own[0];
    return words;
  }

  std::string_view text_;
  std::vector<DatedMention> mentions_;
  double latest_ = -std::numeric_limits<double>::infinity();
  int reports_ = -1;  // whether it has a noun of a report: unknown at first
};

/// The first two distinct intervals of at most a month: they tell of any day whether there is
/// another one, as all would.
class Days {
 public:
  void add(const DatedMention& date) {
    if (date.end_ms - date.start_ms > longest_month) return;
    if (days_.empty() || (days_.size() == 1 && is_another_day(date, days_[0])))
      days_.push_back(date);
  }
  bool have_another(const DatedMention& date) const {
    return std::any_of(days_.begin(), days_.end(),
                       [&](const DatedMention& each) { return is_another_day(each, date); });
  }

 private:
  std::vector<DatedMention> days_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> content_mentions(std::u16string_view text,
                                                         std::span<const std::uint32_t> sentences,
                                                         std::span<const DatedMention> mentions,
                                                         double published_ms) {
  const std::string narrow = narrowed(text);
  const auto is_publication_day = [&](const DatedMention& date) {
    return date.is_day && published_ms >= date.start_ms && published_ms < date.end_ms;
  };
  std::vector<std::vector<std::uint32_t>> contents;
  std::vector<Sentence> all;
  Days days;
  std::size_t next = 0, dated = 0;
  for (std::size_t s = 0; s + 1 < sentences.size(); s += 2) {
    const std::uint32_t begin = sentences[s], end = sentences[s + 1];
    while (next < mentions.size() && mentions[next].start < begin) ++next;
    const std::size_t first = next;
    std::vector<DatedMention> own;
    Days own_days;
    for (; next < mentions.size() && mentions[next].start < end; ++next) {
      own.push_back(mentions[next]);
      own.back().start -= begin;
      own.back().end = std::min(own.back().end, end) - begin;
      own_days.add(own.back());
    }
    Sentence& sentence =
        all.emplace_back(std::string_view(narrow).substr(begin, end - begin), std::move(own));
    std::vector<std::uint32_t> content;
    const auto put = [&](std::size_t i) { content.push_back(static_cast<std::uint32_t>(i)); };
    for (std::size_t i = 0; i < sentence.mentions().size(); ++i) {
      const DatedMention& date = sentence.mentions()[i];
      const bool is_issue = is_publication_day(date) && own_days.have_another(date) &&
                            (sentence.is_of_report(date) || sentence.is_dateline(date));
      if (!is_issue && !sentence.is_publication(date)) put(first + i);
    }
    if (content.empty())
      for (std::size_t i = first; i < next; ++i) put(i);
    // Distinct intervals, each where it comes first.
    std::stable_sort(content.begin(), content.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(mentions[a].start_ms, mentions[a].end_ms) <
             std::pair(mentions[b].start_ms, mentions[b].end_ms);
    });
    content.erase(std::unique(content.begin(), content.end(),
                              [&](std::uint32_t a, std::uint32_t b) {
                                return mentions[a].start_ms == mentions[b].start_ms &&
                                       mentions[a].end_ms == mentions[b].end_ms;
                              }),
                  content.end());
    std::sort(content.begin(), content.end());
    for (const std::uint32_t i : content) days.add(mentions[i]);
    dated += content.empty() ? 0 : 1;
    contents.push_back(std::move(content));
  }
  if (std::isnan(published_ms) || dated < 2) return contents;
  for (std::size_t s = 0; s < contents.size(); ++s) {
    if (contents[s].size() != 1) continue;
    const DatedMention& only = mentions[contents[s][0]];
    Sentence& sentence = all[s];
    const DatedMention& date =
        *std::find_if(sentence.mentions().begin(), sentence.mentions().end(),
                      [&](const DatedMention& each) { return each.start_ms == only.start_ms; });
    const bool is_heading = is_publication_day(only) && days.have_another(only) &&
                            (sentence.follows_noun(date) || sentence.precedes_noun(date) ||
                             sentence.is_publication(date));
    if (is_heading || (only.end_ms <= published_ms && sentence.is_of_earlier_report(date)))
      contents[s].clear();
  }
  return contents;
}

}  // namespace asof::timetag
