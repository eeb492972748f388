// Cases that are made by drawing numbers: a seed, and draws that others replace. A case like
// another has some of its draws replaced.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include "fuzz/random.hpp"

namespace fuzz {

struct Draws {
  std::uint64_t seed = 0;
  std::map<std::uint64_t, std::uint64_t> replaced;  // by place
};

/// The numbers of a case.
class Drawing {
 public:
  explicit Drawing(const Draws& draws) : draws_(draws), random_(draws.seed) {}
  std::uint64_t next() {
    const std::uint64_t drawn = random_.next();
    const auto other = draws_.replaced.find(at_++);
    return other == draws_.replaced.end() ? drawn : other->second;
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
  bool chance(std::size_t in) { return below(in) == 0; }
  float normal() {
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<float>(below(1 << 20)) * 0x1p-20f;
    return sum - 2;
  }

 private:
  const Draws& draws_;
  Random random_;
  std::uint64_t at_ = 0;
};

/// A fuzzer of `run` for the driver.
struct DrawnFuzzer {
  using Input = Draws;
  const char* name;
  const char* holds;
  void (*run)(const Draws& draws);

  Draws fresh(std::uint64_t seed, std::uint64_t number) const { return {seed + number, {}}; }
  Draws changed(const Draws& input, const Draws&, Random& random) const {
    Draws made = input;
    for (std::size_t left = 1 + random.below(4); left > 0; --left) {
      // The first draws decide the most.
      const double share = static_cast<double>(random.below(1 << 20)) * 0x1p-20;
      made.replaced[static_cast<std::uint64_t>(std::pow(4096.0, share)) - 1] = random.next();
    }
    while (made.replaced.size() > 64) made.replaced.erase(std::prev(made.replaced.end()));
    return made;
  }
  std::string written(const Draws& input) const {
    std::ostringstream text;
    text << input.seed;
    for (const auto& [at, value] : input.replaced) text << ' ' << at << ' ' << value;
    text << '\n';
    return text.str();
  }
  Draws read(const std::string& text) const {
    std::istringstream words(text);
    Draws input;
    words >> input.seed;
    for (std::uint64_t at = 0, value = 0; words >> at >> value;) input.replaced[at] = value;
    return input;
  }
  void check(const Draws& input, bool) const { run(input); }
};

}  // namespace fuzz
