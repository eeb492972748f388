#include "boundary/flat_request.hpp"

#include <array>
#include <span>
#include <utility>

#include "boundary/arguments.hpp"
#include "boundary/bm25_parameters.hpp"
#include "boundary/memory_rows.hpp"
#include "boundary/segments.hpp"
#include "index/segment/segment_rows.hpp"

namespace asof::boundary {
namespace {

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
  const Napi::Value counted = given.Get("countedDocs");
  owned.live_docs.resize(count);
  owned.counted.resize(count);
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
    owned.counted[s] = counted_docs(counted, s, segment.rows.passages);
    segment.counted = owned.counted[s];
    owned.request.segments.push_back(segment);
  }
}

void read_vectors(const Napi::Object& given, std::size_t count, OwnedRequest& owned) {
  vector::Request& request = owned.request;
  request.dimensions = size(given.Get("dimensions"), "dimensions", 0, 65536);
  std::span<std::uint8_t> has_vector = column<std::uint8_t>(given, "hasVector", count);
  bool any = false;
  for (std::size_t q = 0; q < count; ++q) {
    request.queries[q].has_vector = has_vector[q] == 1;
    request.queries[q].only_matching = has_vector[q] == 2;
    any = any || has_vector[q] == 1;
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

// What all forms have, and the numbers of a kind, of which a spline has most.
constexpr std::size_t shared_numbers = 8,
                      form_numbers = shared_numbers + 2 + 5 * temporal::max_lines;

/// Means and deviations of relevances and recencies.
standardize::Map standard_of(const double* moments) {
  const auto [mean_to, deviation_to, mean_from, deviation_from] =
      std::array{moments[0], moments[1], moments[2], moments[3]};
  return standardize::map_of({1, mean_from, deviation_from * deviation_from},
                             {1, mean_to, deviation_to * deviation_to});
}

/// Each query's temporal filter and form, in the codes of binding.d.ts.
template <typename Code>
struct QueryTimeColumns {
  std::span<const double> published_until, window, form;
  std::span<const Code> window_kind, form_kind;
};

void read_form(double kind, const double* numbers, vector::Query& query) {
  temporal::Form& form = query.form;
  const auto last = static_cast<std::uint8_t>(temporal::last_kind);
  form.kind = static_cast<temporal::Kind>(code(kind, last, "formKind"));
  if (form.kind == temporal::Kind::none) return;
  const std::uint8_t clock = code(numbers[1], 4, "a form's clock");
  form.combine = static_cast<temporal::Combine>(1 + code(numbers[0], 1, "a form's combination"));
  form.clock = static_cast<temporal::Clock>(clock % 3);
  form.validity_first = clock >= 3;
  form.weight = numbers[2];
  if (numbers[3] != 0) query.standard = standard_of(numbers + 4);
  if (!read(numbers + shared_numbers, form)) refuse("form", "numbers of its kind", "others");
}

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
    read_form(given.form_kind[q], &given.form[form_numbers * q], query);
  }
}

// terms: string[][] or null, with k1 and b.
void read_terms(const Napi::Object& given, std::size_t count, OwnedRequest& owned) {
  Napi::Value terms = given.Get("terms");
  if (terms.IsNull() || terms.IsUndefined()) return;
  if (owned.segments.size() != owned.request.segments.size())
    refuse("segments", "segments with postings, where there are terms", "rows in memory");
  owned.parameters = bm25_parameters(given);
  owned.collection = collection_of(given);
  Napi::Array all = list(given, "terms", count);
  for (std::uint32_t q = 0; q < count; ++q) {
    Napi::HandleScope scope(given.Env());
    owned.terms.push_back(strings(all.Get(q), "terms"));
  }
}

}  // namespace

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
  auto max_lexical = column<double>(given, "maxLexical", count);
  auto limits = column<double>(given, "limits", count);
  for (std::size_t q = 0; q < count; ++q) {
    request.queries[q].semantic_weight = semantic_weight[q];
    request.queries[q].lexical_weight = lexical_weight[q];
    request.queries[q].max_lexical = max_lexical[q];
    if (!(limits[q] >= 0 && limits[q] <= 4294967295.0))
      refuse("limits", "numbers from 0 to 4294967295", std::to_string(limits[q]));
    request.queries[q].k = static_cast<std::size_t>(limits[q]);
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

OwnedRequest read_numbers(const vector::MemoryRows& rows, const Napi::Value& vectors,
                          const Napi::Value& numbers) {
  OwnedRequest owned;
  vector::Request& request = owned.request;
  const std::size_t d = rows.rows().dimensions;
  owned.vectors = copied(array<float>(vectors, "vectors"));
  const std::size_t count = owned.vectors.size() / d;
  if (count * d != owned.vectors.size())
    refuse("vectors", "a Float32Array of count * " + std::to_string(d),
           "one of " + std::to_string(owned.vectors.size()));
  constexpr std::size_t shared = 2, each = 5 + form_numbers;
  const std::span<const double> values = array<double>(numbers, "numbers", shared + each * count);
  if (!(values[0] >= 0 && values[0] <= 4294967295.0))
    refuse("k", "a number from 0 to 4294967295", std::to_string(values[0]));
  request.k = static_cast<std::size_t>(values[0]);
  request.exactness = static_cast<Exactness>(code(values[1], 2, "exactness"));
  request.dimensions = d;
  request.vectors = owned.vectors;
  request.segments.emplace_back().rows = rows.rows();
  request.queries.resize(count);
  auto columns = [&, next = shared](std::size_t width) mutable {
    return values.subspan(std::exchange(next, next + width * count), width * count);
  };
  const std::span<const double> published_until = columns(1), window_kind = columns(1),
                                form_kind = columns(1), window = columns(2),
                                form = columns(form_numbers);
  read_times(QueryTimeColumns<double>{published_until, window, form, window_kind, form_kind},
             request.queries);
  return owned;
}

}  // namespace asof::boundary
