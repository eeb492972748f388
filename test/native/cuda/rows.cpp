// Recency, splines, calendars and FiLM through the library's interface, in pieces where the device
// has little memory, against the host's kernels: the same bits but for FiLM's tolerance.
// ASOF_CUDA_LIBRARY in the environment says which library is asked.
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "../check.hpp"
#include "kernels/film/contract.hpp"
#include "kernels/recency/contract.hpp"
#include "kernels/spline/contract.hpp"
#include "library.hpp"

using namespace asof;

namespace {

constexpr double day = 86'400'000;

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void times(const cuda::test::Library& library, std::size_t n) {
  std::mt19937_64 random(n);
  std::vector<std::int32_t> starts(2 * n + 1), ends(2 * n + 1);
  std::vector<std::uint32_t> offsets{0};
  for (std::size_t i = 0; i < n; ++i)
    offsets.push_back(offsets.back() + static_cast<std::uint32_t>(random() % 3));
  for (std::size_t i = 0; i < starts.size(); ++i) {
    starts[i] = i % 11 == 3 ? ReservedTicks<std::int32_t>::absent
                            : static_cast<std::int32_t>(random() % 9000);
    ends[i] = i % 13 == 4 ? ReservedTicks<std::int32_t>::future
                          : starts[i] + static_cast<std::int32_t>(random() % 400);
  }
  const TickScale scale{day, 5 * day};
  std::vector<float> wanted(n), got(n);
  cuda::Failure failure;
  recency::reference::kernels.ticks32(starts.data(), n, scale, {8000 * day, 2}, wanted.data());
  const cuda::RecencyData recency{
      {starts.data(), 4, scale.unit_ms, scale.origin_ms}, n, 8000 * day, 2, got.data()};
  library.expect(library.table->recency(library.device, &recency, &failure), failure);
  CHECK(same_bits(wanted, got));
  for (const std::uint32_t* rows : {static_cast<const std::uint32_t*>(nullptr),
                                    static_cast<const std::uint32_t*>(offsets.data())}) {
    const spline::Line line{1000 * day, 6000 * day, 0.5, 1, 0.25, day};
    spline::reference::kernels.ticks32({starts.data(), ends.data(), rows, n}, scale, line,
                                       wanted.data());
    cuda::SplineData data{{starts.data(), 4, scale.unit_ms, scale.origin_ms},
                          {ends.data(), 4, scale.unit_ms, scale.origin_ms},
                          rows,
                          n,
                          line.start_ms,
                          line.end_ms,
                          line.at_start,
                          line.at_end,
                          line.outside,
                          line.unit_ms,
                          got.data()};
    library.expect(library.table->spline(library.device, &data, &failure), failure);
    CHECK(same_bits(wanted, got));
    data.ends.tick_bytes = 8;
    CHECK(!library.table->spline(library.device, &data, &failure) &&
          failure.cause == cuda::Cause::argument);
  }
}

void calendars(const cuda::test::Library& library, std::size_t n) {
  std::vector<double> instants(n);
  std::vector<std::uint8_t> granularity(n), month(n), days(n), mask(n), month_there(n),
      days_there(n), mask_there(n);
  std::vector<std::int32_t> year(n), year_there(n);
  std::vector<std::uint16_t> of_year(n), of_year_there(n);
  std::vector<float> features(4 * n), features_there(4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    instants[i] = i % 17 == 5 ? std::nan("") : (static_cast<double>(i) * 977 - 4e5) * day;
    granularity[i] = static_cast<std::uint8_t>(i % calendar::granularities);
  }
  const calendar::Parts parts{year.data(), month.data(), days.data(), of_year.data(), mask.data()};
  calendar::reference::kernels.parts(instants.data(), granularity.data(), n, parts);
  calendar::reference::kernels.features(month.data(), of_year.data(), mask.data(), n,
                                        features.data());
  const calendar::Parts there{year_there.data(), month_there.data(), days_there.data(),
                              of_year_there.data(), mask_there.data()};
  const cuda::CalendarData data{
      instants.data(), granularity.data(),          n,
      there,           &calendar::feature_tables(), features_there.data()};
  cuda::Failure failure;
  library.expect(library.table->calendar(library.device, &data, &failure), failure);
  CHECK(year == year_there && month == month_there && days == days_there &&
        of_year == of_year_there && mask == mask_there);
  CHECK(same_bits(features, features_there));
}

void films(const cuda::test::Library& library, std::size_t n, std::size_t d) {
  std::mt19937_64 random(d);
  std::normal_distribution<float> normal;
  std::vector<float> x(n * d), gamma(n * d), beta(n * d), wanted(n * d), got(n * d);
  std::vector<std::uint8_t> timed(n, 1), refused(n), refused_there(n);
  for (std::size_t i = 0; i < n * d; ++i)
    x[i] = normal(random), gamma[i] = normal(random), beta[i] = normal(random);
  for (std::size_t row = 0; row < n; row += 5) timed[row] = 0;
  if (n > 7) x[7 * d] = std::nanf("");
  const std::size_t rows =
      film::reference::kernels.rows({x.data(), gamma.data(), beta.data(), timed.data(), n, d}, 0.7,
                                    wanted.data(), refused.data());
  std::uint64_t count = 0;
  const cuda::FilmData data{x.data(), gamma.data(), beta.data(), timed.data(),         n,
                            d,        0.7,          got.data(),  refused_there.data(), &count};
  cuda::Failure failure;
  library.expect(library.table->film(library.device, &data, &failure), failure);
  CHECK(count == rows && refused == refused_there);
  for (std::size_t i = 0; i < n * d; ++i) {
    if (timed[i / d] == 0 || refused[i / d] != 0)
      CHECK(std::memcmp(&wanted[i], &got[i], sizeof(float)) == 0);
    else
      CHECK(std::abs(wanted[i] - got[i]) <= 2 * 0x1p-24f * (std::abs(wanted[i]) + 1));
  }
}

}  // namespace

int main() {
  for (const std::size_t memory : {std::size_t(0), std::size_t(20'000)}) {
    const cuda::test::Library library(memory);
    for (const std::size_t n : {0, 1, 33, 1000}) {
      times(library, n);
      calendars(library, n);
      films(library, n, 37);
    }
  }
  cuda::test::nothing_is_left();
  return 0;
}
