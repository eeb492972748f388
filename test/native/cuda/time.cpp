// Kernels of one row each, emulated, against the plain CPU forms: recency, splines and calendars
// bit for bit, FiLM within its contract.
#include "cuda/kernels/time/rows.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "../check.hpp"
#include "kernels/film/contract.hpp"
#include "kernels/recency/contract.hpp"

using namespace asof;
namespace time_rows = asof::cuda::time;

namespace {

constexpr double day = 86'400'000, infinity = std::numeric_limits<double>::infinity();

dim3 blocks_for(std::size_t threads) {
  return dim3(
      static_cast<unsigned>((threads + time_rows::row_threads - 1) / time_rows::row_threads));
}
cuda::Launch over(std::size_t threads) {
  return {blocks_for(threads), time_rows::row_threads, 0, nullptr};
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

template <typename Instant>
std::vector<Instant> instants(std::mt19937_64& random, std::size_t n) {
  std::vector<Instant> made(n);
  for (std::size_t i = 0; i < n; ++i) {
    made[i] = static_cast<Instant>(static_cast<std::int64_t>(random() % 40000) - 20000);
    if constexpr (std::is_same_v<Instant, double>) {
      made[i] = made[i] * day + static_cast<double>(random() % 1000) / 8;
      if (i % 11 == 3) made[i] = std::nan("");
      if (i % 13 == 4) made[i] = i % 2 == 0 ? infinity : -infinity;
    } else {
      if (i % 11 == 3) made[i] = ReservedTicks<Instant>::absent;
      if (i % 13 == 4)
        made[i] = i % 2 == 0 ? ReservedTicks<Instant>::past : ReservedTicks<Instant>::future;
    }
  }
  return made;
}

template <typename Instant>
auto of_kind(const auto& kernels) {
  if constexpr (std::is_same_v<Instant, double>)
    return kernels.milliseconds;
  else if constexpr (sizeof(Instant) == 4)
    return kernels.ticks32;
  else
    return kernels.ticks64;
}

template <typename Instant>
void check_rows(std::size_t n) {
  std::mt19937_64 random(n);
  const TickScale scale{day, 3 * day};
  const auto starts = instants<Instant>(random, 3 * n), ends = instants<Instant>(random, 3 * n);
  std::vector<float> wanted(n), got(n);
  of_kind<Instant>(recency::reference::kernels)(starts.data(), n, scale, {9000 * day + 77, 0.5},
                                                wanted.data());
  const time_rows::InstantColumn<Instant> published{starts.data(), scale, n};
  cuda::launch(over(n), time_rows::recency<Instant>, published, 9000 * day + 77, 0.5, got.data());
  CHECK(same_bits(wanted, got));
  std::vector<std::uint32_t> offsets(n + 1);
  for (std::size_t i = 0; i < n; ++i)
    offsets[i + 1] = offsets[i] + static_cast<std::uint32_t>(random() % 4);
  for (const spline::Line& line : {spline::Line{-5000 * day, 7000 * day, 0.6, 1, 0.25, day},
                                   {0, 1 * day, 1, 0.5, 0, 0},
                                   {-infinity, 400 * day, 0.2, 0.9, 0.1, 0},
                                   {40 * day, infinity, 0.7, 0.1, 0.3, day},
                                   {5 * day, 5 * day, 1, 1, 0.5, 0}}) {
    for (const std::uint32_t* rows : {static_cast<const std::uint32_t*>(nullptr),
                                      static_cast<const std::uint32_t*>(offsets.data())}) {
      if (rows != nullptr && offsets[n] > 3 * n) continue;
      of_kind<Instant>(spline::reference::kernels)({starts.data(), ends.data(), rows, n}, scale,
                                                   line, wanted.data());
      const time_rows::IntervalColumn<Instant> intervals{starts.data(), ends.data(), scale, rows,
                                                         n};
      cuda::launch(over(n), time_rows::splines<Instant>, intervals, line, got.data());
      CHECK(same_bits(wanted, got));
    }
  }
}

struct Columns {
  explicit Columns(std::size_t n) : year(n), month(n), day(n), mask(n), day_of_year(n) {}
  calendar::Parts parts() {
    return {year.data(), month.data(), day.data(), day_of_year.data(), mask.data()};
  }
  bool operator==(const Columns&) const = default;
  std::vector<std::int32_t> year;
  std::vector<std::uint8_t> month, day, mask;
  std::vector<std::uint16_t> day_of_year;
};

void check_calendar() {
  std::vector<double> given;
  for (std::int64_t at = -100'000'000; at <= 100'000'000; at += 17'003)
    given.push_back(static_cast<double>(at) * day - 1);  // all years, at odd days
  for (std::int64_t at = -150'000; at < 150'000; at += 1)
    given.push_back(static_cast<double>(at) * day);  // every day of some cycles
  for (const double odd :
       {std::nan(""), infinity, -infinity, 8.64e15, -8.64e15, 8.65e15, -0.5, 0.5, day - 0.25})
    given.push_back(odd);
  const std::size_t n = given.size();
  std::vector<std::uint8_t> granularity(n);
  for (std::size_t i = 0; i < n; ++i)
    granularity[i] = static_cast<std::uint8_t>(i % 5 == 0 ? i % calendar::granularities : 0);
  Columns wanted(n), got(n);
  calendar::reference::kernels.parts(given.data(), granularity.data(), n, wanted.parts());
  for (std::size_t i = 0; i < n; ++i) {
    const calendar::Part part = calendar::part_of(given[i], granularity[i]);
    got.year[i] = part.year, got.month[i] = part.month, got.day[i] = part.day,
    got.day_of_year[i] = part.day_of_year, got.mask[i] = part.mask;
  }
  CHECK(wanted == got);
  const std::size_t some = 5000;  // the kernel itself
  Columns few(n);
  cuda::launch(over(some), time_rows::calendar_parts, given.data(), granularity.data(), some,
               few.parts());
  CHECK(std::equal(few.year.begin(), few.year.begin() + some, wanted.year.begin()) &&
        few.day_of_year[some - 1] == wanted.day_of_year[some - 1]);
  std::vector<float> plain(4 * some), there(4 * some);
  calendar::reference::kernels.features(wanted.month.data(), wanted.day_of_year.data(),
                                        wanted.mask.data(), some, plain.data());
  cuda::launch(over(4 * some), time_rows::calendar_features, wanted.parts(), some,
               &calendar::feature_tables(), there.data());
  CHECK(same_bits(plain, there));
}

void check_film(std::size_t n, std::size_t d) {
  std::mt19937_64 random(d);
  std::normal_distribution<float> normal;
  std::vector<float> x(n * d), gamma(n * d), beta(n * d), wanted(n * d), got(n * d);
  std::vector<std::uint8_t> timed(n), refused(n), refused_there(n);
  for (std::size_t i = 0; i < n * d; ++i)
    x[i] = normal(random), gamma[i] = normal(random), beta[i] = normal(random);
  for (std::size_t r = 0; r < n; ++r) timed[r] = r % 5 != 2;
  if (n > 7) x[7 * d] = std::nanf(""), gamma[3 * d] = std::numeric_limits<float>::infinity();
  if (n > 9) std::fill_n(&x[9 * d], d, 0.0f), std::fill_n(&beta[9 * d], d, 0.0f);
  unsigned long long count = 0;
  const std::size_t rows =
      film::reference::kernels.rows({x.data(), gamma.data(), beta.data(), timed.data(), n, d}, 0.7,
                                    wanted.data(), refused.data());
  const film::Rows fused{x.data(), gamma.data(), beta.data(), timed.data(), n, d};
  cuda::launch(over(32 * n), time_rows::film, fused, 0.7, got.data(), refused_there.data(), &count);
  CHECK(rows == count && refused == refused_there);
  for (std::size_t i = 0; i < n * d; ++i) {
    if (timed[i / d] == 0 || refused[i / d] != 0)
      CHECK(std::memcmp(&wanted[i], &got[i], sizeof(float)) == 0);
    else
      CHECK(std::abs(wanted[i] - got[i]) <= 2 * 0x1p-24f * (std::abs(wanted[i]) + 1));
  }
}

}  // namespace

int main() {
  for (const std::size_t n : {1, 31, 300, 1025}) {
    check_rows<double>(n);
    check_rows<std::int32_t>(n);
    check_rows<std::int64_t>(n);
  }
  check_calendar();
  for (const std::size_t d : {1, 33, 384}) check_film(40, d);
  check_film(1, 7);
  return 0;
}
