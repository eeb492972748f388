// The name of a piece of the host's memory that searches read (a segment's mapping, rows in
// memory), for as long as that lives. Devices keep copies under such names and let them go when the
// name ends. It copies nothing and knows no device.
#pragma once

#include <compare>
#include <cstdint>

namespace asof {

class Residence {
 public:
  Residence();
  /// Tells whoever keeps copies; waits for no device.
  ~Residence();
  Residence(const Residence&) = delete;
  Residence& operator=(const Residence&) = delete;

  /// From 1; never given twice in a process.
  std::uint64_t number() const { return number_; }

 private:
  std::uint64_t number_;
};

/// Whose rows (clocks, passages) and whose vectors are searched: the same, but where a file of
/// vectors stands in. 0: nobody's.
struct ResidenceKey {
  std::uint64_t rows = 0, vectors = 0;
  auto operator<=>(const ResidenceKey&) const = default;
};

}  // namespace asof
