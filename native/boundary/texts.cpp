// Exports that match candidate texts with a question's terms, and of the word vector table.
#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/segments.hpp"
#include "boundary/task.hpp"
#include "index/lexical/text_table.hpp"

namespace asof::boundary {
namespace {

using Words = std::shared_ptr<const lexical::WordTable>;
constexpr napi_type_tag words_tag = {0x2f6d08c1b97e4a35, 0xa4517be3c0d92f68};

Words words_of(const Napi::Value& value) {
  if (value.IsNull()) return nullptr;
  bool matches = false;
  if (value.IsExternal()) napi_check_object_type_tag(value.Env(), value, &words_tag, &matches);
  if (!matches) refuse("words", "what wordTable gave, or null", kind_of(value));
  return *value.As<Napi::External<Words>>().Data();
}

// wordTable(terms, scales, rows): WordTableHandle
Napi::Value word_table(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::vector<std::string> terms = strings(info[0], "terms");
    const std::span<std::int8_t> rows = array<std::int8_t>(info[2], "rows");
    const std::size_t dimensions = terms.empty() ? 0 : rows.size() / terms.size();
    Words words = std::make_shared<const lexical::WordTable>(
        terms, copied(array<float>(info[1], "scales")), copied(rows), dimensions);
    Napi::External<Words> handle = Napi::External<Words>::New(
        info.Env(), new Words(std::move(words)), [](Napi::Env, Words* owned) { delete owned; });
    if (napi_type_tag_object(info.Env(), handle, &words_tag) != napi_ok)
      throw Napi::Error::New(info.Env());
    return handle;
  });
}

lexical::TextQuestion question_of(const Napi::Value& value) {
  if (!value.IsObject())
    refuse("question", "an object { terms, pairs, common, counted }", kind_of(value));
  const Napi::Object given = value.As<Napi::Object>();
  lexical::TextQuestion question;
  question.terms = strings(given.Get("terms"), "terms");
  question.counted_terms = strings(given.Get("counted"), "counted");
  question.common = copied(array<std::uint32_t>(given.Get("common"), "common"));
  const std::span<std::uint32_t> pairs = array<std::uint32_t>(given.Get("pairs"), "pairs");
  if (pairs.size() % 2 != 0)
    refuse("pairs", "two places a pair", std::to_string(pairs.size()) + " numbers");
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    question.pairs.emplace_back(pairs[i], pairs[i + 1]);
  return question;
}

/// Inputs of a table.
struct Source {
  virtual ~Source() = default;
  virtual lexical::TextTable table(const lexical::TextQuestion& question,
                                   const lexical::WordTable* words, const Cancel& cancel) const = 0;
};

/// Sentences of a segment's passages, each passage's after its title.
struct StoredTexts : Source {
  std::shared_ptr<const Segment> segment;
  std::vector<std::uint32_t> passages, counts, rows;

  lexical::TextTable table(const lexical::TextQuestion& question, const lexical::WordTable* words,
                           const Cancel& cancel) const override {
    const lexical::Reader reader(*segment);
    const lexical::Forward forward(*segment, reader);
    const std::span<const std::uint32_t> row_passage =
        segment->section<std::uint32_t>(schema::row_passage);
    const lexical::Parts& parts = reader.parts();
    lexical::Texts texts;
    std::size_t next = 0;
    for (std::size_t p = 0; p < passages.size(); ++p) {
      if (passages[p] >= parts.passages)
        refuse("passages", "numbers below " + std::to_string(parts.passages),
               std::to_string(passages[p]));
      forward.title(passages[p], texts);
      for (std::uint32_t i = 0; i < counts[p]; ++i, ++next) {
        const std::uint32_t row = rows[next];
        const bool own = row >= parts.multi_sentence && row < parts.rows &&
                         row < row_passage.size() && row_passage[row] == passages[p];
        if (!own) refuse("rows", "sentences of their passages", "row " + std::to_string(row));
        forward.sentence(row, texts);
      }
    }
    const auto numbers =
        words ? words->numbers_of(segment->cache_key().number(), reader.terms()) : nullptr;
    auto word = [&](std::uint32_t term) -> std::optional<std::uint32_t> {
      std::uint32_t number = numbers->get(term);
      if (number == lexical::WordNumbers::unknown)
        numbers->set(term,
                     number = words->find(reader.term(term)).value_or(lexical::WordNumbers::none));
      return number == lexical::WordNumbers::none ? std::nullopt : std::optional(number);
    };
    return lexical::text_table(texts,
                               {[&](std::string_view term) { return reader.find(term); }, word},
                               question, words, cancel);
  }
};

/// Texts as terms, which TermRows packs.
struct GivenTexts : Source {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> offsets;
  lexical::Texts texts;

  lexical::TextTable table(const lexical::TextQuestion& question, const lexical::WordTable* words,
                           const Cancel& cancel) const override {
    auto term = [&](std::uint32_t number) {
      return std::string_view(reinterpret_cast<const char*>(bytes.data()) + offsets[number],
                              offsets[number + 1] - offsets[number]);
    };
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i + 1 < offsets.size(); ++i) numbers.emplace(term(i), i);
    auto find = [&](std::string_view text) {
      const auto number = numbers.find(text);
      return number == numbers.end() ? std::nullopt : std::optional(number->second);
    };
    return lexical::text_table(
        texts, {find, [&](std::uint32_t number) { return words->find(term(number)); }}, question,
        words, cancel);
  }
};

void check_offsets(const std::vector<std::uint32_t>& offsets, std::size_t end, const char* name) {
  const bool sound = !offsets.empty() && offsets.front() == 0 && offsets.back() == end &&
                     std::is_sorted(offsets.begin(), offsets.end());
  if (!sound) refuse(name, "ascending offsets from 0 to " + std::to_string(end), "others");
}

std::unique_ptr<Source> source_of(const Napi::Value& value) {
  if (!value.IsObject()) refuse("source", "rows of a segment, or terms", kind_of(value));
  const Napi::Object given = value.As<Napi::Object>();
  if (given.Has("segment")) {
    auto source = std::make_unique<StoredTexts>();
    source->segment = segment_of(given.Get("segment"));
    source->passages = copied(array<std::uint32_t>(given.Get("passages"), "passages"));
    source->counts =
        copied(array<std::uint32_t>(given.Get("counts"), "counts", source->passages.size()));
    std::uint64_t total = 0;
    for (const std::uint32_t count : source->counts) total += count;
    source->rows = copied(array<std::uint32_t>(given.Get("rows"), "rows", total));
    return source;
  }
  auto source = std::make_unique<GivenTexts>();
  source->bytes = copied(array<std::uint8_t>(given.Get("termBytes"), "termBytes"));
  source->offsets = copied(array<std::uint32_t>(given.Get("termOffsets"), "termOffsets"));
  check_offsets(source->offsets, source->bytes.size(), "termOffsets");
  source->texts = {copied(array<std::uint32_t>(given.Get("rowOffsets"), "rowOffsets")),
                   copied(array<std::uint32_t>(given.Get("rowTerms"), "rowTerms"))};
  check_offsets(source->texts.offsets, source->texts.terms.size(), "rowOffsets");
  for (const std::uint32_t term : source->texts.terms) {
    if (term + std::size_t{1} >= source->offsets.size())
      refuse("rowTerms", "term numbers below " + std::to_string(source->offsets.size() - 1),
             std::to_string(term));
  }
  return source;
}

// readTexts(source, question, words, cancellation?): Promise<TextTable>
Napi::Value read_texts(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    std::shared_ptr<const Source> source = source_of(info[0]);
    auto work = [source, question = question_of(info[1]), words = words_of(info[2]),
                 cancel = Cancellation::flag(info[3])] {
      return source->table(question, words.get(), cancel);
    };
    return start_task(
        info.Env(), std::move(work), [](Napi::Env env, const lexical::TextTable& table) {
          using Together = ArraysTogether;
          Together arrays(env, Together::bytes_of(table.nearest) + Together::bytes_of(table.pairs) +
                                   Together::bytes_of(table.counts) +
                                   Together::bytes_of(table.lengths) +
                                   Together::bytes_of(table.present));
          Napi::Object value = Napi::Object::New(env);
          value.Set("nearest", arrays.add(table.nearest));
          value.Set("pairs", arrays.add(table.pairs));
          value.Set("counts", arrays.add(table.counts));
          value.Set("lengths", arrays.add(table.lengths));
          value.Set("present", arrays.add(table.present));
          return value;
        });
  });
}

}  // namespace

void export_texts(Napi::Env env, Napi::Object exports) {
  exports.Set("wordTable", Napi::Function::New(env, word_table, "wordTable"));
  exports.Set("readTexts", Napi::Function::New(env, read_texts, "readTexts"));
}

}  // namespace asof::boundary
