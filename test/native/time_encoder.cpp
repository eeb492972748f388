// A time encoder fuses by tables what its training fuses by sums, whatever the threads, and stops
// on cancellation. Meant to be run under the sanitizers too (npm run test:sanitize).
#include "encoder/time_encoder.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/error.hpp"
#include "core/threads.hpp"
#include "training/order.hpp"
#include "training/run.hpp"
#include "training/time_encoder.hpp"
#include "training/time_rows.hpp"

using namespace asof;
using namespace asof::training;

static constexpr std::size_t d = 21, count = 150, examples = 70;
static constexpr TimeNetwork::Kind kinds[] = {
    TimeNetwork::Kind::film, TimeNetwork::Kind::concatenated, TimeNetwork::Kind::direct,
    TimeNetwork::Kind::absolute};

static TimeNetwork network_of(TimeNetwork::Kind kind) {
  return {kind, d, 4, 6, 1990, 20};
}

static Dates some_dates() {
  Dates dates;
  Random random(3);
  const std::uint8_t masks[] = {15, 3, 1, 0};
  for (std::size_t i = 0; i < count; ++i) {
    dates.year.push_back(static_cast<std::int32_t>(1900 + random.below(200)));
    dates.month.push_back(static_cast<std::uint8_t>(1 + random.below(12)));
    dates.day.push_back(static_cast<std::uint8_t>(1 + random.below(31)));
    dates.day_of_year.push_back(static_cast<std::uint16_t>(1 + random.below(366)));
    dates.mask.push_back(masks[i % 4]);
  }
  return dates;
}

static std::vector<float> some_floats(std::size_t n, std::uint64_t seed) {
  std::vector<float> values;
  Random random(seed);
  for (std::size_t i = 0; i < n; ++i) values.push_back(random.unit() - 0.5f);
  return values;
}

static void tables_and_sums_agree(TimeNetwork::Kind kind) {
  TimeNetwork network = network_of(kind);
  std::vector<float> parameters = some_floats(layout_of(network).total, 4),
                     rows = some_floats(count * d, 5);
  Dates dates = some_dates();
  std::vector<float> first;
  for (std::size_t threads : {1, 3}) {
    set_thread_count(threads);
    std::vector<float> out(count * network.fused());
    TimeEncoder(network, parameters).fuse(dates.parts(), rows, count, out, Cancel());
    if (first.empty()) first = out;
    CHECK(first == out);
  }
  set_thread_count(0);
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < count; ++i) all.push_back(i);
  TimeRows trained(network, parameters, rows, all, dates.parts());
  for (std::size_t i = 0; i < first.size(); ++i)
    CHECK(std::fabs(first[i] - trained.fused()[i]) < 1e-5f);
}

static void a_cancelled_fusion_stops() {
  TimeNetwork network = network_of(TimeNetwork::Kind::film);
  std::vector<float> rows(count * d), out(count * d);
  Dates dates = some_dates();
  Cancel cancel;
  cancel.request();
  bool aborted = false;
  try {
    TimeEncoder(network, some_floats(layout_of(network).total, 1))
        .fuse(dates.parts(), rows, count, out, cancel);
  } catch (const Error& error) {
    aborted = std::string(error.code()) == "ERR_ABORTED";
  }
  CHECK(aborted);
}

static std::unique_ptr<Run> some_run(TimeNetwork::Kind kind) {
  auto rows = std::make_shared<Rows>();
  rows->dimensions = d;
  rows->values = some_floats(count * d, 6);
  TimeExamples columns;
  Random random(7);
  for (std::size_t i = 0; i < examples; ++i) {
    columns.question.push_back(static_cast<std::uint32_t>(random.below(count)));
    columns.positive.push_back(static_cast<std::uint32_t>(random.below(count)));
    columns.negative.push_back(i % 5 == 0 ? no_negative
                                          : static_cast<std::uint32_t>(random.below(count)));
  }
  auto objective = std::make_unique<TimeEncoderObjective>(
      std::move(rows), some_dates(), network_of(kind), std::move(columns), TimeLoss{});
  return std::make_unique<Run>(std::move(objective),
                               Settings{3, {examples}, 50, 12, 2, 0.01, 0.01});
}

static void training_does_not_depend_on_the_threads(TimeNetwork::Kind kind) {
  std::vector<float> first;
  for (std::size_t threads : {1, 2, 7}) {
    set_thread_count(threads);
    auto run = some_run(kind);
    CHECK(run->advance(12, Cancel()) > 0);
    if (first.empty()) first = run->state().parameters;
    CHECK(first == run->state().parameters);
  }
  set_thread_count(0);
}

int main() {
  for (TimeNetwork::Kind kind : kinds) {
    tables_and_sums_agree(kind);
    training_does_not_depend_on_the_threads(kind);
  }
  a_cancelled_fusion_stops();
  std::puts("time encoder: all good");
}
