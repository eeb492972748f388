// The callback of -fsanitize-coverage=trace-pc, which GCC and Clang call in each basic block.
#include "fuzz/coverage.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

extern "C" char __executable_start;  // of the linker: addresses differ from run to run

namespace {

constexpr std::size_t edges = std::size_t{1} << 16;
std::array<std::uint8_t, edges> passed;    // by this case
std::array<std::uint16_t, edges> reached;  // by any: bit b of those that passed 2^b times
thread_local std::uintptr_t before = 0;

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
  const auto at = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) -
                  reinterpret_cast<std::uintptr_t>(&__executable_start);
  const std::uintptr_t block = at * 0x9e3779b97f4a7c15 >> 48;
  std::uint8_t& times = passed[(block ^ before) % edges];
  if (times < 255) times += 1;
  before = block >> 1;
}

namespace fuzz {

void begin_coverage() {
  passed.fill(0);
  before = 0;
}

bool is_new_coverage() {
  bool fresh = false;
  for (std::size_t edge = 0; edge < edges; ++edge) {
    if (passed[edge] == 0) continue;
    const auto bit = static_cast<std::uint16_t>(1u << (std::bit_width(passed[edge]) - 1));
    fresh = fresh || (reached[edge] & bit) == 0;
    reached[edge] |= bit;
  }
  return fresh;
}

}  // namespace fuzz
