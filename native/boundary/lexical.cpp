// Exports of lexical sections and BM25 search. Tasks own their requests and keep segments alive.
#include <napi.h>

#include <deque>
#include <memory>
#include <mutex>

#include "boundary/arguments.hpp"
#include "boundary/bm25_parameters.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/handles.hpp"
#include "boundary/live_docs.hpp"
#include "boundary/sections.hpp"
#include "boundary/segments.hpp"
#include "boundary/statements.hpp"
#include "boundary/task.hpp"
#include "core/path_text.hpp"
#include "index/lexical/build.hpp"
#include "index/lexical/count.hpp"
#include "index/lexical/counting.hpp"
#include "index/lexical/row_scores.hpp"
#include "index/lexical/search.hpp"
#include "index/lexical/term_rows.hpp"
#include "index/segment/segment_rows.hpp"

namespace asof::boundary {
namespace {

Napi::Value sections_value(Napi::Env env, const lexical::Sections& built) {
  const Napi::Array list = Napi::Array::New(env);
  append_sections(list, built.sections());
  return list;
}

lexical::Parts parts_of(const Napi::Value& value) {
  if (!value.IsObject())
    refuse("parts", "an object { multiSentence, passages, rows }", kind_of(value));
  Napi::Object given = value.As<Napi::Object>();
  constexpr double limit = 4294967294.0;
  lexical::Parts parts;
  parts.rows = size(given.Get("rows"), "rows", 0, limit);
  parts.passages = size(given.Get("passages"), "passages", 0, static_cast<double>(parts.rows));
  parts.multi_sentence =
      size(given.Get("multiSentence"), "multiSentence", 0, static_cast<double>(parts.passages));
  return parts;
}

Napi::Object object_of(const Napi::Value& value, const char* name) {
  if (!value.IsObject()) refuse(name, "an object", kind_of(value));
  return value.As<Napi::Object>();
}

Napi::Array list_of(const Napi::Value& value, const char* name) {
  if (!value.IsArray()) refuse(name, "an array", kind_of(value));
  return value.As<Napi::Array>();
}

/// One task at a time adds to it.
struct TermRowsOfTasks {
  std::mutex in_use;
  lexical::TermRows rows;
};
using SharedTermRows = std::shared_ptr<TermRowsOfTasks>;

constexpr napi_type_tag term_rows_tag = {0x4b8e17c2d95f3a60, 0x91d4f2068c3be57a};

const SharedTermRows& term_rows_of(const Napi::Value& value) {
  return contents<SharedTermRows>(value, term_rows_tag, "rows", "what openTermRows gave");
}

// openTermRows(): TermRowsHandle
Napi::Value open_term_rows(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return handle_of(info.Env(), term_rows_tag, std::make_shared<TermRowsOfTasks>());
  });
}

// addTermRows(rows, request: PassageSources, cancellation?): Promise<void>
Napi::Value add_term_rows(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [terms = term_rows_of(info[0]),
                 sources = sources_of(Fields(object(info[1], "request"))),
                 cancel = Cancellation::flag(info[2])] {
      const std::lock_guard lock(terms->in_use);
      const std::size_t before = terms->rows.passages();
      try {
        for (const statements::SourcePassage& each : sources) {
          cancel.throw_if_requested();
          terms->rows.add(each.title.text, each.text.text, each.sentences);
        }
      } catch (...) {
        terms->rows.keep(before);
        throw;
      }
      return true;
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, bool) { return env.Undefined(); });
  });
}

// packTermRows(rows, passageOfRow: Uint32Array): Promise<PackedTermRows>
Napi::Value pack_term_rows(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [terms = term_rows_of(info[0]),
                 passages = copied(array<std::uint32_t>(info[1], "passageOfRow"))] {
      const std::lock_guard lock(terms->in_use);
      return terms->rows.rows(passages);
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, const lexical::RowTerms& rows) {
                        Napi::Object result = Napi::Object::New(env);
                        result.Set("termBytes", array_of(env, rows.term_bytes));
                        result.Set("termOffsets", array_of(env, rows.term_offsets));
                        result.Set("rowOffsets", array_of(env, rows.row_offsets));
                        result.Set("rowTerms", array_of(env, rows.row_terms));
                        return Napi::Value(result);
                      });
  });
}

// buildPostings({ termBytes, termOffsets, rowOffsets, rowTerms, parts }, cancellation?)
Napi::Value build_postings(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Napi::Object given = object_of(info[0], "request");
    lexical::RowTerms rows{copied(array<std::uint8_t>(given.Get("termBytes"), "termBytes")),
                           copied(array<std::uint32_t>(given.Get("termOffsets"), "termOffsets")),
                           copied(array<std::uint32_t>(given.Get("rowOffsets"), "rowOffsets")),
                           copied(array<std::uint32_t>(given.Get("rowTerms"), "rowTerms"))};
    auto work = [rows = std::move(rows), parts = parts_of(given.Get("parts")),
                 cancel = Cancellation::flag(info[1])]() mutable {
      return lexical::build_postings(std::move(rows), parts, cancel);
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const lexical::Sections& built) { return sections_value(env, built); });
  });
}

// mergePostings([{ segment, newRows }], parts, cancellation?)
Napi::Value merge_postings(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    struct Source {
      std::shared_ptr<const Segment> segment;
      std::vector<std::uint32_t> new_rows;
    };
    std::vector<Source> sources;
    Napi::Array list = list_of(info[0], "sources");
    for (std::uint32_t i = 0; i < list.Length(); ++i) {
      Napi::Object each = object_of(list.Get(i), "a source");
      sources.push_back({segment_of(each.Get("segment")),
                         copied(array<std::uint32_t>(each.Get("newRows"), "newRows"))});
    }
    auto work = [sources = std::move(sources), parts = parts_of(info[1]),
                 cancel = Cancellation::flag(info[2])] {
      std::deque<lexical::Reader> readers;
      std::vector<lexical::MergeSource> merge;
      for (const Source& source : sources)
        merge.push_back({&readers.emplace_back(*source.segment), source.new_rows});
      return lexical::merge_postings(merge, parts, cancel);
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const lexical::Sections& built) { return sections_value(env, built); });
  });
}

// What a search owns while it runs; the request borrows from it.
struct OwnedSearch {
  std::vector<std::shared_ptr<const Segment>> segments;
  std::vector<LiveDocs> live_docs;
  std::vector<std::vector<std::uint8_t>> counted;
  lexical::Request request;
  std::optional<lexical::Collection> collection;  // of the request
  std::deque<lexical::Reader> readers;

  void open() {
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const lexical::Reader& reader = readers.emplace_back(*segments[s]);
      request.segments.push_back({&reader, {view_rows(*segments[s]), {}, {}, {}}});
      VisibleRows& rows = request.segments.back().rows;
      if (s < live_docs.size()) live_docs[s].apply(rows);
      if (s < counted.size()) rows.counted = counted[s];
    }
  }
};

void read_segments(const Napi::Object& given, OwnedSearch& owned) {
  Napi::Array segments = list_of(given.Get("segments"), "segments");
  for (std::uint32_t i = 0; i < segments.Length(); ++i)
    owned.segments.push_back(segment_of(segments.Get(i)));
}

/// Passages of a segment of rows; 0 if it is damaged, which the task reports.
std::size_t passages_of(const Segment& segment) {
  const auto counts = segment.section<std::uint64_t>(schema::counts);
  return counts.empty() ? 0 : counts[0];
}

void read_live_docs(const Napi::Object& given, OwnedSearch& owned) {
  Napi::Array live_docs = list_of(given.Get("liveDocs"), "liveDocs");
  if (live_docs.Length() != owned.segments.size())
    refuse("liveDocs", "an array of " + std::to_string(owned.segments.size()),
           "one of " + std::to_string(live_docs.Length()));
  const Napi::Value counted = given.Get("countedDocs");
  for (std::uint32_t i = 0; i < live_docs.Length(); ++i) {
    const std::size_t passages = passages_of(*owned.segments[i]);
    owned.live_docs.emplace_back(live_docs.Get(i), passages);
    owned.counted.push_back(counted_docs(counted, i, passages));
  }
}

void read_masks(const Napi::Object& given, std::vector<lexical::Query>& queries) {
  auto published_until =
      array<double>(given.Get("publishedUntil"), "publishedUntil", queries.size());
  auto window_kind = array<std::uint8_t>(given.Get("windowKind"), "windowKind", queries.size());
  auto window = array<double>(given.Get("window"), "window", 2 * queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    temporal::Mask& mask = queries[q].mask;
    mask.published_until = published_until[q];
    if (window_kind[q] == 0) continue;
    if (window_kind[q] > 9)
      refuse("windowKind", "codes from 0 to 9", std::to_string(window_kind[q]));
    mask.has_window = true;
    mask.clock = static_cast<temporal::Clock>((window_kind[q] - 1) / 3);
    mask.relation = static_cast<temporal::Relation>((window_kind[q] - 1) % 3);
    mask.window = {window[2 * q], window[2 * q + 1]};
  }
}

void read_parameters(const Napi::Object& given, lexical::Request& request) {
  request.scope = static_cast<Scope>(size(given.Get("scope"), "scope", 0, 2));
  request.parameters = bm25_parameters(given);
}

Napi::Value result_value(Napi::Env env, const lexical::Result& result) {
  Napi::Object value = Napi::Object::New(env);
  value.Set("offsets", array_of(env, result.offsets));
  value.Set("segment", array_of(env, result.segment));
  value.Set("row", array_of(env, result.row));
  value.Set("passage", array_of(env, result.passage));
  value.Set("score", array_of(env, result.score));
  value.Set("maxScore", array_of(env, result.best));
  return value;
}

// searchLexical(request, cancellation?)
Napi::Value search_lexical(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Napi::Object given = object_of(info[0], "request");
    auto owned = std::make_unique<OwnedSearch>();
    read_segments(given, *owned);
    read_parameters(given, owned->request);
    read_live_docs(given, *owned);
    Napi::Array queries = list_of(given.Get("terms"), "terms");
    for (std::uint32_t i = 0; i < queries.Length(); ++i) {
      Napi::HandleScope scope(info.Env());
      owned->request.queries.push_back({strings(queries.Get(i), "terms"), {}});
    }
    read_masks(given, owned->request.queries);
    owned->collection = collection_of(given);
    if (owned->collection) owned->request.collection = &*owned->collection;
    owned->request.k = size(given.Get("k"), "k", 0, 4294967295.0);
    owned->request.pool = boolean(given.Get("pool"), "pool");
    if (!given.Get("exhaustive").IsUndefined())
      owned->request.exhaustive = boolean(given.Get("exhaustive"), "exhaustive");
    auto work = [owned = std::move(owned), cancel = Cancellation::flag(info[1])] {
      owned->open();
      return lexical::search(owned->request, cancel);
    };
    return start_task(info.Env(), std::move(work), result_value);
  });
}

// scoreLexical(request, cancellation?)
Napi::Value score_lexical(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Napi::Object given = object_of(info[0], "request");
    auto owned = std::make_unique<OwnedSearch>();
    read_segments(given, *owned);
    read_parameters(given, owned->request);
    auto work = [owned = std::move(owned), terms = strings(given.Get("terms"), "terms"),
                 cancel = Cancellation::flag(info[1])] {
      std::vector<const lexical::Reader*> readers;
      for (const auto& segment : owned->segments)
        readers.push_back(&owned->readers.emplace_back(*segment));
      auto scores = lexical::score_segments(readers, owned->request.scope,
                                            owned->request.parameters, terms, cancel);
      for (std::size_t s = 0; s < scores.size(); ++s) scores[s].resize(readers[s]->parts().rows);
      return scores;
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, const std::vector<std::vector<float>>& scores) {
                        Napi::Array list = Napi::Array::New(env, scores.size());
                        for (std::uint32_t i = 0; i < scores.size(); ++i)
                          list.Set(i, array_of(env, scores[i]));
                        return list;
                      });
  });
}

// countTerms(segment, rows, terms, cancellation?): Promise<{ lengths, counts }>
Napi::Value count_terms(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [segment = segment_of(info[0]),
                 rows = copied(array<std::uint32_t>(info[1], "rows")),
                 terms = strings(info[2], "terms"), cancel = Cancellation::flag(info[3])] {
      const lexical::Reader reader(*segment);
      const bool known = std::all_of(rows.begin(), rows.end(),
                                     [&](std::uint32_t row) { return row < reader.parts().rows; });
      if (!known)
        refuse("rows", "numbers of rows below " + std::to_string(reader.parts().rows),
               "one that is not");
      return lexical::count_terms(reader, rows, terms, cancel);
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, const lexical::TermCounts& terms) {
                        Napi::Object value = Napi::Object::New(env);
                        value.Set("lengths", array_of(env, terms.lengths));
                        value.Set("counts", array_of(env, terms.counts));
                        return value;
                      });
  });
}

/// Counts of the rows of some of a segment's passages; null without a bitmap.
std::shared_ptr<CountedRows> counted_rows(const lexical::Reader& reader, const Napi::Value& given) {
  if (given.IsUndefined()) return nullptr;
  const Segment& segment = reader.segment();
  segment.check({});
  const auto passages = array<std::uint8_t>(given, "countedDocs", (passages_of(segment) + 7) / 8);
  return lexical::counted_rows(reader, passages);
}

// rowCounts(segment, countedDocs): Float64Array
Napi::Value row_counts(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::shared_ptr<const Segment> segment = segment_of(info[0]);
    const lexical::Reader reader(*segment);
    const auto counted = counted_rows(reader, info[1]);
    std::vector<double> numbers;
    numbers.reserve(6);
    for (std::size_t part = 0; part < 3; ++part)
      numbers.push_back(static_cast<double>(
          counted ? counted->rows[part] : reader.parts().end(part) - reader.parts().begin(part)));
    for (std::size_t part = 0; part < 3; ++part)
      numbers.push_back(static_cast<double>(counted ? counted->tokens[part] : reader.tokens(part)));
    return array_of(info.Env(), numbers);
  });
}

// documentFrequencies(segment, terms, countedDocs?): Uint32Array
Napi::Value document_frequencies(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::shared_ptr<const Segment> segment = segment_of(info[0]);
    const lexical::Reader reader(*segment);
    const auto counted = counted_rows(reader, info[2]);
    std::vector<std::uint32_t> frequencies;
    for (const std::string& term : strings(info[1], "terms")) {
      const std::optional<std::uint32_t> number = reader.find(term);
      const auto [whole, single, inside] = !number ? std::array<std::uint32_t, 3>{}
                                           : counted
                                               ? lexical::rows_with_term(*counted, reader, *number)
                                               : reader.frequency(*number);
      frequencies.push_back(whole);
      frequencies.push_back(single + inside);
    }
    return array_of(info.Env(), frequencies);
  });
}

// rowsOfPassages(segment, passages): Uint32Array
Napi::Value rows_of_passages(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::shared_ptr<const Segment> segment = segment_of(info[0]);
    const FlatRows rows = view_rows(*segment);
    RowOrder order{segment->checked<std::uint32_t>(schema::row_passage), {}};
    if (segment->has(schema::passage_row))
      order.passage_row = segment->checked<std::uint32_t>(schema::passage_row);
    std::vector<std::uint32_t> found;
    for (const std::uint32_t passage : array<std::uint32_t>(info[1], "passages")) {
      if (passage >= rows.passages)
        refuse("passages", "numbers below " + std::to_string(rows.passages),
               std::to_string(passage));
      const auto [whole, first, last] = rows_of(rows, order, passage);
      if (whole == no_row)
        throw Error("ERR_CORPUS_CORRUPT",
                    "Expected the segment " + text_of(segment->path()) +
                        " to have a row of passage " + std::to_string(passage) +
                        ", found none. Restore the file from a backup, or run asof repair.");
      found.insert(found.end(), {whole, first, last});
    }
    return array_of(info.Env(), found);
  });
}

/// Writes the times of a clock's section, one a row of three numbers, NaN without.
void put_times(const Segment& segment, const ClockColumn& clock, const char* section,
               std::span<const std::uint32_t> rows, std::span<double> numbers) {
  std::visit(
      [&]<typename Tick>(const temporal::ClockView<Tick>& view) {
        const auto ticks = segment.checked<Tick>(section);
        for (std::size_t at = 0; at < rows.size(); ++at)
          numbers[3 * at] = milliseconds_of(ticks[rows[at]], view.encoding);
      },
      clock);
}

// clocksOfRows(segment, rows): Float64Array
Napi::Value clocks_of_rows(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::shared_ptr<const Segment> segment = segment_of(info[0]);
    const FlatRows flat = view_rows(*segment);
    const auto rows = array<std::uint32_t>(info[1], "rows");
    for (const std::uint32_t row : rows)
      if (row >= flat.rows)
        refuse("rows", "numbers below " + std::to_string(flat.rows), std::to_string(row));
    std::vector<double> numbers(3 * rows.size());
    if (rows.empty()) return array_of(info.Env(), numbers);
    const std::span<double> all(numbers);
    put_times(*segment, flat.published, schema::published, rows, all);
    put_times(*segment, flat.validity, schema::valid_start, rows, all.subspan(1));
    put_times(*segment, flat.validity, schema::valid_end, rows, all.subspan(2));
    segment->throw_if_faulted();
    return array_of(info.Env(), numbers);
  });
}

}  // namespace

void export_lexical(Napi::Env env, Napi::Object exports) {
  exports.Set("openTermRows", Napi::Function::New(env, open_term_rows, "openTermRows"));
  exports.Set("addTermRows", Napi::Function::New(env, add_term_rows, "addTermRows"));
  exports.Set("packTermRows", Napi::Function::New(env, pack_term_rows, "packTermRows"));
  exports.Set("buildPostings", Napi::Function::New(env, build_postings, "buildPostings"));
  exports.Set("mergePostings", Napi::Function::New(env, merge_postings, "mergePostings"));
  exports.Set("searchLexical", Napi::Function::New(env, search_lexical, "searchLexical"));
  exports.Set("countTerms", Napi::Function::New(env, count_terms, "countTerms"));
  exports.Set("documentFrequencies",
              Napi::Function::New(env, document_frequencies, "documentFrequencies"));
  exports.Set("rowCounts", Napi::Function::New(env, row_counts, "rowCounts"));
  exports.Set("clocksOfRows", Napi::Function::New(env, clocks_of_rows, "clocksOfRows"));
  exports.Set("rowsOfPassages", Napi::Function::New(env, rows_of_passages, "rowsOfPassages"));
  exports.Set("scoreLexical", Napi::Function::New(env, score_lexical, "scoreLexical"));
}

}  // namespace asof::boundary
