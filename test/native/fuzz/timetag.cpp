// Fuzzes the tagger and the times of sentences: random and mutated texts, references and modes,
// with what must hold of every result checked. It shows that nothing crashes, hangs or looks at
// more tokens than a fixed multiple of those there are; not that a reading is right. A text that is
// run again has its mentions printed.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "fuzz/driver.hpp"
#include "fuzz/text.hpp"
#include "statements/times.hpp"
#include "timetag/cues/cues.hpp"
#include "timetag/mentions/mentions.hpp"

using namespace asof::timetag;

namespace {

std::u16string text;
std::uint64_t most_looks = 0;  // a token, over all texts

constexpr std::uint64_t looks_a_token = 1000;

double reference_of(fuzz::Random& random) {
  switch (random.below(8)) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return 8.64e15;
    case 2:
      return -8.64e15;
    case 3:
      return random.one_in(2) ? std::numeric_limits<double>::infinity() : -1e300;
    case 4:
      return (static_cast<double>(random.next() % 20001) / 10000 - 1) * 8.64e15;
    default:
      return static_cast<double>(random.next() % 4'000'000'000'000ull) - 1e12;
  }
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

void check_mention(const Mention& mention, std::size_t floor) {
  CHECK(mention.start >= floor && mention.start < mention.end && mention.end <= text.size());
  CHECK(std::isnan(mention.start_ms) == std::isnan(mention.end_ms));
  if (!std::isnan(mention.start_ms))
    CHECK(std::isfinite(mention.start_ms) && std::isfinite(mention.end_ms) &&
          mention.start_ms < mention.end_ms);
  CHECK(mention.granularity <= Granularity::millennium && mention.relation <= Relation::since);
  CHECK(mention.confidence >= 0 && mention.confidence <= 1);
  CHECK(mention.timexes > 0);
}

void check_timex(const Timex& timex, const Mention& mention, std::size_t floor) {
  CHECK(timex.start >= floor && timex.start < timex.end && timex.end <= mention.end);
  CHECK(timex.type <= TimexType::set);
  if (timex.type >= TimexType::duration)
    CHECK(std::isnan(mention.start_ms) && mention.relation == Relation::none);
  CHECK(!timex.value.empty());
  for (char each : timex.value)
    CHECK(each > 32 && each < 127);  // the boundary parts values by line ends
}

void check_tags(const Tags& tags, bool prints) {
  std::size_t floor = 0, next = 0;
  for (const Mention& mention : tags.mentions) {
    if (prints)
      std::printf("%u..%u %g %g, relation %d, granularity %d\n", mention.start, mention.end,
                  mention.start_ms, mention.end_ms, static_cast<int>(mention.relation),
                  static_cast<int>(mention.granularity));
    check_mention(mention, floor);
    floor = mention.start;
    CHECK(next + mention.timexes <= tags.timexes.size());
    for (std::uint32_t k = 0; k < mention.timexes; ++k, ++next) {
      const Timex& timex = tags.timexes[next];
      if (prints) std::printf("  %u..%u %s\n", timex.start, timex.end, timex.value.c_str());
      check_timex(timex, mention, floor);
      floor = timex.end;
    }
    floor = mention.end;
  }
  CHECK(next == tags.timexes.size());
}

void check_same(const Tags& one, const Tags& other) {
  CHECK(one.mentions.size() == other.mentions.size() && one.timexes.size() == other.timexes.size());
  for (std::size_t i = 0; i < one.mentions.size(); ++i) {
    const Mention &a = one.mentions[i], &b = other.mentions[i];
    CHECK(a.start == b.start && a.end == b.end && same(a.start_ms, b.start_ms) &&
          same(a.end_ms, b.end_ms) && a.relation == b.relation);
  }
  for (std::size_t i = 0; i < one.timexes.size(); ++i)
    CHECK(one.timexes[i].start == other.timexes[i].start &&
          one.timexes[i].value == other.timexes[i].value);
}

void check_looks(std::uint64_t looked, std::size_t tokens) {
  most_looks = std::max(most_looks, looked / (tokens + 1));
  CHECK(looked <= looks_a_token * (tokens + 1));
}

void check_question(double reference_ms, std::size_t tokens, bool prints) {
  static Tags tags, again;
  tags = again = Tags();
  token_reads = 0;
  CHECK(tag(text, reference_ms, Mode::question, tags) == Mode::question);
  check_looks(token_reads, tokens);
  if (prints) std::printf("as a question\n");
  check_tags(tags, prints);
  tag(text, reference_ms, Mode::question, again);
  check_same(tags, again);
}

void check_cues(const Tags& tags, double published_ms) {
  CHECK(predicate_cues(text) < 128);
  CHECK(course_of(text) <= Course::ends && calendar_unit(text) <= CalendarUnit::month);
  CHECK(as_clause(text).size() <= text.size() + 16);
  is_clause(text);
  lacks_subject(text);
  for (std::size_t at : {std::size_t{0}, text.size() / 2, text.size()})
    CHECK(with_preposition(text, at) <= at);
  for (std::int64_t year : {1, 9, 1990, -44}) CHECK(state_cue(text, year) <= StateCue::lasts);
  for (const QuerySignal& each : query_signals(text).signals)
    CHECK(each.start < each.end && each.end <= text.size() && each.kind <= SignalKind::word);
  std::vector<DatedMention> dated;
  for (const Mention& each : tags.mentions)
    if (!std::isnan(each.start_ms))
      dated.push_back(
          {each.start, each.end, each.start_ms, each.end_ms, each.granularity == Granularity::day});
  const auto half = static_cast<std::uint32_t>(text.size() / 2),
             size = static_cast<std::uint32_t>(text.size());
  const std::uint32_t sentences[] = {0, half, half, size};
  const auto contents = content_mentions(text, sentences, dated, published_ms);
  CHECK(contents.size() == 2);
  for (std::size_t i = 0; i < 2; ++i)
    for (const std::uint32_t at : contents[i])
      CHECK(at < dated.size() && (dated[at].start < half) == (i == 0));
}

/// Of both halves, in a zone whose wall clock is ahead by some hours.
void check_times(const Tags& tags, double published_ms) {
  namespace statements = asof::statements;
  const double ahead = 5 * 3'600'000.0;
  std::vector<double> instants;
  for (const Mention& each : tags.mentions)
    instants.insert(instants.end(),
                    {each.start_ms - ahead, each.end_ms - ahead, each.start_ms, each.end_ms});
  const auto mentions = statements::time_mentions(tags.mentions, tags.timexes, instants);
  CHECK(mentions.size() == tags.mentions.size());
  CHECK(statements::dates_of(mentions).size() <= mentions.size());
  for (const statements::Time& each : statements::title_times(mentions))
    CHECK(each.start < each.end && each.source == statements::Source::title);
  const auto half = static_cast<std::uint32_t>(text.size() / 2),
             size = static_cast<std::uint32_t>(text.size());
  const std::array<statements::Span, 2> sentences = {{{0, half}, {half, size}}};
  const statements::TimesOfText times =
      statements::sentence_times(text, sentences, mentions, published_ms);
  CHECK(times.ends.size() == 2 && times.ends[1] == times.times.size());
  for (std::size_t nth = 0, at = 0; nth < 2; ++nth) {
    bool has_own = at == times.ends[nth];
    for (; at < times.ends[nth]; ++at) {
      const statements::Time& each = times.times[at];
      CHECK(each.start < each.end && each.source <= statements::Source::compared);
      CHECK(each.at >= 0 && static_cast<std::uint32_t>(each.at) >= sentences[nth].start &&
            static_cast<std::uint32_t>(each.at) < sentences[nth].end);
      has_own |= each.source == statements::Source::own;
    }
    CHECK(has_own);
  }
  statements::is_comparison(text);
}

void check_text(fuzz::Random& random, bool prints) {
  static Tags tags, again, ungated;
  static std::vector<Token> tokens;
  for (Tags* each : {&tags, &again, &ungated}) *each = Tags();
  const double reference_ms = reference_of(random);
  const Mode mode = static_cast<Mode>(random.below(3));
  token_reads = 0;
  if (prints) std::printf("reference %g, mode %d\n", reference_ms, static_cast<int>(mode));
  const Mode chosen = tag(text, reference_ms, mode, tags);
  CHECK(chosen != Mode::automatic && (mode == Mode::automatic || chosen == mode));
  const std::uint64_t looked = token_reads;
  tokenize(text, tokens);
  if (prints)
    std::printf("%zu units, %zu tokens, %llu looks, %zu mentions\n", text.size(), tokens.size(),
                static_cast<unsigned long long>(looked), tags.mentions.size());
  check_looks(looked, tokens.size());
  check_tags(tags, prints);
  tag(text, reference_ms, mode, again);
  check_same(tags, again);
  check_question(reference_ms, tokens.size(), prints);
  check_cues(tags, reference_ms);
  check_times(tags, reference_ms);
  // What the trigger scan passes over must hold nothing.
  if (may_contain_time(text)) return;
  Document doc{text, tokens};  // as tag() makes it
  doc.reference_ms = reference_ms;
  doc.mode = chosen;
  read_mentions(doc, ungated);
  CHECK(ungated.mentions.empty() && ungated.timexes.empty());
}

/// A text, and the seed of its reference and mode. Written as the seed and the text in JavaScript's
/// escapes.
struct TimetagFuzzer {
  struct Input {
    std::uint64_t seed;
    std::u16string text;
  };
  const char* name = "fuzz_timetag";
  const char* holds = "nothing found";
  fuzz::Texts texts{lexicon_words()};

  Input fresh(std::uint64_t seed, std::uint64_t number) const {
    return {seed ^ (number * 0x9e3779b97f4a7c15ull), texts.make(seed, number)};
  }
  Input changed(const Input& input, const Input& other, fuzz::Random& random) const {
    Input made = input;
    if (random.one_in(4)) made.seed = random.next();
    if (random.one_in(4)) {
      const std::size_t at = random.below(other.text.size() + 1);
      made.text.insert(random.below(made.text.size() + 1),
                       other.text.substr(at, 1 + random.below(60)));
    }
    for (std::size_t left = random.below(4); left > 0; --left) texts.mutate(made.text, random);
    made.text.resize(std::min<std::size_t>(made.text.size(), 100'000));
    return made;
  }
  std::string written(const Input& input) const {
    std::string line = std::to_string(input.seed) + ' ';
    for (const char16_t unit : input.text) {
      char escaped[8] = {static_cast<char>(unit)};
      if (unit < 32 || unit > 126 || unit == '\\')
        std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(unit));
      line += escaped;
    }
    return line + '\n';
  }
  Input read(const std::string& line) const {
    const std::size_t from = line.find(' ') + 1, end = line.find('\n', from);
    Input input{std::stoull(line), {}};
    for (std::size_t at = from; at < std::min(end, line.size());) {
      const bool escaped = line[at] == '\\';
      input.text += escaped ? static_cast<char16_t>(std::stoul(line.substr(at + 2, 4), nullptr, 16))
                            : static_cast<char16_t>(line[at]);
      at += escaped ? 6 : 1;
    }
    return input;
  }
  void check(const Input& input, bool prints) const {
    text = input.text;
    fuzz::Random random(input.seed);
    check_text(random, prints);
  }
};

}  // namespace

int main(int count, char** arguments) {
  const TimetagFuzzer fuzzer;
  const int status = fuzz::Driver(fuzzer).run(count, arguments);
  std::printf("at most %llu looks a token\n", static_cast<unsigned long long>(most_looks));
  return status;
}
