// Exports of the flat scan: MemoryRows, searchFlat, searchFlatSync. A search copies its request on
// the JS thread and keeps the memory that it scans alive until it ends.
#include <napi.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "boundary/arguments.hpp"
#include "boundary/bm25_parameters.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/live_docs.hpp"
#include "boundary/segments.hpp"
#include "boundary/task.hpp"
#include "core/trim_allocator.hpp"
#include "device/cache.hpp"
#include "index/segment/segment_rows.hpp"
#include "index/vector/fused_search.hpp"
#include "index/vector/memory_rows.hpp"
#include "index/vector/on_device.hpp"
#include "index/vector/search.hpp"

namespace asof::boundary {
namespace {

constexpr napi_type_tag memory_rows_tag = {0x71b90f3ad2c84e15, 0x8e4c7a61f0235bd9};

class MemoryRowsHandle : public Napi::ObjectWrap<MemoryRowsHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "MemoryRows",
                       {InstanceMethod("close", &MemoryRowsHandle::close),
                        InstanceAccessor<&MemoryRowsHandle::is_open>("isOpen")});
  }

  explicit MemoryRowsHandle(const Napi::CallbackInfo& info)
      : Napi::ObjectWrap<MemoryRowsHandle>(info) {
    guarded(info.Env(), [&] {
      if (!info[0].IsObject()) refuse("rows", "an object", kind_of(info[0]));
      Napi::Object given = info[0].As<Napi::Object>();
      auto optional = [&]<typename T>(const char* name, T) {
        return given.Get(name).IsUndefined() ? std::vector<T>()
                                             : copied(array<T>(given.Get(name), name));
      };
      vector::MemoryTimes times;
      times.published = optional("published", double());
      times.valid_start = optional("validStart", double());
      times.valid_end = optional("validEnd", double());
      times.content_offset = optional("contentOffset", std::uint32_t());
      times.content_start = optional("contentStart", double());
      times.content_end = optional("contentEnd", double());
      bool wide = !given.Get("wide").IsUndefined() && boolean(given.Get("wide"), "wide");
      const Storage storage = given.Get("storage").IsUndefined()
                                  ? Storage()
                                  : storage_named(string(given.Get("storage"), "storage"));
      const auto row_passage = array<std::uint32_t>(given.Get("rowPassage"), "rowPassage");
      std::size_t dimensions = size(given.Get("dimensions"), "dimensions", 1, 65536);
      std::size_t passages = size(given.Get("passages"), "passages", 0, 4294967295.0);
      std::size_t multi_sentence =
          size(given.Get("multiSentence"), "multiSentence", 0, 4294967295.0);
      std::span<float> vectors =
          array<float>(given.Get("vectors"), "vectors", row_passage.size() * dimensions);
      rows_ = std::make_shared<const vector::MemoryRows>(
          vector::RowCounts{passages, multi_sentence, dimensions}, vectors, copied(row_passage),
          std::move(times), vector::RowPacking{wide, storage});
      napi_type_tag_object(info.Env(), info.This(), &memory_rows_tag);
    });
  }

  static bool is(const Napi::Value& value) {
    bool matches = false;
    if (value.IsObject())
      napi_check_object_type_tag(value.Env(), value, &memory_rows_tag, &matches);
    return matches;
  }
  static std::shared_ptr<const vector::MemoryRows> get(const Napi::Value& value) {
    std::shared_ptr<const vector::MemoryRows> rows = Unwrap(value.As<Napi::Object>())->rows_;
    if (!rows)
      throw Error("ERR_CLOSED",
                  "Expected open rows, received ones that were closed. Make them again.");
    return rows;
  }

 private:
  void close(const Napi::CallbackInfo&) { rows_.reset(); }
  Napi::Value is_open(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), rows_ != nullptr);
  }
  std::shared_ptr<const vector::MemoryRows> rows_;
};

/// A request with everything that its spans point into.
struct OwnedRequest {
  vector::Request request;
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<float> vectors;
  std::vector<LiveDocs> live_docs;
  std::vector<std::vector<float>> lexical;
  std::vector<const Segment*> segments;  // of the request; null for rows in memory
  std::vector<std::pair<std::size_t, const vector::MemoryRows*>>
      in_memory;                                // of the request, with their own vectors
  std::optional<std::uint32_t> device;          // number of the device that scans
  std::vector<std::vector<std::string>> terms;  // one list per query if BM25 is scored, else none
  lexical::Bm25 parameters;
};

/// One column of the request's struct of arrays, its length the number of queries.
template <typename T>
std::span<T> column(const Napi::Object& given, const char* name, std::size_t count) {
  return array<T>(given.Get(name), name, count);
}

Napi::Array list(const Napi::Object& given, const char* name, std::size_t length) {
  if (!given.Get(name).IsArray()) refuse(name, "an array", kind_of(given.Get(name)));
  Napi::Array elements = given.Get(name).As<Napi::Array>();
  if (elements.Length() != length)
    refuse(name, "an array of " + std::to_string(length),
           "one of " + std::to_string(elements.Length()));
  return elements;
}

void read_segments(const Napi::Object& given, OwnedRequest& owned) {
  if (!given.Get("segments").IsArray())
    refuse("segments", "an array of Segment or MemoryRows", kind_of(given.Get("segments")));
  Napi::Array segments = given.Get("segments").As<Napi::Array>();
  const std::size_t count = segments.Length();
  Napi::Array live_docs = list(given, "liveDocs", count);
  const Napi::Value row_vectors = given.Get("rowVectors");
  const bool replaced = !row_vectors.IsNull() && !row_vectors.IsUndefined();
  Napi::Array stand_ins = replaced ? list(given, "rowVectors", count) : Napi::Array();
  owned.live_docs.resize(count);
  for (std::uint32_t s = 0; s < count; ++s) {
    Napi::HandleScope scope(given.Env());
    Napi::Value each = segments.Get(s);
    VisibleRows segment;
    if (MemoryRowsHandle::is(each)) {
      std::shared_ptr<const vector::MemoryRows> rows = MemoryRowsHandle::get(each);
      segment.rows = rows->rows();
      owned.owners.push_back(rows);
    } else {
      std::shared_ptr<const Segment> opened = segment_of(each);
      segment.rows = view_rows(*opened);
      owned.owners.push_back(opened);
      owned.segments.push_back(opened.get());
    }
    const Napi::Value stand_in = replaced ? stand_ins.Get(s) : given.Env().Null();
    if (stand_in.IsNull() || stand_in.IsUndefined()) {
      if (MemoryRowsHandle::is(each))
        owned.in_memory.emplace_back(s, MemoryRowsHandle::get(each).get());
    } else {
      std::shared_ptr<const Segment> vectors = segment_of(stand_in);
      replace_vectors(segment.rows, *vectors);
      owned.owners.push_back(vectors);
    }
    owned.live_docs[s] = LiveDocs(live_docs.Get(s), segment.rows.passages);
    owned.request.segments.push_back(segment);
  }
}

void read_vectors(const Napi::Object& given, std::size_t count, OwnedRequest& owned) {
  vector::Request& request = owned.request;
  request.dimensions = size(given.Get("dimensions"), "dimensions", 0, 65536);
  std::span<std::uint8_t> has_vector = column<std::uint8_t>(given, "hasVector", count);
  bool any = false;
  for (std::size_t q = 0; q < count; ++q) {
    request.queries[q].has_vector = has_vector[q] != 0;
    any = any || has_vector[q] != 0;
  }
  if (!any) return;
  owned.vectors = copied(array<float>(given.Get("vectors"), "vectors", count * request.dimensions));
  request.vectors = owned.vectors;
  for (const VisibleRows& segment : request.segments) {
    if (segment.rows.dimensions == request.dimensions) continue;
    refuse("dimensions", std::to_string(segment.rows.dimensions) + ", as in the segments",
           std::to_string(request.dimensions));
  }
}

void read_lexical(const Napi::Object& given, std::size_t count, OwnedRequest& owned) {
  vector::Request& request = owned.request;
  Napi::Value lexical = given.Get("lexical");
  if (lexical.IsNull() || lexical.IsUndefined()) return;
  const std::size_t segments = request.segments.size();
  Napi::Array all = list(given, "lexical", count * segments);
  owned.lexical.resize(count * segments);
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t s = 0; s < segments; ++s) {
      Napi::HandleScope scope(given.Env());
      Napi::Value each = all.Get(static_cast<std::uint32_t>(q * segments + s));
      std::vector<float>& copy = owned.lexical[q * segments + s];
      if (!each.IsNull() && !each.IsUndefined())
        copy = copied(array<float>(each, "lexical", request.segments[s].rows.rows));
      request.queries[q].lexical.emplace_back(copy);
    }
  }
}

std::uint8_t code(double given, std::uint8_t last, const char* name) {
  if (!(given >= 0 && given <= last))
    refuse(name, "codes from 0 to " + std::to_string(last), std::to_string(given));
  return static_cast<std::uint8_t>(given);
}

// outside, count of lines, and 5 numbers a line; or the 3 of a recency.
constexpr std::size_t form_numbers = 2 + 5 * temporal::max_lines;

/// Each query's temporal filter and form, in the codes of binding.d.ts.
template <typename Code>
struct QueryTimeColumns {
  std::span<const double> published_until, window, form;
  std::span<const Code> window_kind, form_kind;
};

template <typename Code>
void read_times(const QueryTimeColumns<Code>& given, std::vector<vector::Query>& queries) {
  for (std::size_t q = 0; q < queries.size(); ++q) {
    vector::Query& query = queries[q];
    query.mask.published_until = given.published_until[q];
    if (const std::uint8_t kind = code(given.window_kind[q], 9, "windowKind"); kind > 0) {
      query.mask.has_window = true;
      query.mask.clock = static_cast<temporal::Clock>((kind - 1) / 3);
      query.mask.relation = static_cast<temporal::Relation>((kind - 1) % 3);
      query.mask.window = {given.window[2 * q], given.window[2 * q + 1]};
    }
    const std::uint8_t kind = code(given.form_kind[q], 8, "formKind");
    if (kind == 0) continue;
    const double* numbers = &given.form[form_numbers * q];
    query.form.validity_first = kind >= 7;
    query.form.combine = kind <= 3 || query.form.validity_first ? temporal::Combine::product
                                                                : temporal::Combine::sum;
    query.form.clock = static_cast<temporal::Clock>((kind - 1) % 3);
    if (query.form.combine == temporal::Combine::product) {
      query.form.outside = numbers[0];
      query.form.line_count = code(numbers[1], temporal::max_lines, "a spline's lines");
      for (std::size_t l = 0; l < query.form.line_count; ++l) {
        const double* line = numbers + 2 + 5 * l;
        query.form.lines[l] = {{line[0], line[1]}, line[2], line[3], line[4]};
      }
    } else {
      query.form.at = numbers[0];
      query.form.floor_days = numbers[1];
      query.form.weight = numbers[2];
    }
  }
}

// terms: string[][] or null, with k1 and b.
void read_terms(const Napi::Object& given, std::size_t count, OwnedRequest& owned) {
  Napi::Value terms = given.Get("terms");
  if (terms.IsNull() || terms.IsUndefined()) return;
  if (owned.segments.size() != owned.request.segments.size())
    refuse("segments", "segments with postings, where there are terms", "rows in memory");
  owned.parameters = bm25_parameters(given);
  Napi::Array all = list(given, "terms", count);
  for (std::uint32_t q = 0; q < count; ++q) {
    Napi::HandleScope scope(given.Env());
    owned.terms.push_back(strings(all.Get(q), "terms"));
  }
}

std::shared_ptr<OwnedRequest> read_request(const Napi::Value& value) {
  if (!value.IsObject()) refuse("request", "an object", kind_of(value));
  Napi::Object given = value.As<Napi::Object>();
  auto owned = std::make_shared<OwnedRequest>();
  vector::Request& request = owned->request;
  const std::size_t count = size(given.Get("count"), "count", 0, 1 << 20);
  request.k = size(given.Get("k"), "k", 0, 4294967295.0);
  request.scope = static_cast<Scope>(size(given.Get("scope"), "scope", 0, 2));
  request.pool = boolean(given.Get("pool"), "pool");
  request.exactness = static_cast<Exactness>(size(given.Get("exactness"), "exactness", 0, 2));
  if (size(given.Get("device"), "device", 0, 1) == 1) owned->device = 0;
  request.queries.resize(count);
  read_segments(given, *owned);
  read_vectors(given, count, *owned);
  auto semantic_weight = column<double>(given, "semanticWeight", count);
  auto lexical_weight = column<double>(given, "lexicalWeight", count);
  for (std::size_t q = 0; q < count; ++q) {
    request.queries[q].semantic_weight = semantic_weight[q];
    request.queries[q].lexical_weight = lexical_weight[q];
  }
  read_lexical(given, count, *owned);
  read_terms(given, count, *owned);
  read_times(QueryTimeColumns<std::uint8_t>{column<double>(given, "publishedUntil", count),
                                            column<double>(given, "window", 2 * count),
                                            column<double>(given, "form", form_numbers * count),
                                            column<std::uint8_t>(given, "windowKind", count),
                                            column<std::uint8_t>(given, "formKind", count)},
             request.queries);
  return owned;
}

Napi::Value results(Napi::Env env, const vector::Result& hits) {
  Napi::Object result = Napi::Object::New(env);
  // What callers of the library are given.
  result.Set("offsets", array_of(env, hits.offsets));
  result.Set("row", array_of(env, hits.row));
  result.Set("score", array_of(env, hits.score));
  result.Set("similarity", array_of(env, hits.similarity));
  result.Set("temporal", array_of(env, hits.temporal));
  auto others = [&](auto visit) {
    visit("segment", hits.segment);
    visit("passage", hits.passage);
    visit("lexical", hits.lexical);
    visit("mention", hits.mention);
    visit("rowsScanned", hits.rows_scanned);
    visit("rowsMasked", hits.rows_masked);
    visit("relevanceMean", hits.relevance_mean);
    visit("relevanceDeviation", hits.relevance_deviation);
    visit("recencyMean", hits.recency_mean);
    visit("recencyDeviation", hits.recency_deviation);
    visit("storage", hits.storage);
    visit("exact", hits.exact);
    visit("rescored", hits.rescored);
    visit("device", hits.device);
  };
  std::size_t bytes = 0;
  others([&](const char*, const auto& values) { bytes += ArraysTogether::bytes_of(values); });
  ArraysTogether together(env, bytes);
  others([&](const char* name, const auto& values) { result.Set(name, together.add(values)); });
  return result;
}

/// The request's segments on its device, for the duration of the search.
struct OnDevice {
  OnDevice(OwnedRequest& owned, const Cancel& cancel) {
    if (!owned.device) return;
    DeviceCache& cache = device_cache(*owned.device);
    for (VisibleRows& segment : owned.request.segments) {
      copies.push_back(
          cache.acquire(segment.rows.device_key, vector::segment_data(segment.rows), cancel));
      segment.resident = copies.back().get();
    }
    owned.request.device = &cache.handle();
  }

  std::vector<std::shared_ptr<cuda::DeviceSegment>> copies;
};

vector::Result run_search(OwnedRequest& owned, const Cancel& cancel) {
  const OnDevice on_device(owned, cancel);
  const auto& queries = owned.request.queries;
  if (std::any_of(queries.begin(), queries.end(), [](const vector::Query& each) {
        return each.form.combine == temporal::Combine::sum;
      })) {
    for (const auto& [s, rows] : owned.in_memory)
      owned.request.segments[s].rows.moments = rows->moments();
  }
  for (std::size_t s = 0; s < owned.live_docs.size(); ++s)
    owned.live_docs[s].apply(owned.request.segments[s]);
  if (owned.terms.empty()) return vector::search(owned.request, cancel);
  return fused_search(owned.request, owned.segments, owned.terms, owned.parameters, cancel);
}

// searchFlat(request, cancellation?): Promise<FlatResult>
Napi::Value search_flat(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [owned = read_request(info[0]), cancel = Cancellation::flag(info[1])] {
      // With more results, each thread's allocator would retain tens of megabytes.
      constexpr std::size_t min_trimmed_results = 1 << 15;
      vector::Result result = run_search(*owned, cancel);
      if (result.row.size() >= min_trimmed_results) trim_allocator();
      return result;
    };
    return start_task(info.Env(), std::move(work), results);
  });
}

// searchFlatSync(rows, vectors, numbers, found): number of results
//
// With cold caches, creating a buffer, looking up a name or copying a list takes as long as
// scanning hundreds of rows. Request and results are therefore numbers in arrays that the caller
// owns.
Napi::Value search_flat_sync(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    if (!MemoryRowsHandle::is(info[0])) refuse("rows", "MemoryRows", kind_of(info[0]));
    const std::shared_ptr<const vector::MemoryRows> rows = MemoryRowsHandle::get(info[0]);
    const std::size_t d = rows->rows().dimensions;
    const std::vector<float> vectors =
        copied(array<float>(info[1], "vectors"));  // memory that threads share may change meanwhile
    const std::size_t count = vectors.size() / d;
    if (count * d != vectors.size())
      refuse("vectors", "a Float32Array of count * " + std::to_string(d),
             "one of " + std::to_string(vectors.size()));
    constexpr std::size_t shared = 2, each = 5 + form_numbers;
    const std::span<const double> numbers =
        array<double>(info[2], "numbers", shared + each * count);
    vector::Request request;
    if (!(numbers[0] >= 0 && numbers[0] <= 4294967295.0))
      refuse("k", "a number from 0 to 4294967295", std::to_string(numbers[0]));
    request.k = static_cast<std::size_t>(numbers[0]);
    request.exactness = static_cast<Exactness>(code(numbers[1], 2, "exactness"));
    request.dimensions = d;
    request.vectors = vectors;
    request.segments.emplace_back().rows = rows->rows();
    request.queries.resize(count);
    auto columns = [&, next = shared](std::size_t width) mutable {
      return numbers.subspan(std::exchange(next, next + width * count), width * count);
    };
    const std::span<const double> published_until = columns(1), window_kind = columns(1),
                                  form_kind = columns(1), window = columns(2),
                                  form = columns(form_numbers);
    read_times(QueryTimeColumns<double>{published_until, window, form, window_kind, form_kind},
               request.queries);
    const std::size_t most = std::min<std::size_t>(request.k, rows->rows().rows) * count;
    const std::span<double> output = array<double>(info[3], "output", 4 * most + 4 * count);
    const vector::Result result = vector::search(request, Cancel());
    if (result.row.size() > most)
      throw std::logic_error("more results of one segment than were asked for");
    auto write = [&, at = output.begin()](const auto& values, std::size_t room) mutable {
      std::copy(values.begin(), values.end(), at);
      at += static_cast<std::ptrdiff_t>(room);
    };
    write(result.row, most);
    write(result.score, most);
    write(result.similarity, most);
    write(result.temporal, most);
    write(std::span(result.offsets).subspan(1), count);
    write(result.storage, count);
    write(result.rescored, count);
    write(result.exact, count);
    return Napi::Number::New(info.Env(), static_cast<double>(result.row.size()));
  });
}

}  // namespace

void export_flat(Napi::Env env, Napi::Object exports) {
  exports.Set("MemoryRows", MemoryRowsHandle::define(env));
  exports.Set("searchFlat", Napi::Function::New(env, search_flat, "searchFlat"));
  exports.Set("searchFlatSync", Napi::Function::New(env, search_flat_sync, "searchFlatSync"));
}

}  // namespace asof::boundary
