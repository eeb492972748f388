// Exports of the ranking by series: a lexicon, the passages that are read with it, and for one
// question the pool of its candidates, how their statements match, and the members of its series.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/facts.hpp"
#include "boundary/handles.hpp"
#include "boundary/request.hpp"
#include "boundary/segments.hpp"
#include "boundary/statements.hpp"
#include "boundary/static_encoder.hpp"
#include "facts/coverage.hpp"
#include "facts/initials.hpp"
#include "facts/matching.hpp"
#include "facts/members.hpp"
#include "facts/revision.hpp"
#include "index/segment/passage_bytes.hpp"
#include "index/segment/segment.hpp"
#include "statements/lexicon.hpp"
#include "statements/packed.hpp"
#include "statements/reading.hpp"
#include "statements/times.hpp"
#include "statements/written.hpp"

namespace asof::boundary {
namespace {

using statements::Lexicon;
using statements::Passage;
using statements::Span;
using statements::Time;

struct PoolOfQuestion {
  SharedLexicon lexicon;
  std::unique_ptr<const facts::Pool> pool;
};
using SharedPool = std::shared_ptr<const PoolOfQuestion>;
struct MatchedPool {
  SharedPool of;
  facts::Matches matches;
};

constexpr napi_type_tag lexicon_tag = {0x5d0f4a1be7c8436a, 0x9b21d7e60c3f8a54};
constexpr napi_type_tag passage_tag = {0x1e6c93f0d25b47a8, 0xb7f04c8e2a91d653};
constexpr napi_type_tag pool_tag = {0x83a7d10f5c2e4b96, 0xd4096be17f3a52c8};
constexpr napi_type_tag matches_tag = {0xc5f218e4b09d4763, 0xa61e7d30f48c2b95};

SharedPool& pool_of(const Napi::Value& value) {
  return contents<SharedPool>(value, pool_tag, "pool", "what openPool gave");
}
MatchedPool& matches_of(const Napi::Value& value) {
  return contents<MatchedPool>(value, matches_tag, "matches", "what matchStatements gave");
}

/// When passages were published, and from when to when they state to hold.
class Clocks {
 public:
  Clocks(const Fields& request, std::size_t passages)
      : published_at_(request.column<double>("publishedAt", passages)),
        published_until_(request.column<double>("publishedUntil", passages)),
        valid_from_(request.column<double>("validFrom", passages)),
        valid_to_(request.column<double>("validTo", passages)) {}
  void set(Passage& passage, std::size_t nth) const {
    passage.published_at = published_at_[nth];
    passage.has_published = !std::isnan(passage.published_at);
    passage.published = {.start = published_at_[nth],
                         .end = published_until_[nth],
                         .source = statements::Source::published};
    set_validity(passage, valid_from_[nth], valid_to_[nth]);
  }
  static void set_validity(Passage& passage, double from, double to) {
    passage.has_valid = !std::isnan(from);
    passage.valid = {.start = from, .end = to, .source = statements::Source::valid, .range = true};
  }

 private:
  std::span<const double> published_at_, published_until_, valid_from_, valid_to_;
};

// openLexicon(encoder): LexiconHandle
Napi::Value open_lexicon(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return handle_of(info.Env(), lexicon_tag, std::make_shared<Lexicon>(static_model_of(info[0])));
  });
}

// lexiconBytes(lexicon): number
Napi::Value lexicon_bytes(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return Napi::Number::New(info.Env(), static_cast<double>(lexicon_of(info[0])->bytes()));
  });
}

/// A number below `count`.
std::uint32_t number_below(std::size_t count, const Napi::Value& value, const char* name) {
  if (count == 0) refuse(name, "one of the lexicon", "one of an empty one");
  return static_cast<std::uint32_t>(size(value, name, 0, static_cast<double>(count - 1)));
}

Napi::String string_of(Napi::Env env, std::u16string_view text) {
  return Napi::String::New(env, text.data(), text.size());
}

// wordOf(lexicon, number): { term, low, capital, value, length }
Napi::Value word_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const Lexicon& lexicon = *lexicon_of(info[0]);
    const std::uint32_t word = number_below(lexicon.words(), info[1], "word");
    Napi::Object result = Napi::Object::New(env);
    result.Set("term", string_of(env, lexicon.texts[lexicon.terms[word]]));
    result.Set("low", string_of(env, lexicon.texts[lexicon.lows[word]]));
    result.Set("capital", Napi::Boolean::New(env, lexicon.capitals[word] != 0));
    result.Set("value", Napi::Boolean::New(env, lexicon.values[word] != 0));
    result.Set("length", Napi::Number::New(env, lexicon.lengths[word]));
    return result;
  });
}

// textsOf(lexicon, numbers: Uint32Array): string[]
Napi::Value texts_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const Lexicon& lexicon = *lexicon_of(info[0]);
    const std::vector<std::uint32_t> numbers = copied(array<std::uint32_t>(info[1], "numbers"));
    Napi::Array texts = Napi::Array::New(env, numbers.size());
    for (std::size_t each = 0; each < numbers.size(); ++each) {
      if (numbers[each] >= lexicon.texts.size())
        refuse("numbers", "those of texts of the lexicon", std::to_string(numbers[each]));
      texts.Set(static_cast<std::uint32_t>(each), string_of(env, lexicon.texts[numbers[each]]));
    }
    return texts;
  });
}

// numberOf(lexicon, text): number
Napi::Value number_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const auto number = lexicon_of(info[0])->number_of(utf16(info[1], "text"));
    return Napi::Number::New(info.Env(), number ? double(*number) : -1);
  });
}

/// The instants of all mentions by a function of JavaScript.
std::vector<double> converted(const Napi::Value& convert, const statements::TextGroup& group) {
  if (convert.IsUndefined()) return {};
  if (!convert.IsFunction()) refuse("instantsOf", "a function", kind_of(convert));
  if (group.bounds().empty()) return {};
  const Napi::Env env = convert.Env();
  return instants_of(convert.As<Napi::Function>().Call(
                         {array_of(env, group.bounds()), array_of(env, group.has_offset())}),
                     group);
}

// readPassages(lexicon, request: PassageTexts, instantsOf?): PassageHandle[]
Napi::Value read_passages(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const SharedLexicon& lexicon = lexicon_of(info[0]);
    const Fields request(object(info[1], "request"));
    std::vector<statements::SourcePassage> sources = sources_of(request);
    statements::TextGroup group;
    for (statements::SourcePassage& each : sources) {
      scan(each);
      group.add(each.text);
      group.add(each.title);
    }
    // Before other arrays are borrowed: it calls JavaScript.
    const std::vector<double> instants = converted(info[2], group);
    const std::vector<statements::Entry> entries = lexicon->read(group.words());
    const Clocks clocks(request, sources.size());
    Napi::Array handles = Napi::Array::New(env, sources.size());
    for (std::size_t each = 0; each < sources.size(); ++each) {
      Napi::HandleScope scope(env);
      Passage passage = statements::read_passage({*lexicon, entries, instants}, sources[each]);
      clocks.set(passage, each);
      handles.Set(static_cast<std::uint32_t>(each),
                  passage_handle(env, lexicon, std::move(passage)));
    }
    return handles;
  });
}

/// The packed statements of passages of a segment; empty of those that have none of this version.
class PackedStatements {
 public:
  explicit PackedStatements(const Segment& segment) {
    if (segment.has(schema::passage_statement))
      all_.emplace(segment, schema::passage_statement_offset, schema::passage_statement);
  }
  std::span<const std::uint8_t> operator[](std::uint32_t passage) const {
    if (!all_) return {};
    if (passage >= all_->size())
      refuse("passages", "those of the segment", std::to_string(passage));
    const auto packed = (*all_)[passage];
    return packed.empty() || packed[0] != statements::packed_version
               ? std::span<const std::uint8_t>()
               : packed;
  }

 private:
  std::optional<PassageBytes> all_;
};

// unpackPassages(lexicon, segment, passages: Uint32Array, clocks): (PassageHandle | null)[]
Napi::Value unpack_passages(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const SharedLexicon& lexicon = lexicon_of(info[0]);
    const std::shared_ptr<const Segment> segment = segment_of(info[1]);
    const Fields request(object(info[3], "clocks"));
    const auto passages = array<std::uint32_t>(info[2], "passages");
    const Clocks clocks(request, passages.size());
    const PackedStatements statements(*segment);
    Napi::Array handles = Napi::Array::New(env, passages.size());
    for (std::uint32_t each = 0; each < passages.size(); ++each) {
      Napi::HandleScope scope(env);
      const auto packed = statements[passages[each]];
      if (packed.empty()) {
        handles.Set(each, env.Null());
        continue;
      }
      Passage passage = statements::unpack(*lexicon, packed);
      clocks.set(passage, each);
      handles.Set(each, passage_handle(env, lexicon, std::move(passage)));
    }
    lexicon->encoder->throw_if_faulted();
    segment->throw_if_faulted();
    return handles;
  });
}

// isComparison(before: string): boolean
Napi::Value is_comparison(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return Napi::Boolean::New(info.Env(), statements::is_comparison(utf16(info[0], "before")));
  });
}

// withValidity(passage, from: number, to: number): PassageHandle
Napi::Value with_validity(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const ReadPassage& read = passage_of(info[0]);
    Passage passage = *read.passage;
    Clocks::set_validity(passage, number(info[1], "from"), number(info[2], "to"));
    return passage_handle(info.Env(), read.lexicon, std::move(passage));
  });
}

Napi::Value words_value(Napi::Env env, const statements::Words& words) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("words", array_of(env, words.words));
  result.Set("starts", array_of(env, words.starts));
  result.Set("joins", array_of(env, words.joins));
  return result;
}

void append(std::vector<double>& numbers, const Time& time) {
  numbers.insert(numbers.end(), {time.start, time.end, time.until, double(time.at),
                                 double(time.source) + (time.range ? 8 : 0)});
}

std::uint8_t kind_of_statement(const statements::Statement& of) {
  return of.whole ? 1 : of.title ? 2 : 0;
}

// passageColumns(passage): PassageColumns
Napi::Value passage_columns(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const Passage& passage = *passage_of(info[0]).passage;
    std::vector<std::uint32_t> statements;
    for (const statements::Statement& each : passage.statements)
      statements.insert(statements.end(),
                        {each.from, each.to, each.times_from, each.times_to, each.start, each.end,
                         std::uint32_t{kind_of_statement(each)}});
    std::vector<double> times, title_times;
    for (const Time& time : passage.times) append(times, time);
    for (const Time& time : passage.title_times) append(title_times, time);
    Napi::Object result = Napi::Object::New(env);
    result.Set("text", words_value(env, passage.text));
    result.Set("title", words_value(env, passage.title));
    result.Set("statements", array_of(env, statements));
    result.Set("times", array_of(env, times));
    result.Set("titleTimes", array_of(env, title_times));
    return result;
  });
}

/// Passages of one lexicon.
std::vector<std::shared_ptr<const Passage>> passages_of(const Napi::Value& value,
                                                        const SharedLexicon& lexicon) {
  if (!value.IsArray()) refuse("passages", "an array of passages", kind_of(value));
  const Napi::Array list = value.As<Napi::Array>();
  std::vector<std::shared_ptr<const Passage>> passages(list.Length());
  for (std::uint32_t each = 0; each < list.Length(); ++each) {
    Napi::HandleScope scope(value.Env());
    const ReadPassage& read = passage_of(list.Get(each));
    if (read.lexicon != lexicon) refuse("passages", "read with the lexicon", "others");
    passages[each] = read.passage;
  }
  return passages;
}

// vocabularyOf(lexicon, passages): { terms, openers, names }
Napi::Value vocabulary_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const SharedLexicon& lexicon = lexicon_of(info[0]);
    const auto passages = passages_of(info[1], lexicon);
    std::vector<std::uint8_t> seen(lexicon->texts.size());
    std::vector<std::uint32_t> terms, openers;
    for (const auto& passage : passages) {
      for (const statements::Range range : {passage->title_words(), passage->text_words()})
        for (std::uint32_t at = range.from; at < range.to; ++at) {
          const std::uint32_t term = lexicon->terms[range.of->words[at]];
          if (seen[term] == 0) terms.push_back(term);
          seen[term] = 1;
        }
      if (facts::opens_with_name(*lexicon, passage->title_words()))
        openers.push_back(lexicon->lows[passage->title.words[0]]);
    }
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("terms", array_of(info.Env(), terms));
    result.Set("openers", array_of(info.Env(), openers));
    result.Set("names", array_of(info.Env(), facts::capitalised_words(*lexicon, passages)));
    return result;
  });
}

// namesOfInitials(lexicon, passages, initials: string[]): Uint32Array
Napi::Value names_of_initials(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const SharedLexicon& lexicon = lexicon_of(info[0]);
    const auto passages = passages_of(info[1], lexicon);
    const std::vector<std::u16string> sought = utf16_strings(info[2], "initials");
    std::vector<std::uint32_t> numbers;
    for (const facts::NamedInitials& each : facts::names_of_initials(*lexicon, passages, sought))
      numbers.insert(numbers.end(),
                     {each.initials, each.passage, each.in_title ? 1u : 0u, each.start, each.end});
    return array_of(info.Env(), numbers);
  });
}

/// Numbers that stand in pairs.
template <typename T>
std::span<const T> pairs_in(const Fields& request, const char* name) {
  const auto numbers = request.column<T>(name);
  if (numbers.size() % 2 != 0) refuse(name, "pairs", std::to_string(numbers.size()) + " numbers");
  return numbers;
}

facts::Question question_of(const Fields& request) {
  facts::Question question;
  const auto terms = utf16_strings(request["terms"], "terms");
  const auto lows = utf16_strings(request["lows"], "lows");
  const std::size_t count = terms.size();
  if (lows.size() != count) refuse("lows", "as many as terms", std::to_string(lows.size()));
  const auto weights = request.column<double>("weights", count);
  const auto rarities = request.column<double>("rarities", count);
  const auto flags = request.column<std::uint8_t>("flags", count);
  for (std::size_t t = 0; t < count; ++t)
    question.terms.push_back({.term = terms[t],
                              .low = lows[t],
                              .weight = weights[t],
                              .name = (flags[t] & 1) != 0,
                              .value = (flags[t] & 2) != 0,
                              .kind = (flags[t] & 4) != 0,
                              .rarity = rarities[t]});
  const auto place = [&](std::uint32_t t, const char* name) {
    if (t >= count) refuse(name, "places below " + std::to_string(count), std::to_string(t));
    return t;
  };
  const auto name_ends = request.column<std::uint32_t>("nameEnds");
  const ListOf<std::uint32_t> names(request, "nameEnds", "names", name_ends.size());
  for (std::size_t each = 0; each < name_ends.size(); ++each) {
    const auto own = names[each];
    for (const std::uint32_t t : own) place(t, "names");
    question.names.emplace_back(own.begin(), own.end());
  }
  const auto pairs = pairs_in<std::uint32_t>(request, "pairs");
  for (std::size_t at = 0; at + 1 < pairs.size(); at += 2)
    question.pairs.emplace_back(place(pairs[at], "pairs"), place(pairs[at + 1], "pairs"));
  question.anchor = utf16_strings(request["anchor"], "anchor");
  if (!request["role"].IsString()) refuse("role", "a string", kind_of(request["role"]));
  question.role = request["role"].As<Napi::String>().Utf16Value();
  question.wanted = static_cast<facts::Wanted>(
      size(request["wanted"], "wanted", 0, static_cast<double>(facts::Wanted::place)));
  question.order = static_cast<facts::Order>(size(request["order"], "order", 0, 2));
  return question;
}

// readWords(text): ReadWords
Napi::Value read_words(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const std::u16string text = utf16(info[0], "text");
    std::vector<Span> spans;
    statements::written_words(text, spans);
    std::vector<statements::ReadWord> words;
    std::vector<std::uint32_t> starts, ends;
    std::vector<std::uint8_t> flags;
    const auto append = [&](std::vector<statements::ReadWord> read, std::uint32_t from,
                            unsigned place) {
      for (statements::ReadWord& each : read) {
        starts.push_back(from + each.offset);
        ends.push_back(starts.back() + each.length);
        flags.push_back(
            static_cast<std::uint8_t>((each.capital ? 1u : 0u) | (each.value ? 2u : 0u) | place));
        words.push_back(std::move(each));
      }
    };
    bool opens = true;
    for (const auto& [start, end] : spans) {
      const std::u16string_view written = std::u16string_view(text).substr(start, end - start);
      std::vector<statements::ReadWord> read = statements::read_written(written);
      if (read.empty()) continue;
      const bool compound = read[0].compound;
      const std::u16string_view whole = written.substr(0, read[0].length);
      append(std::move(read), start, opens ? 4 : 0);
      if (compound) append(statements::parts_of(whole), start, opens ? 12 : 8);
      opens = false;
    }
    const auto count = static_cast<std::uint32_t>(words.size());
    Napi::Array terms = Napi::Array::New(env, count), lows = Napi::Array::New(env, count);
    for (std::uint32_t each = 0; each < count; ++each) {
      Napi::HandleScope scope(env);
      terms.Set(each, string_of(env, words[each].term));
      lows.Set(each, string_of(env, words[each].low));
    }
    Napi::Object result = Napi::Object::New(env);
    result.Set("terms", terms);
    result.Set("lows", lows);
    result.Set("starts", array_of(env, starts));
    result.Set("ends", array_of(env, ends));
    result.Set("flags", array_of(env, flags));
    return result;
  });
}

// joinsName(between): boolean
Napi::Value joins_name(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    if (!info[0].IsString()) refuse("between", "a string", kind_of(info[0]));
    const bool joins = statements::joins_name(info[0].As<Napi::String>().Utf16Value());
    return Napi::Boolean::New(info.Env(), joins);
  });
}

// openPool(lexicon, passages, question: PlainQuestion): PoolHandle
Napi::Value open_pool(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const SharedLexicon& lexicon = lexicon_of(info[0]);
    auto pool = std::make_unique<const facts::Pool>(
        *lexicon, passages_of(info[1], lexicon), question_of(Fields(object(info[2], "question"))));
    return handle_of(info.Env(), pool_tag,
                     std::make_shared<const PoolOfQuestion>(lexicon, std::move(pool)));
  });
}

// poolTexts(pool, question: Uint32Array): { ids, ends, weighed }
Napi::Value pool_texts(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const auto& [lexicon, pool] = *pool_of(info[0]);
    std::vector<std::uint32_t> ids = copied(array<std::uint32_t>(info[1], "question"));
    std::vector<std::uint32_t> ends{static_cast<std::uint32_t>(ids.size())};
    const auto append_tokens = [&](statements::Range range) {
      for (std::uint32_t at = range.from; at < range.to; ++at) {
        const std::uint32_t word = range.of->words[at];
        if (lexicon->values[word]) continue;
        const std::uint32_t from = word == 0 ? 0 : lexicon->token_ends[word - 1];
        ids.insert(ids.end(), lexicon->tokens.begin() + from,
                   lexicon->tokens.begin() + lexicon->token_ends[word]);
      }
    };
    for (const auto& passage : pool->passages) {
      for (const statements::Statement& statement : passage->statements) {
        append_tokens(passage->title_words());
        append_tokens(passage->words_of(statement));
        ends.push_back(static_cast<std::uint32_t>(ids.size()));
      }
    }
    Napi::Object result = Napi::Object::New(env);
    result.Set("ids", array_of(env, ids));
    result.Set("ends", array_of(env, ends));
    result.Set("weighed", array_of(env, pool->weighed()));
    return result;
  });
}

// poolWords(pool, ids: Uint32Array, ends: Uint32Array): { ids, ends }
Napi::Value pool_words(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const auto& [lexicon, pool] = *pool_of(info[0]);
    std::vector<std::uint32_t> ids = copied(array<std::uint32_t>(info[1], "ids"));
    std::vector<std::uint32_t> ends = copied(array<std::uint32_t>(info[2], "ends"));
    for (const std::uint32_t word : pool->words) {
      const std::uint32_t from = word == 0 ? 0 : lexicon->token_ends[word - 1];
      ids.insert(ids.end(), lexicon->tokens.begin() + from,
                 lexicon->tokens.begin() + lexicon->token_ends[word]);
      ends.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    Napi::Object result = Napi::Object::New(env);
    result.Set("ids", array_of(env, ids));
    result.Set("ends", array_of(env, ends));
    return result;
  });
}

// coverageOf(pool, termIdf: Float64Array, cosines: Float64Array): Float64Array
Napi::Value coverage_of_pool(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const facts::Pool& pool = *pool_of(info[0])->pool;
    const std::size_t terms = pool.question.terms.size();
    const auto term_idf = array<double>(info[1], "termIdf", terms);
    const auto cosines = array<double>(info[2], "cosines", terms * pool.words.size());
    return array_of(info.Env(), facts::coverage_of(pool, term_idf, cosines));
  });
}

// matchStatements(pool, idf, termIdf, scores, cosines): { handle, candidate, statement, kind,
// matched }
Napi::Value match_statements(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const SharedPool& of = pool_of(info[0]);
    const facts::Pool& pool = *of->pool;
    const auto weighed = pool.weighed();
    const auto given = array<double>(info[1], "idf", weighed.size());
    std::vector<double> idf(pool.marks.size());
    for (std::size_t each = 0; each < weighed.size(); ++each) idf[weighed[each]] = given[each];
    const auto term_idf = array<double>(info[2], "termIdf", pool.question.terms.size());
    const auto scores = array<double>(info[3], "scores", pool.passages.size());
    std::size_t statements = 0;
    for (const auto& passage : pool.passages) statements += passage->statements.size();
    const auto cosines = array<double>(info[4], "cosines", statements);
    MatchedPool matched{of, facts::match(pool, idf, term_idf, scores, cosines)};
    Napi::Object result = Napi::Object::New(env);
    result.Set("candidate", array_of(env, matched.matches.candidate));
    result.Set("statement", array_of(env, matched.matches.statement));
    std::vector<std::uint8_t> kinds;
    for (const auto& passage : pool.passages)
      for (const statements::Statement& each : passage->statements)
        kinds.push_back(kind_of_statement(each));
    result.Set("kind", array_of(env, kinds));
    result.Set("matched", array_of(env, matched.matches.matched));
    result.Set("handle", handle_of(env, matches_tag, std::move(matched)));
    return result;
  });
}

// compareMatches(matches, measured: Uint8Array)
Napi::Value compare_matches(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    MatchedPool& matched = matches_of(info[0]);
    const auto measured = array<std::uint8_t>(info[1], "measured");
    if (!measured.empty() && measured.size() != matched.matches.size())
      refuse("measured", "one a match", std::to_string(measured.size()));
    facts::compare(matched.matches, measured);
    return info.Env().Undefined();
  });
}

std::size_t match_number(const MatchedPool& matched, const Napi::Value& value) {
  if (matched.matches.size() == 0) refuse("match", "one of the matches", "one of none");
  return size(value, "match", 0, static_cast<double>(matched.matches.size() - 1));
}

// featuresOf(matches, match): Float64Array
Napi::Value features_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const MatchedPool& matched = matches_of(info[0]);
    return array_of<double>(info.Env(), matched.matches.row(match_number(matched, info[1])));
  });
}

// heldShares(matches, forms: string[], ends: Uint32Array, weights: Float64Array): Float64Array
Napi::Value held_shares_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const MatchedPool& matched = matches_of(info[0]);
    const std::vector<std::u16string> forms = utf16_strings(info[1], "forms");
    const auto ends = array<std::uint32_t>(info[2], "ends");
    const auto weights = array<double>(info[3], "weights", ends.size());
    if (!std::is_sorted(ends.begin(), ends.end()) ||
        (ends.empty() ? 0 : ends.back()) != forms.size())
      refuse("ends", "ascending up to " + std::to_string(forms.size()), "other numbers");
    std::vector<facts::WeightedForms> terms;
    auto from = forms.begin();
    for (std::size_t t = 0; t < ends.size(); ++t) {
      const auto to = forms.begin() + ends[t];
      terms.push_back({.forms = {from, to}, .weight = weights[t]});
      from = to;
    }
    return array_of(info.Env(), facts::held_shares(*matched.of->pool, matched.matches, terms));
  });
}

// varyingOf(matches, match): { values, slots }
Napi::Value varying_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const MatchedPool& matched = matches_of(info[0]);
    const facts::Varying varying =
        facts::varying(*matched.of->pool, matched.matches, match_number(matched, info[1]));
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("values", array_of(info.Env(), varying.values));
    result.Set("slots", array_of(info.Env(), varying.slots));
    return result;
  });
}

// compareStatements(matches, one, other): { isRevision, hasSameTerms, hasSameSubject }
Napi::Value compare_statements(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const MatchedPool& matched = matches_of(info[0]);
    const facts::Likeness likeness =
        facts::compare_statements(*matched.of->pool, matched.matches,
                                  match_number(matched, info[1]), match_number(matched, info[2]));
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("isRevision", Napi::Boolean::New(info.Env(), likeness.is_revision));
    result.Set("hasSameTerms", Napi::Boolean::New(info.Env(), likeness.has_same_terms));
    result.Set("hasSameSubject", Napi::Boolean::New(info.Env(), likeness.has_same_subject));
    return result;
  });
}

// hasSubject(matches, match): boolean
Napi::Value has_subject(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const MatchedPool& matched = matches_of(info[0]);
    const facts::Pool& pool = *matched.of->pool;
    const std::size_t match = match_number(matched, info[1]);
    const Passage& passage = *pool.passages[matched.matches.candidate[match]];
    return Napi::Boolean::New(info.Env(), !facts::subject_of(pool.lexicon, passage).empty());
  });
}

facts::Window window_of(std::span<const double> numbers) {
  return {numbers[0], numbers[1]};
}

facts::Asked asked_of(const Fields& request) {
  facts::Asked asked;
  const auto flag = [&](const char* name) { return boolean(request[name], name); };
  const auto order = [&](const char* name) {
    return static_cast<facts::Order>(size(request[name], name, 0, 2));
  };
  const auto window = [&](const char* name) { return window_of(request.column<double>(name, 2)); };
  asked.has_operator = flag("hasOperator");
  asked.operator_order = order("operatorOrder");
  asked.is_when = flag("isWhen");
  asked.clock_published = flag("isPublished");
  asked.is_past = flag("isPast");
  asked.is_now = flag("isNow");
  asked.operator_window = window("operatorWindow");
  asked.asked_at = number(request["askedAt"], "askedAt");
  asked.order = order("order");
  asked.place = static_cast<std::uint32_t>(size(request["place"], "place", 1, 1e9));
  asked.window = window("window");
  const auto alternatives = pairs_in<double>(request, "alternatives");
  for (std::size_t at = 0; at + 1 < alternatives.size(); at += 2)
    asked.alternatives.push_back(window_of(alternatives.subspan(at, 2)));
  asked.named = window("named");
  asked.has_named = !std::isnan(asked.named.start);
  asked.held = window("held");
  asked.has_held = !std::isnan(asked.held.start);
  asked.is_event = flag("isEvent");
  return asked;
}

// membersOf(matches, asked: PlainOrder, excluded: Uint8Array): MemberTable of numbers
Napi::Value members_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const MatchedPool& matched = matches_of(info[0]);
    const facts::Asked asked = asked_of(Fields(object(info[1], "asked")));
    const auto excluded = array<std::uint8_t>(info[2], "excluded");
    if (!excluded.empty() && excluded.size() != matched.matches.size())
      refuse("excluded", "one a match", std::to_string(excluded.size()));
    const facts::Members members =
        facts::members_of(*matched.of->pool, matched.matches, asked, excluded);
    std::vector<std::uint32_t> restating;
    std::vector<std::uint8_t> same_series;
    for (const facts::Restatement& each : members.restatements) {
      restating.push_back(each.member);
      same_series.push_back(each.same_series);
    }
    std::vector<double> times;
    for (std::size_t at = 0; at < members.times.size(); ++at)
      append(times, members.has_time[at] ? members.times[at] : Time{.start = facts::unknown});
    const auto as_signed = [&](const std::vector<std::uint32_t>& numbers) {
      return array_of(env, std::vector<std::int32_t>(numbers.begin(), numbers.end()));
    };
    Napi::Object result = Napi::Object::New(env);
    result.Set("match", as_signed(members.match));
    result.Set("candidate", as_signed(members.candidate));
    result.Set("interpretation", array_of(env, members.interpretation));
    result.Set("times", array_of(env, times));
    result.Set("features", array_of(env, members.features));
    result.Set("rank", array_of(env, members.rank));
    Napi::Array ranked = Napi::Array::New(env);
    for (std::uint32_t i = 0; i < 2; ++i) ranked.Set(i, as_signed(members.ranked[i]));
    result.Set("ranked", ranked);
    result.Set("restatementEnds", array_of(env, members.restatement_ends));
    result.Set("restatements", array_of(env, restating));
    result.Set("restatementsSameSeries", array_of(env, same_series));
    result.Set("clockInputs", array_of<double>(env, members.clock_inputs));
    result.Set("seriesInputs", array_of<double>(env, members.series_inputs));
    result.Set("longest", Napi::Number::New(env, members.longest));
    return result;
  });
}

// holdingIn(time, window, isEvent, longest): number
Napi::Value holding_in(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const auto given = array<double>(info[0], "time", 4);
    const Time time = {
        .start = given[0], .end = given[1], .until = given[2], .range = given[3] != 0};
    const facts::Window window = window_of(array<double>(info[1], "window", 2));
    const facts::Holding holding =
        facts::holding_in(time, window, boolean(info[2], "isEvent"), number(info[3], "longest"));
    return Napi::Number::New(info.Env(), static_cast<double>(holding));
  });
}

}  // namespace

SharedLexicon& lexicon_of(const Napi::Value& value) {
  return contents<SharedLexicon>(value, lexicon_tag, "lexicon", "what openLexicon gave");
}

const ReadPassage& passage_of(const Napi::Value& value) {
  return contents<ReadPassage>(value, passage_tag, "passage", "what readPassages gave");
}

Napi::Value passage_handle(Napi::Env env, const SharedLexicon& lexicon, Passage passage) {
  auto shared = std::make_shared<const Passage>(std::move(passage));
  return handle_of(env, passage_tag, ReadPassage{lexicon, std::move(shared)});
}

void export_facts(Napi::Env env, Napi::Object exports) {
  const auto set = [&](const char* name, Napi::Value (*function)(const Napi::CallbackInfo&)) {
    exports.Set(name, Napi::Function::New(env, function, name));
  };
  set("openLexicon", open_lexicon);
  set("readPassages", read_passages);
  set("unpackPassages", unpack_passages);
  set("lexiconBytes", lexicon_bytes);
  set("wordOf", word_of);
  set("textsOf", texts_of);
  set("numberOf", number_of);
  set("isComparison", is_comparison);
  set("withValidity", with_validity);
  set("passageColumns", passage_columns);
  set("vocabularyOf", vocabulary_of);
  set("namesOfInitials", names_of_initials);
  set("openPool", open_pool);
  set("poolTexts", pool_texts);
  set("poolWords", pool_words);
  set("coverageOf", coverage_of_pool);
  set("matchStatements", match_statements);
  set("compareMatches", compare_matches);
  set("featuresOf", features_of);
  set("heldShares", held_shares_of);
  set("varyingOf", varying_of);
  set("membersOf", members_of);
  set("holdingIn", holding_in);
  set("readWords", read_words);
  set("joinsName", joins_name);
  set("compareStatements", compare_statements);
  set("hasSubject", has_subject);
}

}  // namespace asof::boundary
