// Exports of the flat scan: searchFlat, searchFlatSync. A search copies its request on the JS
// thread and keeps the memory that it scans alive until it ends.
#include <napi.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/flat_request.hpp"
#include "boundary/memory_rows.hpp"
#include "boundary/task.hpp"
#include "core/trim_allocator.hpp"
#include "device/cache.hpp"
#include "index/vector/fused_search.hpp"
#include "index/vector/on_device.hpp"
#include "index/vector/search.hpp"

namespace asof::boundary {
namespace {

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
      segment.rows.vectors.verify_all(cancel);
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
  if (std::any_of(queries.begin(), queries.end(),
                  [](const vector::Query& each) { return each.normalizes(); })) {
    for (const auto& [s, rows] : owned.in_memory)
      owned.request.segments[s].rows.moments = rows->moments();
  }
  for (std::size_t s = 0; s < owned.live_docs.size(); ++s)
    owned.live_docs[s].apply(owned.request.segments[s]);
  if (owned.terms.empty()) return vector::search(owned.request, cancel);
  return fused_search(
      owned.request, owned.segments,
      {owned.terms, owned.parameters, owned.collection ? &*owned.collection : nullptr}, cancel);
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

// searchFlatSync(rows, vectors, numbers, output): number of results
//
// With cold caches, creating a buffer, looking up a name or copying a list takes as long as
// scanning hundreds of rows. Request and results are therefore numbers in arrays that the caller
// owns.
Napi::Value search_flat_sync(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    if (!MemoryRowsHandle::is(info[0])) refuse("rows", "MemoryRows", kind_of(info[0]));
    const std::shared_ptr<const vector::MemoryRows> rows = MemoryRowsHandle::get(info[0]);
    const OwnedRequest owned = read_numbers(*rows, info[1], info[2]);
    const std::size_t count = owned.request.queries.size();
    const std::size_t most = std::min<std::size_t>(owned.request.k, rows->rows().rows) * count;
    const std::span<double> output = array<double>(info[3], "output", 4 * most + 4 * count);
    const vector::Result result = vector::search(owned.request, Cancel());
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
