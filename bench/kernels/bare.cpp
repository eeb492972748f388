// Three kernels without Node and without copies of their arguments, as scans and fusing call them:
// the spline of a million rows, FiLM with its normalisation of a hundred thousand x
// 384, and a copy of as many bytes. One thread, processor time. It checks no result; the tests do.
// usage: bare ROUNDS      prints a line for each kernel: its name and the milliseconds of every
// round
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/film/contract.hpp"
#include "kernels/spline/contract.hpp"

namespace {

constexpr std::size_t rows = 1'000'000, film_rows = 100'000, dimensions = 384;
constexpr double day = 86'400'000;

template <typename Work>
void timed(const char* name, int rounds, Work work) {
  work();  // touches the pages of what it writes
  std::printf("%s", name);
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t started = std::clock();
    work();
    std::printf(" %.4f", 1000.0 * static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC);
  }
  std::printf("\n");
}

std::vector<float> floats(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<float> each(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = each(random);
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 9;
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int32_t> any_day(-20'000, 20'000);
  std::vector<std::int32_t> starts(rows), ends(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    starts[row] = any_day(random);
    ends[row] = starts[row] + 1 + static_cast<std::int32_t>(row % 400);
  }
  std::vector<std::uint32_t> offsets(rows + 1);
  std::iota(offsets.begin(), offsets.end(), 0u);
  std::vector<float> out(rows);
  const asof::TickScale scale{day, 0};
  const asof::spline::Line line{-9000 * day, 9000 * day, 0.6, 1, 0.5, day};
  timed("spline", rounds, [&] {
    asof::spline::kernels().ticks32({starts.data(), ends.data(), offsets.data(), rows}, scale, line,
                                    out.data());
  });
  const std::vector<float> x = floats(film_rows * dimensions, random),
                           gamma = floats(x.size(), random), beta = floats(x.size(), random);
  const std::vector<std::uint8_t> timed_rows(film_rows, 1);
  std::vector<float> y(x.size());
  const asof::film::Rows film{x.data(),          gamma.data(), beta.data(),
                              timed_rows.data(), film_rows,    dimensions};
  timed("film", rounds, [&] { asof::film::kernels().rows(film, 0.3, y.data(), nullptr); });
  // What memory allows: the system's own copy of as many bytes, half of them read and half written,
  // where FiLM reads three for one that it writes.
  timed("copy", rounds, [&] {
    std::memcpy(y.data(), x.data(), x.size() * sizeof(float));
    std::memcpy(y.data(), gamma.data(), x.size() * sizeof(float));
  });
  return 0;
}
