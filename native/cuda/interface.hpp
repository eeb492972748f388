// The interface between the addon and its CUDA library (asof_cuda), which is opened at run time
// where it is found: plain structs and functions of C, checked by version before anything else is
// called. Everything passed in is borrowed for the call, but what an opened device or a resident
// segment is made of is copied. No exception crosses it: a call that fails returns false and says
// why.
//
// Versions. interface_version is raised with every change of a struct, of an order or of a meaning;
// who opens the library checks `version` and `bytes` and calls nothing where they differ from what
// it was compiled with. Both sides are compiled from this header, by compilers of one ABI.
// Callbacks (stop, take) throw nothing, and call nothing of the library.
// Threads. Every function may be called from any thread. Calls of one device take turns inside the
// library; those of different devices do not. Life. A Resident or a Trainer is closed before its
// Device; closing null is nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "encoder/time_network.hpp"
#include "index/vector/times/forms.hpp"

namespace asof::cuda {

inline constexpr std::uint32_t interface_version = 3;

/// unavailable: no driver, no device, none of that number. memory: the device's (or the budget's)
/// or the host's is too small: the text says what of. aborted: a stop said so. argument: what the
/// caller gave cannot be. failed: the runtime's own sentence; the device may be lost.
enum class Cause : std::uint32_t { none, unavailable, memory, aborted, argument, failed };

struct Failure {
  Cause cause = Cause::none;
  char text[508] = {};
};

struct DeviceFacts {
  char name[256];
  std::uint64_t memory, free;  // bytes
  std::uint32_t major, minor;  // of its instructions
  std::uint32_t processors;
};

/// A clock of a segment (index/vector/times/clock_view.hpp). No `start`: no row has it.
struct ClockData {
  std::uint32_t wide = 0;  // ticks of 64 bits, else of 32
  double unit_ms = 1, origin_ms = 0;
  const void *start = nullptr, *end = nullptr;
  const std::uint32_t* offset = nullptr;  // rows + 1, or null
  std::uint64_t times = 0;                // of start, and of end where there is one
};

/// What a segment's vectors are multiplied as. bf16 and int8 are quantized::Storage's numbers, and
/// have panels; f32 has none: its vectors themselves are multiplied (by FFMA, with a certified
/// bound of their own), and a search of it is always exact.
enum class Stored : std::uint32_t { bf16 = 0, int8 = 1, f32 = 0x100 };

/// A segment's rows (index/vector/rows.hpp), with the panels of their vectors. What finds no room
/// on the device stays with the caller, who keeps this memory as long as the segment is resident:
/// panels are then read in pages, and f32 vectors of candidates gathered.
struct SegmentData {
  std::uint64_t rows = 0, passages = 0, dimensions = 0;
  Stored storage = Stored::bf16;
  const std::uint8_t* panels = nullptr;  // null for f32
  const void* records = nullptr;         // quantized::PanelRecord; null for f32
  const float* vectors = nullptr;
  const std::uint32_t* row_passage = nullptr;
  ClockData published, validity, content;
  bool (*stop)(void* context) =
      nullptr;  // asked between pieces of some MiB while they are copied; or null
  void* context = nullptr;
};

/// index/vector/times/mask.hpp's compiled mask of a segment, ticks as 64 bits.
struct MaskData {
  std::uint32_t has_published = 0, has_window = 0;
  vector::Relation relation = vector::Relation::overlaps;
  vector::Clock clock = vector::Clock::content;
  std::int64_t published_until = 0, start_floor = 0, start_ceil = 0, end_floor = 0, end_ceil = 0,
               last_ceil = 0;
};

struct StandardData {
  double mean_from = 0, factor = 0, mean_to = 0;
};

struct QueryData {
  double semantic_weight = 1, lexical_weight = 0;
  std::uint32_t mask = 0;  // which of the request's
  vector::Form form;
  StandardData standard;
  double most_factor = 1;  // no row's c is greater; within [0, 2]
};

struct Resident;  // a segment on a device

/// A segment of a request.
struct Part {
  Resident* segment = nullptr;
  std::uint64_t first_row = 0, last_row = 0;  // in scope
  const std::uint8_t* visible = nullptr;      // a bit a passage, or null
  const MaskData* masks = nullptr;            // one a mask of the request
  const float* const* lexical = nullptr;      // one a query: a float a row, or null; or null
  const double* most_more = nullptr;          // one a query: no row's words and recency add more
};

struct SearchData {
  const Part* parts = nullptr;
  std::uint32_t part_count = 0, query_count = 0, mask_count = 0, dimensions = 0;
  const QueryData* queries = nullptr;
  const float* vectors = nullptr;       // d a query
  const std::uint32_t* keep = nullptr;  // k of each query
  std::uint32_t pool = 0;
  vector::Exactness exactness = vector::Exactness::certified;  // of segments that have panels
  std::uint32_t summing = 0;              // candidates::Summing: the host's level
  bool (*stop)(void* context) = nullptr;  // asked between launches
  void* context = nullptr;
};

/// A row found. The best k of a query are among those that are handed over, in no order.
struct FoundRow {
  double score;
  std::uint32_t row, part, passage;
  float similarity;
};

struct FoundData {
  void (*take)(void* context, std::uint32_t query, const FoundRow* rows,
               std::uint32_t count) = nullptr;  // at most once a query
  void* context = nullptr;
  std::uint64_t* visible = nullptr;   // one a mask: rows in scope that it shows
  std::uint64_t* rescored = nullptr;  // one a query: rows whose f32 vectors were read
};

/// n instants: milliseconds since 1970 as double (NaN: none, infinities: open), or ticks of 4 or 8
/// bytes with kernels/ticks.hpp's reserved values.
struct InstantData {
  const void* values = nullptr;
  std::uint32_t tick_bytes = 0;  // 0: milliseconds, unit and origin are not read; 4; 8
  double unit_ms = 1, origin_ms = 0;
};

/// kernels/recency: out[i] = 1 / max(days from instant i to at_ms, floor_days), NaN without an
/// instant. The host's bits.
struct RecencyData {
  InstantData published;
  std::uint64_t rows = 0;
  double at_ms = 0, floor_days = 1;
  float* out = nullptr;
};

/// kernels/spline: row r has the intervals [offsets[r], offsets[r + 1]), or interval r where
/// offsets is null. The host's bits.
struct SplineData {
  InstantData starts, ends;                // of one width and encoding
  const std::uint32_t* offsets = nullptr;  // rows + 1, ascending, or null
  std::uint64_t rows = 0;
  double start_ms = 0, end_ms = 0, at_start = 1, at_end = 1, outside = 1, unit_ms = 0;
  float* out = nullptr;
};

/// kernels/calendar: the parts of instants, and their features where `features` is not null (4 a
/// row). The host's bits: `tables` are its calendar::feature_tables().
struct CalendarData {
  const double* instants = nullptr;
  const std::uint8_t* granularity = nullptr;
  std::uint64_t rows = 0;
  calendar::Parts parts{};
  const calendar::FeatureTables* tables = nullptr;  // read where features are wanted
  float* features = nullptr;
};

/// kernels/film: within its contract's tolerance. y may be x.
struct FilmData {
  const float *x = nullptr, *gamma = nullptr, *beta = nullptr;
  const std::uint8_t* timed = nullptr;
  std::uint64_t rows = 0, dimensions = 0;
  double alpha = 1;
  float* y = nullptr;
  std::uint8_t* refused = nullptr;        // one a row, or null
  std::uint64_t* refused_rows = nullptr;  // their number, or null
};

struct Trainer;  // a time encoder's training on a device: rows, dates, examples, parameters and
                 // moments

/// What native/training/time_encoder.hpp trains: a network, the rows it fuses and examples of them.
/// `fixed` are the features that no parameter makes
/// (`direct`: 8 a row, as time_part gives them, 0 where unknown; `absolute`: 64), null for the
/// other kinds.
struct TrainerData {
  TimeNetwork network;
  TimeLayout layout{};
  std::uint64_t rows = 0, examples = 0;
  const float* vectors = nullptr;  // rows * dimensions
  calendar::Parts dates{};         // one a row; only read
  const calendar::FeatureTables* tables = nullptr;
  const float* fixed = nullptr;
  const std::uint32_t *question = nullptr, *positive = nullptr,
                      *negative = nullptr;  // negative: 0xffffffff for none
  double temperature = 0.1, margin = 0.2, hard = 0.1, time = 0.1;
  std::uint32_t summing = 0;  // candidates::Summing: the host's level
};

/// training::AdamStep, or none at all.
struct TrainStep {
  const std::uint32_t* batch = nullptr;  // numbers of examples
  std::uint32_t count = 0;
  std::uint32_t moves = 1;  // 0: the gradient alone
  float rate = 0, beta1 = 0, beta2 = 0, correction1 = 1, correction2 = 1, epsilon = 0, decay = 0;
};

struct Device;

struct Interface {
  std::uint32_t version, bytes;  // interface_version, sizeof(Interface)
  const char* build;             // which compiler
  bool (*count)(std::uint32_t* devices, Failure* failure);
  bool (*facts)(std::uint32_t ordinal, DeviceFacts* facts, Failure* failure);
  /// memory_most: bytes of its memory that may be taken; 0: all but a sixteenth of what is free
  /// now.
  bool (*open)(std::uint32_t ordinal, std::uint64_t memory_most, Device** device, Failure* failure);
  void (*close)(Device* device);
  bool (*load)(Device* device, const SegmentData* segment, Resident** resident, Failure* failure);
  void (*unload)(Resident* resident);
  bool (*search)(Device* device, const SearchData* search, const FoundData* found,
                 Failure* failure);

  // Kernels of one number or vector a row, from and to memory of the host, in pieces where the
  // device has little.
  bool (*recency)(Device* device, const RecencyData* rows, Failure* failure);
  bool (*spline)(Device* device, const SplineData* rows, Failure* failure);
  bool (*calendar)(Device* device, const CalendarData* rows, Failure* failure);
  bool (*film)(Device* device, const FilmData* rows, Failure* failure);

  // Training. A trainer starts with zeros for parameters and moments: write them first.
  bool (*train)(Device* device, const TrainerData* data, Trainer** trainer, Failure* failure);
  void (*end_training)(Trainer* trainer);
  /// layout.total numbers each; a null pointer leaves what there is.
  bool (*write_state)(Trainer* trainer, const float* parameters, const float* first,
                      const float* second, Failure* failure);
  bool (*read_state)(Trainer* trainer, float* parameters, float* first, float* second,
                     Failure* failure);
  /// The batch's mean loss, its gradient where that is not null, and a step of AdamW. Where the
  /// loss is no finite number nothing moves.
  bool (*step)(Trainer* trainer, const TrainStep* step, double* loss, float* gradient,
               Failure* failure);
};

}  // namespace asof::cuda

extern "C" const asof::cuda::Interface* asof_cuda_interface();
