// Validation of a search request, and its division into batches of queries. See search.hpp.
#include "cuda/search/search.hpp"

#include <algorithm>

#include "cuda/search/batch_search.hpp"

namespace asof::cuda {
namespace {

constexpr std::uint32_t max_segments = 65535;

/// Searches the queries [first, first + count) of a request.
void search_batch(Device& device, const SearchRequest& request, const ResultSink& sink,
                  std::uint32_t first, std::uint32_t count) {
  std::vector<ScopedSegment> segments(request.segments, request.segments + request.segment_count);
  for (ScopedSegment& each : segments) {
    if (each.lexical != nullptr) each.lexical += first;
    if (each.max_addend != nullptr) each.max_addend += first;
  }
  SearchRequest batch = request;
  batch.segments = segments.data();
  batch.queries += first;
  batch.query_count = count;
  batch.vectors += std::size_t(first) * request.dimensions;
  batch.k += first;
  struct BatchSink {
    const ResultSink& sink;
    std::uint32_t first;
  } batch_sink{sink, first};
  const auto emit = [](void* context, std::uint32_t query, const Hit* hits, std::uint32_t count) {
    const BatchSink& to = *static_cast<BatchSink*>(context);
    to.sink.emit(to.sink.context, to.first + query, hits, count);
  };
  std::uint64_t* rescored = sink.rescored == nullptr ? nullptr : sink.rescored + first;
  BatchSearch(device, batch, {emit, &batch_sink, sink.visible, rescored}).run();
}

}  // namespace

void search(Device& device, const SearchRequest& request, const ResultSink& sink) {
  if (request.query_count == 0 || request.segment_count == 0) return;
  if (request.segment_count > max_segments)
    throw DeviceError(Cause::argument, "Expected at most 65535 segments, received " +
                                           std::to_string(request.segment_count) + ".");
  if (!known(static_cast<Summing>(request.summing)))
    throw DeviceError(Cause::argument, "Expected a summation order of this library, received " +
                                           std::to_string(request.summing) + ".");
  for (std::uint32_t s = 0; s < request.segment_count; ++s) {
    const DeviceSegment* segment = request.segments[s].segment;
    if (segment == nullptr || &segment->device != &device)
      throw DeviceError(Cause::argument,
                        "Expected segments resident on the device, received others.");
    if (segment->dimensions != request.dimensions) {
      throw DeviceError(Cause::argument,
                        "Expected queries of " + std::to_string(segment->dimensions) +
                            " dimensions, received " + std::to_string(request.dimensions) + ".");
    }
  }
  const std::uint32_t size = CandidateLists::max_batch_queries(device, request);
  for (std::uint32_t first = 0; first < request.query_count; first += size)
    search_batch(device, request, sink, first, std::min(size, request.query_count - first));
}

}  // namespace asof::cuda
