// Words and statements of passages.
#include "statements/reading.hpp"

#include <algorithm>
#include <utility>

namespace asof::statements {
namespace {

/// Words up to which a passage is one statement.
constexpr std::uint32_t short_passage = 60;

std::u16string_view at(std::u16string_view text, Span span) {
  return text.substr(span.start, span.end - span.start);
}

/// Whether a word may go on with a name that the word before it belongs to.
bool joins_before(std::u16string_view text, std::uint32_t end, std::uint32_t start) {
  if (start < end) return joins_name({});
  return (start == end + 1 && text[end] == u' ') || joins_name(text.substr(end, start - end));
}

/// Appends the times of a sentence, or the main ones of the last that has any.
class TimesOfSentences {
 public:
  explicit TimesOfSentences(Passage& passage) : passage_(passage) {}

  void append(std::span<const Time> own, Statement& statement) {
    std::vector<Time>& times = passage_.times;
    statement.times_from = static_cast<std::uint32_t>(times.size());
    if (own.empty()) {
      times.insert(times.end(), main_.begin(), main_.end());
    } else {
      times.insert(times.end(), own.begin(), own.end());
      main_.clear();
      for (Time time : own) {
        if (time.source != Source::own) continue;
        time.source = Source::previous;
        main_.push_back(time);
      }
    }
    statement.times_to = static_cast<std::uint32_t>(times.size());
  }

 private:
  Passage& passage_;
  std::vector<Time> main_;
};

/// The passage as one statement: every time of its sentences once, the first as its own.
Statement whole_passage(Passage& passage) {
  Statement statement{.from = 0, .to = passage.text_end, .end = passage.text_units};
  statement.whole = true;
  const std::size_t from = passage.times.size();
  for (std::size_t i = 0; i < from; ++i) {
    Time time = passage.times[i];
    const auto same = [&](const Time& other) {
      return other.start == time.start && other.end == time.end;
    };
    const auto own = passage.times.begin() + static_cast<std::ptrdiff_t>(from);
    if (time.source == Source::previous || std::any_of(own, passage.times.end(), same)) continue;
    if (time.source == Source::own && own != passage.times.end()) time.source = Source::later;
    passage.times.push_back(time);
  }
  statement.times_from = static_cast<std::uint32_t>(from);
  statement.times_to = static_cast<std::uint32_t>(passage.times.size());
  return statement;
}

Statement title_statement(Passage& passage) {
  Statement statement{.from = 0,
                      .to = static_cast<std::uint32_t>(passage.title.words.size()),
                      .end = passage.title_units};
  statement.title = true;
  statement.times_from = static_cast<std::uint32_t>(passage.times.size());
  for (Time time : passage.title_times) {
    time.source = Source::own;
    passage.times.push_back(time);
  }
  statement.times_to = static_cast<std::uint32_t>(passage.times.size());
  return statement;
}

/// No words are read in dates.
Words read_words(const Readings& readings, const SourceText& source,
                 std::span<const Span> sentences, std::span<const Span> dates) {
  const Lexicon& lexicon = readings.lexicon;
  Words words;
  std::size_t sentence = 0, date = 0, opened = sentences.size() + 1;
  std::uint32_t before = 0;
  for (std::size_t nth = 0; nth < source.spans.size(); ++nth) {
    const Span& span = source.spans[nth];
    const Entry& entry = readings.entries[source.words[nth]];
    if (entry.all == 0) continue;
    words.length += entry.all;
    while (sentence < sentences.size() && sentences[sentence].end <= span.start) ++sentence;
    while (date < dates.size() && dates[date].end <= span.start) ++date;
    const bool opens = opened != sentence;
    opened = sentence;
    if (date < dates.size() && dates[date].start < span.start + entry.length) continue;
    for (std::uint32_t word = entry.first; word < entry.first + entry.content; ++word) {
      const std::uint32_t start = span.start + lexicon.offsets[word];
      words.joins.push_back(!words.words.empty() && joins_before(source.text, before, start));
      words.words.push_back(word);
      words.starts.push_back(start);
      words.opens.push_back(opens);
      before = start + lexicon.lengths[word];
    }
  }
  return words;
}

}  // namespace

void TextGroup::add(SourceText& text) {
  text.words.reserve(text.spans.size());
  for (const Span& span : text.spans) {
    const std::u16string_view written = at(text.text, span);
    const auto known = numbers_.find(written, words_);
    text.words.push_back(known ? *known : static_cast<std::uint32_t>(words_.size()));
    if (known) continue;
    numbers_.reserve();
    words_.push_back(written);
    numbers_.add(written);
  }
  text.first_mention = has_offset_.size();
  for (const timetag::Mention& each : text.tags.mentions) {
    bounds_.insert(bounds_.end(), {each.start_ms, each.end_ms});
    has_offset_.push_back(each.has_offset);
  }
}

void scan(SourcePassage& passage) {
  for (SourceText* each : {&passage.text, &passage.title}) {
    each->tag(passage.reference);
    written_words(each->text, each->spans);
  }
}

Passage read_passage(const Readings& readings, const SourcePassage& passage) {
  const auto& [text, title, sentences, reference, published_at] = passage;
  const std::vector<TimeMention> mentions = text.mentions(readings.instants);
  const std::vector<TimeMention> of_title = title.mentions(readings.instants);
  const Span whole_title = {0, static_cast<std::uint32_t>(title.text.size())};
  const auto read = [&](const SourceText& of, std::span<const Span> parts,
                        std::span<const TimeMention> dated) {
    return read_words(readings, of, parts, dates_of(dated));
  };
  return assemble(readings.lexicon,
                  {.text = read(text, sentences, mentions),
                   .title = read(title, {&whole_title, 1}, of_title),
                   .text_units = static_cast<std::uint32_t>(text.text.size()),
                   .title_units = whole_title.end,
                   .sentences = sentences,
                   .times = sentence_times(text.text, sentences, mentions, published_at),
                   .title_times = title_times(of_title)});
}

Passage assemble(const Lexicon& lexicon, PassageParts parts) {
  Passage passage;
  passage.text = std::move(parts.text);
  passage.title = std::move(parts.title);
  passage.title_times = std::move(parts.title_times);
  passage.text_units = parts.text_units;
  passage.title_units = parts.title_units;
  TimesOfSentences times(passage);
  std::uint32_t from = 0, time = 0;
  for (std::size_t nth = 0; nth < parts.sentences.size(); ++nth) {
    Statement statement{.start = parts.sentences[nth].start, .end = parts.sentences[nth].end};
    statement.from = from;
    while (from < passage.text.starts.size() && passage.text.starts[from] < statement.end) ++from;
    statement.to = from;
    const std::uint32_t end = parts.times.ends[nth];
    times.append(std::span(parts.times.times).subspan(time, end - time), statement);
    time = end;
    passage.statements.push_back(statement);
  }
  passage.text_end = from;
  if (parts.sentences.size() > 1 && passage.text.length <= short_passage)
    passage.statements.push_back(whole_passage(passage));
  const bool has_value = std::any_of(passage.title.words.begin(), passage.title.words.end(),
                                     [&](std::uint32_t word) { return lexicon.values[word] != 0; });
  if (!passage.title_times.empty() || has_value) {
    if (passage.text.length == 0) passage.statements.clear();
    passage.statements.push_back(title_statement(passage));
  }
  return passage;
}

}  // namespace asof::statements
