// C interface of asof_cuda, the CUDA library that the addon loads at run time: plain structs and
// function pointers, guarded by a version number.
//
// Ownership: arguments are borrowed for the duration of the call, and an opened device or loaded
// segment copies what it needs. A DeviceSegment or a Trainer must be closed before its Device;
// closing null is a no-op.
// Errors: no exception crosses the interface; a call that fails returns false and fills Failure.
// Versions: interface_version is raised with every change of a struct, of the function order or of
// a meaning. The loader checks `version` and `bytes` before any other call. Both sides are compiled
// from this header, by compilers of one ABI.
// Threads: every function may be called from any thread. Calls to one device are serialized inside
// the library. Callbacks (stop, emit) must not throw and must not call the library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/exactness.hpp"
#include "encoder/time_network.hpp"
#include "temporal/forms.hpp"

namespace asof::cuda {

inline constexpr std::uint32_t interface_version = 5;

/// unavailable: no driver, or no such device. memory: device memory (or its limit) or host memory
/// is exhausted; the text says which. aborted: a stop callback returned true. argument: an argument
/// is invalid. failed: an error of the CUDA runtime, in its own words; the device may be lost.
enum class Cause : std::uint32_t { none, unavailable, memory, aborted, argument, failed };

struct Failure {
  Cause cause = Cause::none;
  char text[508] = {};
};

struct DeviceInfo {
  char name[256];
  std::uint64_t memory, free;  // bytes
  std::uint32_t major, minor;  // compute capability
  std::uint32_t processors;    // streaming multiprocessors
};

/// One clock of a segment (temporal/clock_view.hpp). Null `start`: no row has the clock.
struct ClockData {
  std::uint32_t wide = 0;  // 1: 64-bit ticks; 0: 32-bit ticks
  double unit_ms = 1, origin_ms = 0;
  const void *start = nullptr, *end = nullptr;
  const std::uint32_t* offset = nullptr;  // rows + 1, or null
  std::uint64_t times = 0;                // length of start, and of end unless that is null
};

/// Format of the vectors that the scan multiplies. bf16 and int8 are quantized panels and have the
/// values of quantized::Storage. f32 has no panels: the scan multiplies the vectors themselves
/// (FFMA with a certified error bound), and its results are always exact.
enum class VectorStorage : std::uint32_t { bf16 = 0, int8 = 1, f32 = 0x100 };

/// Rows of a segment (index/rows/flat_rows.hpp) with the panels of their vectors. What does not fit
/// in device memory stays on the host and must outlive the DeviceSegment: panels are then streamed
/// in pages, and the f32 vectors of candidates are gathered.
struct SegmentData {
  std::uint64_t rows = 0, passages = 0, dimensions = 0;
  VectorStorage storage = VectorStorage::bf16;
  const std::uint8_t* panels = nullptr;  // null for f32
  const void* records = nullptr;         // quantized::PanelRecord; null for f32
  const float* vectors = nullptr;
  const std::uint32_t* row_passage = nullptr;
  ClockData published, validity, content;
  bool (*stop)(void* context) = nullptr;  // polled between copies of some MiB; or null
  void* context = nullptr;
};

/// Compiled mask of a segment (index/rows/mask.hpp), ticks widened to 64 bits.
struct MaskData {
  std::uint32_t has_published = 0, has_window = 0;
  temporal::Relation relation = temporal::Relation::overlaps;
  temporal::Clock clock = temporal::Clock::content;
  std::int64_t published_until = 0, start_floor = 0, start_ceil = 0, end_floor = 0, end_ceil = 0,
               last_ceil = 0;
};

struct QueryData {
  double semantic_weight = 1, lexical_weight = 0;
  std::uint32_t mask = 0;  // index into the request's masks
  temporal::Form form;
  temporal::Standard normalization{};
  double max_factor = 1;  // upper bound of a row's temporal factor; in [0, 2]
};

struct DeviceSegment;  // a segment resident in device memory

/// A segment of a request with the rows in scope.
struct ScopedSegment {
  DeviceSegment* segment = nullptr;
  std::uint64_t first_row = 0, last_row = 0;
  const std::uint8_t* visible = nullptr;  // bitmap over passages, or null for all
  const MaskData* masks = nullptr;        // mask_count
  const float* const* lexical = nullptr;  // query_count arrays, each or all null: one score for
                                          // each row below last_row
  const double* max_addend = nullptr;     // query_count: upper bound of lexical plus recency score
};

struct SearchRequest {
  const ScopedSegment* segments = nullptr;
  std::uint32_t segment_count = 0, query_count = 0, mask_count = 0, dimensions = 0;
  const QueryData* queries = nullptr;
  const float* vectors = nullptr;              // query_count * dimensions
  const std::uint32_t* k = nullptr;            // query_count
  std::uint32_t pool = 0;                      // 1: one result a passage, its best row
  Exactness exactness = Exactness::certified;  // of segments with panels
  std::uint32_t summing = 0;              // candidates::Summing: the summation order of the host
  bool (*stop)(void* context) = nullptr;  // polled between launches
  void* context = nullptr;
};

/// A candidate row. The hits of a query include its best k rows, in no particular order.
struct Hit {
  double score;
  std::uint32_t row, segment, passage;
  float similarity;
};

struct ResultSink {
  /// Called at most once per query.
  void (*emit)(void* context, std::uint32_t query, const Hit* hits, std::uint32_t count) = nullptr;
  void* context = nullptr;
  std::uint64_t* visible = nullptr;   // mask_count: rows in scope that pass the mask
  std::uint64_t* rescored = nullptr;  // query_count: rows whose f32 vectors were read
};

struct Trainer;  // training state of a time encoder on a device: rows, dates, examples, parameters
                 // and moments

/// Training problem (native/training/time_encoder.hpp): the network, the rows that it fuses and the
/// examples. `fixed` are the features without parameters (`direct`: 8 a row, as time_part computes
/// them, 0 where unknown; `absolute`: 64 a row), null for the other kinds.
struct TrainerData {
  TimeNetwork network;
  TimeLayout layout{};
  std::uint64_t rows = 0, examples = 0;
  const float* vectors = nullptr;  // rows * dimensions
  calendar::Parts dates{};         // one a row; read only
  const calendar::FeatureTables* tables = nullptr;
  const float* fixed = nullptr;
  // Row numbers, one an example; a negative of 0xffffffff means none.
  const std::uint32_t *question = nullptr, *positive = nullptr, *negative = nullptr;
  double temperature = 0.1, margin = 0.2, hard = 0.1, time = 0.1;
  std::uint32_t summing = 0;  // candidates::Summing: the summation order of the host
};

/// One training step (training::AdamStep).
struct TrainStep {
  const std::uint32_t* batch = nullptr;  // example numbers
  std::uint32_t count = 0;
  std::uint32_t update = 1;  // 0: compute the gradient only
  float rate = 0, beta1 = 0, beta2 = 0, correction1 = 1, correction2 = 1, epsilon = 0, decay = 0;
};

struct Device;

struct Interface {
  std::uint32_t version, bytes;  // interface_version, sizeof(Interface)
  const char* build;             // compiler of the library
  bool (*count)(std::uint32_t* devices, Failure* failure);
  bool (*info)(std::uint32_t ordinal, DeviceInfo* info, Failure* failure);
  /// memory_limit: bytes of device memory the library may allocate; 0: 15/16 of the free memory.
  bool (*open)(std::uint32_t ordinal, std::uint64_t memory_limit, Device** device,
               Failure* failure);
  void (*close)(Device* device);
  bool (*load)(Device* device, const SegmentData* data, DeviceSegment** segment, Failure* failure);
  void (*unload)(DeviceSegment* segment);
  bool (*search)(Device* device, const SearchRequest* request, const ResultSink* sink,
                 Failure* failure);

  // Training. Parameters and moments of a new trainer are zeros: write them first.
  bool (*create_trainer)(Device* device, const TrainerData* data, Trainer** trainer,
                         Failure* failure);
  void (*destroy_trainer)(Trainer* trainer);
  /// Parameters and moments, layout.total numbers each; null pointers are skipped.
  bool (*write_state)(Trainer* trainer, const float* parameters, const float* first_moment,
                      const float* second_moment, Failure* failure);
  bool (*read_state)(Trainer* trainer, float* parameters, float* first_moment, float* second_moment,
                     Failure* failure);
  /// Mean loss of the batch, its gradient unless that is null, and a step of AdamW, which is
  /// skipped if the loss is not finite.
  bool (*step)(Trainer* trainer, const TrainStep* step, double* loss, float* gradient,
               Failure* failure);
};

}  // namespace asof::cuda

extern "C" const asof::cuda::Interface* asof_cuda_interface();
