// Identity of immutable host data (a mapped segment, rows in memory) under which caches keep data
// derived from it. Destruction invalidates every device copy made under the key.
#pragma once

#include <compare>
#include <cstdint>

namespace asof {

class CacheKey {
 public:
  CacheKey();
  /// Invalidates the entries of all device caches; does not block on a device.
  ~CacheKey();
  CacheKey(const CacheKey&) = delete;
  CacheKey& operator=(const CacheKey&) = delete;

  /// >= 1, unique within the process.
  std::uint64_t number() const { return number_; }

 private:
  std::uint64_t number_;
};

/// Key numbers of a segment's rows (clocks, passages) and of its vectors; they differ where a file
/// of vectors replaces the segment's own. 0: not cacheable.
struct DeviceCacheKey {
  std::uint64_t rows = 0, vectors = 0;
  auto operator<=>(const DeviceCacheKey&) const = default;
};

}  // namespace asof
