// The interface between the addon and its CUDA library (asof_cuda), which is opened at run time where it is found: plain structs and functions of C,
// checked by version before anything else is called. Everything passed in is borrowed for the call, but what an opened device or a
// resident segment is made of is copied. No exception crosses it: a call that fails returns false and says why.
#pragma once

#include <cstddef>
#include <cstdint>

#include "index/flat/forms.hpp"

namespace asof::cuda {

inline constexpr std::uint32_t interface_version = 1;

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

/// A clock of a segment (index/flat/clock_view.hpp). No `start`: no row has it.
struct ClockData {
  std::uint32_t wide = 0;  // ticks of 64 bits, else of 32
  double unit_ms = 1, origin_ms = 0;
  const void *start = nullptr, *end = nullptr;
  const std::uint32_t* offset = nullptr;  // rows + 1, or null
  std::uint64_t times = 0;                // of start, and of end where there is one
};

/// A segment's rows (index/flat/rows.hpp), with the panels of their vectors.
struct SegmentData {
  std::uint64_t rows = 0, passages = 0, dimensions = 0;
  std::uint32_t storage = 0;  // quantized::Storage of the panels
  const std::uint8_t* panels = nullptr;
  const void* records = nullptr;  // quantized::PanelRecord
  const float* vectors = nullptr;
  const std::uint32_t* row_passage = nullptr;
  ClockData published, validity, content;
};

/// index/flat/mask.hpp's compiled mask of a segment, ticks as 64 bits.
struct MaskData {
  std::uint32_t has_published = 0, has_window = 0;
  flat::Relation relation = flat::Relation::overlaps;
  flat::Clock clock = flat::Clock::content;
  std::int64_t published_until = 0, start_floor = 0, start_ceil = 0, end_floor = 0, end_ceil = 0, last_ceil = 0;
};

struct StandardData {
  double mean_from = 0, factor = 0, mean_to = 0;
};

struct QueryData {
  double semantic_weight = 1, lexical_weight = 0;
  std::uint32_t mask = 0;  // which of the request's
  flat::Form form;
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
  const float* vectors = nullptr;      // d a query
  const std::uint32_t* keep = nullptr;  // k of each query
  std::uint32_t pool = 0;
  flat::Exactness exactness = flat::Exactness::certified;
  std::uint32_t summing = 0;  // candidates::Summing: the host's level
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
  void (*take)(void* context, std::uint32_t query, const FoundRow* rows, std::uint32_t count) = nullptr;
  void* context = nullptr;
  std::uint64_t* visible = nullptr;   // one a mask: rows in scope that it shows
  std::uint64_t* rescored = nullptr;  // one a query: rows whose f32 vectors were read
};

struct Device;

struct Interface {
  std::uint32_t version, bytes;  // interface_version, sizeof(Interface)
  const char* build;             // which compiler and which architectures
  bool (*count)(std::uint32_t* devices, Failure* failure);
  bool (*facts)(std::uint32_t ordinal, DeviceFacts* facts, Failure* failure);
  bool (*open)(std::uint32_t ordinal, std::uint64_t memory_most, Device** device, Failure* failure);
  void (*close)(Device* device);
  bool (*load)(Device* device, const SegmentData* segment, Resident** resident, Failure* failure);
  void (*unload)(Resident* resident);
  bool (*search)(Device* device, const SearchData* search, const FoundData* found, Failure* failure);
};

}  // namespace asof::cuda

extern "C" const asof::cuda::Interface* asof_cuda_interface();
