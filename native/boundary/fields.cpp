// Exports that pack fields of passages, filter by them, read them and count their values.
#include "boundary/fields.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/memory_rows.hpp"
#include "boundary/sections.hpp"
#include "boundary/segments.hpp"
#include "boundary/task.hpp"
#include "index/fields/value_counts.hpp"
#include "index/segment/segment_rows.hpp"

namespace asof::boundary {
namespace {

/// Of filters within filters.
constexpr std::size_t max_depth = 64;

/// Rows with fields, and what keeps them.
struct Filtered {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const vector::MemoryRows> in_memory;

  FlatRows rows() const { return segment ? view_rows(*segment) : in_memory->rows(); }
  std::vector<fields::Column> columns() const {
    if (segment) return fields::view_columns(*segment);
    std::vector<fields::Column> columns;
    for (const auto& each : in_memory->columns()) columns.push_back(each.view());
    return columns;
  }
};

Filtered filtered(const Napi::Value& value) {
  if (MemoryRowsHandle::is(value)) return {nullptr, MemoryRowsHandle::get(value)};
  return {segment_of(value), nullptr};
}

std::int32_t field_of(const Napi::Value& value) {
  const double field = number(value, "field");
  if (!(field >= fields::valid_to && field < 65536) || std::floor(field) != field)
    refuse("field", "a whole number from -3", std::to_string(field));
  return static_cast<std::int32_t>(field);
}

fields::Filter filter_of(const Napi::Value& value, std::size_t depth = 0) {
  if (depth > max_depth) refuse("filter", "at most 64 levels deep", "a deeper one");
  const Napi::Object given = object(value, "filter");
  const std::string kind = string(given.Get("kind"), "kind");
  using Kind = fields::Filter::Kind;
  fields::Filter filter;
  if (kind == "all" || kind == "any" || kind == "none") {
    filter.kind = kind == "all" ? Kind::all : kind == "any" ? Kind::any : Kind::none;
    if (!given.Get("of").IsArray()) refuse("of", "an array of filters", kind_of(given.Get("of")));
    const Napi::Array of = given.Get("of").As<Napi::Array>();
    for (std::uint32_t i = 0; i < of.Length(); ++i) {
      const Napi::HandleScope scope(value.Env());
      filter.of.push_back(filter_of(of.Get(i), depth + 1));
    }
    return filter;
  }
  filter.field = field_of(given.Get("field"));
  if (kind == "keywords") {
    filter.kind = Kind::keywords;
    filter.keywords = strings(given.Get("values"), "values");
  } else if (kind == "numbers") {
    filter.kind = Kind::numbers;
    filter.numbers = copied(array<double>(given.Get("values"), "values"));
    if (!std::is_sorted(filter.numbers.begin(), filter.numbers.end()))
      refuse("values", "ascending", "others");
  } else if (kind == "range") {
    filter.kind = Kind::range;
    filter.from = number(given.Get("from"), "from");
    filter.to = number(given.Get("to"), "to");
  } else if (kind == "exists") {
    filter.kind = Kind::exists;
  } else {
    refuse("kind", "all, any, none, keywords, numbers, range or exists", kind);
  }
  return filter;
}

// packFields(fields, passages): { name, data }[]
Napi::Value pack_fields(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto columns = field_columns(info[0], size(info[1], "passages", 0, 4294967294.0));
    const Napi::Array list = Napi::Array::New(info.Env());
    for (std::size_t n = 0; n < columns.size(); ++n) append_sections(list, columns[n].sections(n));
    return list;
  });
}

// filterPassages(rows, filter, cancellation?): Promise<Uint8Array>
Napi::Value filter_passages(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [rows = filtered(info[0]), filter = filter_of(info[1]),
                 cancel = Cancellation::flag(info[2])] {
      const std::vector<fields::Column> columns = rows.columns();
      return fields::passages_that_pass(rows.rows(), columns, filter, cancel);
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<std::uint8_t>& bits) { return array_of(env, bits); });
  });
}

// fieldNumbers(rows, field, passages, cancellation?): Promise<Float64Array>
Napi::Value field_numbers(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [rows = filtered(info[0]), field = field_of(info[1]),
                 passages = copied(array<std::uint32_t>(info[2], "passages")),
                 cancel = Cancellation::flag(info[3])] {
      const FlatRows all = rows.rows();
      const bool known = std::all_of(passages.begin(), passages.end(),
                                     [&](std::uint32_t each) { return each < all.passages; });
      if (!known)
        refuse("passages", "numbers below " + std::to_string(all.passages), "one that is not");
      return fields::numbers_of(all, rows.columns(), field, passages);
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<double>& numbers) { return array_of(env, numbers); });
  });
}

std::vector<fields::CountedSegment> counted_segments(const Napi::Value& segments,
                                                     const Napi::Value& live_docs) {
  if (!segments.IsArray()) refuse("segments", "an array of segments", kind_of(segments));
  const Napi::Array list = segments.As<Napi::Array>();
  if (!live_docs.IsArray() || live_docs.As<Napi::Array>().Length() != list.Length())
    refuse("liveDocs", "an array with an entry for each segment", kind_of(live_docs));
  std::vector<fields::CountedSegment> counted;
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::HandleScope scope(segments.Env());
    fields::CountedSegment& each = counted.emplace_back();
    each.segment = segment_of(list.Get(i));
    const Napi::Value bits = live_docs.As<Napi::Array>().Get(i);
    if (!bits.IsNull()) each.passages = copied(array<std::uint8_t>(bits, "liveDocs"));
  }
  return counted;
}

// countValues(segments, liveDocs, field, most, cancellation?): Promise<{ values, counts }>
Napi::Value count_values(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [segments = counted_segments(info[0], info[1]),
                 field = size(info[2], "field", 0, 65535), most = size(info[3], "most", 1, 65536),
                 cancel = Cancellation::flag(info[4])] {
      return fields::most_frequent_values(segments, field, most, cancel);
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, const std::vector<fields::ValueCount>& found) {
                        Napi::Array values = Napi::Array::New(env, found.size());
                        std::vector<double> counts;
                        for (const fields::ValueCount& each : found) {
                          values.Set(static_cast<std::uint32_t>(counts.size()),
                                     Napi::String::New(env, each.value));
                          counts.push_back(static_cast<double>(each.passages));
                        }
                        Napi::Object result = Napi::Object::New(env);
                        result.Set("values", values);
                        result.Set("counts", array_of(env, counts));
                        return result;
                      });
  });
}

}  // namespace

std::vector<fields::OwnedColumn> field_columns(const Napi::Value& value, std::size_t passages) {
  if (!value.IsArray()) refuse("fields", "an array of columns", kind_of(value));
  const Napi::Array list = value.As<Napi::Array>();
  std::vector<fields::OwnedColumn> columns;
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::HandleScope scope(value.Env());
    const Napi::Object given = object(list.Get(i), "a field");
    if (!given.Get("numbers").IsUndefined()) {
      columns.push_back(
          fields::pack_numbers(copied(array<double>(given.Get("numbers"), "numbers", passages))));
      continue;
    }
    columns.push_back(fields::pack_keywords(
        {copied(array<std::uint8_t>(given.Get("termBytes"), "termBytes")),
         copied(array<std::uint32_t>(given.Get("termOffsets"), "termOffsets")),
         copied(array<std::uint32_t>(given.Get("rowOffsets"), "rowOffsets", passages + 1)),
         copied(array<std::uint32_t>(given.Get("rowTerms"), "rowTerms"))}));
  }
  return columns;
}

void export_fields(Napi::Env env, Napi::Object exports) {
  exports.Set("packFields", Napi::Function::New(env, pack_fields, "packFields"));
  exports.Set("filterPassages", Napi::Function::New(env, filter_passages, "filterPassages"));
  exports.Set("fieldNumbers", Napi::Function::New(env, field_numbers, "fieldNumbers"));
  exports.Set("countValues", Napi::Function::New(env, count_values, "countValues"));
}

}  // namespace asof::boundary
