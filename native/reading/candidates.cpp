// Sentences of passages, and the candidates in them.
#include "reading/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "text/analyzer.hpp"

namespace asof::reading {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// A passage with what is found in its text.
struct Passage {
  const ReadPassage& source;
  std::uint32_t rank;
  std::vector<std::uint8_t> kinds;
  Text text;
  timetag::Tags tags;
  Breaks breaks;
  PassageDates dates;
  std::vector<Sentence> sentences;  // the title first, where there is one
  std::vector<bool> in_title;       // the question's words, by place

  Passage(const ReadPassage& read, std::uint32_t at)
      : source(read),
        rank(at),
        kinds(kinds_in(read.text)),
        text{read.text, kinds.data()},
        tags(tags_in(read)),
        breaks(text),
        dates(text, tags, read.instants, read.published) {}
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

  Text text_of(const Span& span) const { return text.part(span.start, span.end); }

 private:
  static std::vector<std::uint8_t> kinds_in(std::u16string_view text) {
    std::vector<std::uint8_t> kinds;
    kinds_of(text, kinds);
    return kinds;
  }
  static timetag::Tags tags_in(const ReadPassage& read) {
    timetag::Tags tags;
    timetag::tag(read.text, read.reference, timetag::Mode::automatic, tags);
    if (!read.instants.empty() && read.instants.size() != 4 * tags.mentions.size())
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected instants to be those of all times of the passages, received others.");
    return tags;
  }
};

/// The question's words in a sentence: letters and digits, with signs inside ("4.2.1").
void find_said(const Text& text, Sentence& sentence, QuestionWords& words) {
  for (std::size_t at = sentence.start; at < sentence.end;) {
    const Text part = text.part(0, sentence.end);
    std::size_t end = at;
    while (part.is(end, alphanumeric | mark)) ++end;
    while (end > at && part.is_one_of(end, u"._/-") && part.is(end + 1, alphanumeric)) {
      ++end;
      while (part.is(end, alphanumeric)) ++end;
    }
    if (end > at)
      for (const std::uint32_t place : words.places_of(text.words(at, end)))
        sentence.said.push_back(
            {{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)}, place});
    at = std::max(end, at + 1);
  }
}

class Reader {
 public:
  Reader(const Question& question, const std::vector<ReadPassage>& sources, const Cancel& cancel)
      : question_(question), cancel_(cancel), words_(question) {
    for (const ReadPassage& each : sources) read(each);
    find_shares();
    std::vector<Text> texts;
    texts.reserve(passages_.size());
    for (const Passage& each : passages_) texts.push_back(each.text);
    variation_.emplace(texts);
  }

  Candidates candidates() {
    for (const Passage& passage : passages_) {
      const std::size_t about = about_of(passage);
      for (const Sentence& sentence : passage.sentences) {
        cancel_.throw_if_requested();
        const bool is_read_with_other = sentence.is_title && about != none;
        add_spans(passage, sentence, is_read_with_other ? passage.sentences[about] : sentence);
      }
      if (about != none) add_publication(passage, passage.sentences[about]);
    }
    return std::move(found_);
  }

 private:
  void read(const ReadPassage& source) {
    cancel_.throw_if_requested();
    Passage& passage = passages_.emplace_back(source, static_cast<std::uint32_t>(passages_.size()));
    if (source.title_end > 0) passage.sentences.push_back({{0, source.title_end}, true, {}, 0});
    for (const Span& each : source.sentences) passage.sentences.push_back({each, false, {}, 0});
    for (Sentence& each : passage.sentences) find_said(passage.text, each, words_);
    passage.in_title.resize(question_.stems.size());
    for (const std::u16string& term : text::analyze(passage.text.words(0, source.title_end))) {
      const auto place = question_.places.find(term);
      if (place != question_.places.end() && question_.stems[place->second] == term)
        passage.in_title[place->second] = true;
    }
  }

  /// Of each word by how few of the sentences have it.
  void find_shares() {
    std::vector<std::uint32_t> holding(question_.stems.size());
    std::vector<const Sentence*> last(question_.stems.size());
    std::size_t sentences = 0;
    for (const Passage& passage : passages_)
      for (const Sentence& each : passage.sentences) {
        if (each.is_title) continue;
        ++sentences;
        for (const SaidWord& said : each.said) {
          if (last[said.place] != &each) ++holding[said.place];
          last[said.place] = &each;
        }
      }
    double total = 0;
    for (const std::uint32_t count : holding) {
      shares_.push_back(std::log(1 + static_cast<double>(sentences + 1) / (count + 0.5)));
      total += shares_.back();
    }
    for (double& share : shares_) share /= total;
    for (Passage& passage : passages_)
      for (Sentence& each : passage.sentences) each.with_title = overlap_of(each, passage);
  }

  double overlap_of(const Sentence& sentence, const Passage& passage) const {
    std::vector<bool> held = passage.in_title;
    for (const SaidWord& each : sentence.said) held[each.place] = true;
    double sum = 0;
    for (std::size_t place = 0; place < held.size(); ++place)
      if (held[place]) sum += shares_[place];
    return sum;
  }

  /// The sentence of a passage that has most of the question, which its title is read with.
  std::size_t about_of(const Passage& passage) const {
    std::size_t best = none;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < passage.sentences.size(); ++at) {
      const Sentence& sentence = passage.sentences[at];
      if (sentence.is_title) continue;
      const auto date = passage.dates.date_of(sentence, sentence, passage.breaks);
      double fit = sentence.with_title;
      switch (fit_of(date, question_.time).first) {
        case Fit::inside:
          fit += 1;
          break;
        case Fit::holds:
          fit += 0.5;
          break;
        case Fit::outside:
          fit -= 1;
          break;
        default:
          break;
      }
      if (fit <= most) continue;
      best = at;
      most = fit;
    }
    return best;
  }

  void add_spans(const Passage& passage, const Sentence& sentence, const Sentence& context) {
    const Text text = passage.text_of(sentence);
    passage.dates.times_in(sentence, times_);
    for (Span& each : times_) each = {each.start - sentence.start, each.end - sentence.start};
    spans_of(text, times_, spans_);
    const Surroundings around = {sentence, text,         passage.breaks,
                                 shares_,  passage.rank, context.with_title};
    const auto date_of_context = passage.dates.date_of(context, context, passage.breaks);
    for (const TextSpan& span : spans_) {
      const Text words = text.part(span.start, span.end);
      if (!words.has(alphanumeric)) continue;
      const Span place = {span.start + sentence.start, span.end + sentence.start};
      auto date = passage.dates.date_of(place, sentence, passage.breaks);
      if (!date) date = date_of_context;
      add_features(around, span, words_, found_.features);
      add_features(variation_->of(passage.rank, place), found_.features);
      add_features(date, question_.time, found_.features);
      std::u16string_view said = words.units;
      if (span.form == Form::date) {
        std::u16string meant = passage.dates.words_of(place, sentence);
        if (meant != said) said = found_.dates.emplace_back(std::move(meant));
      }
      push({place, passage.rank, span.form, said, passage.text_of(context).units});
    }
  }

  /// The day on which a passage was published, as when what it tells of happened.
  void add_publication(const Passage& passage, const Sentence& about) {
    if (!question_.asks_date || std::isnan(passage.source.reference)) return;
    add_features_of_publication(passage.rank, about.with_title, found_.features);
    const std::u16string& day = found_.dates.emplace_back(
        written_date(passage.source.reference, timetag::Granularity::day));
    push({{about.start, about.start}, passage.rank, Form::date, day, passage.text_of(about).units});
  }

  void push(const Candidate& candidate) {
    found_.all.push_back(candidate);
    found_.feature_ends.push_back(found_.features.size());
  }

  const Question& question_;
  const Cancel& cancel_;
  QuestionWords words_;
  std::deque<Passage> passages_;
  std::vector<double> shares_;
  std::optional<Variation> variation_;
  std::vector<Span> times_;
  std::vector<TextSpan> spans_;
  Candidates found_;
};

}  // namespace

Candidates candidates_of(const Question& question, const std::vector<ReadPassage>& passages,
                         const Cancel& cancel) {
  return Reader(question, passages, cancel).candidates();
}

}  // namespace asof::reading
