// Training and fusion give the same bits whatever the threads, and a run whose device fails is as
// it was before. Meant to be run under the thread sanitizer (node scripts/test-sanitize.cjs):
// test/kernels proves the values.
#include "training/run.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/error.hpp"
#include "core/threads.hpp"
#include "encoder/time_encoder.hpp"
#include "training/adapter.hpp"
#include "training/time_encoder.hpp"

using namespace asof;
using namespace asof::training;

static constexpr std::size_t d = 37, count = 120, examples = 90;

static std::shared_ptr<const Rows> some_rows() {
  auto rows = std::make_shared<Rows>();
  rows->dimensions = d;
  Random random(5);
  for (std::size_t i = 0; i < count * d; ++i) rows->values.push_back(random.unit() - 0.5f);
  for (std::size_t c = 0; c < d; ++c) rows->values[c] = 0;  // row 0 says nothing
  return rows;
}

static std::uint32_t some_row(Random& random) {
  return static_cast<std::uint32_t>(random.below(count));
}

static std::unique_ptr<Objective> adapter(bool shared) {
  Triplets triplets;
  Random random(6);
  for (std::size_t i = 0; i < examples; ++i) {
    triplets.question.push_back(some_row(random));
    triplets.positive.push_back(some_row(random));
    triplets.negative.push_back(some_row(random));
    triplets.margin.push_back(0.25f + random.unit());
  }
  return std::make_unique<AdapterObjective>(some_rows(), std::move(triplets), 5, shared);
}

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

static std::unique_ptr<Objective> encoder(TimeNetwork::Kind kind) {
  TimeExamples columns;
  Random random(7);
  for (std::size_t i = 0; i < examples; ++i) {
    columns.question.push_back(some_row(random));
    columns.positive.push_back(some_row(random));
    columns.negative.push_back(i % 5 == 0 ? no_negative : some_row(random));
  }
  return std::make_unique<TimeEncoderObjective>(some_rows(), some_dates(), network_of(kind),
                                                std::move(columns), TimeLoss{});
}

static bool equal(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

static void training_does_not_depend_on_the_threads(const auto& objective) {
  std::vector<float> first;
  for (std::size_t threads : {1, 2, 3, 7}) {
    set_thread_count(threads);
    Run run(objective(), Settings{3, {50, 30}, 43, 40, 4, 0.02, 0.01});
    CHECK(run.advance(40, Cancel()) > 0 && run.state().step == 40);
    if (first.empty()) first = run.state().parameters;
    CHECK(equal(first, run.state().parameters));
  }
  set_thread_count(0);
}

static void fusion_does_not_depend_on_the_threads(TimeNetwork::Kind kind) {
  const TimeNetwork network = network_of(kind);
  std::vector<float> parameters(layout_of(network).total), first;
  Random random(4);
  for (float& value : parameters) value = random.unit() - 0.5f;
  const auto rows = some_rows();
  const Dates dates = some_dates();
  for (std::size_t threads : {1, 3}) {
    set_thread_count(threads);
    std::vector<float> out(count * network.fused());
    TimeEncoder(network, parameters).fuse(dates.parts(), rows->values, count, out, Cancel());
    if (first.empty()) first = out;
    CHECK(equal(first, out));
  }
  set_thread_count(0);
}

/// A device in the host's memory, which fails at a step or where it is read.
struct Failing : Stepper {
  State held;
  int left;
  bool reads;
  Failing(int fails, bool readable) : left(fails), reads(readable) {}
  void write(const State& state) override { held = state; }
  void read(State& state) const override {
    state.parameters = held.parameters;
    if (!reads) throw Error("ERR_DEVICE_UNAVAILABLE", "The device was lost.");
    state.first = held.first;
    state.second = held.second;
  }
  double step(const AdamStep&, std::span<const std::uint32_t>) override {
    if (--left == 0) throw Error("ERR_DEVICE_UNAVAILABLE", "The device was lost.");
    for (float& value : held.parameters) value += 1;
    return 1;
  }
};

static void a_run_whose_device_fails_is_as_it_was_before() {
  int devices = 0;
  const auto elsewhere = [&](const Objective&) {
    devices += 1;
    return std::make_unique<Failing>(devices == 1 ? 3 : 100, devices != 2);
  };
  Triplets triplets{{1, 2}, {3, 4}, {5, 6}, {0.5f, 0.5f}};
  Run run(std::make_unique<AdapterObjective>(some_rows(), std::move(triplets), 5, true),
          Settings{3, {2}, 2, 40, 4, 0.02, 0.01}, elsewhere);
  const State before = run.state();
  for (int failures = 1; failures <= 2; ++failures) {  // at a step, then where it is read
    bool failed = false;
    try {
      run.advance(5, Cancel());
    } catch (const Error& error) {
      failed = error.code() == std::string("ERR_DEVICE_UNAVAILABLE");
    }
    CHECK(failed && devices == failures && run.state().step == 0 &&
          equal(run.state().parameters, before.parameters));
  }
  CHECK(run.advance(5, Cancel()) == 1 && devices == 3 && run.state().step == 5 &&
        run.state().parameters[0] == before.parameters[0] + 5);
}

int main() {
  a_run_whose_device_fails_is_as_it_was_before();
  for (bool shared : {true, false})
    training_does_not_depend_on_the_threads([&] { return adapter(shared); });
  for (TimeNetwork::Kind kind : {TimeNetwork::Kind::film, TimeNetwork::Kind::concatenated,
                                 TimeNetwork::Kind::direct, TimeNetwork::Kind::absolute}) {
    fusion_does_not_depend_on_the_threads(kind);
    training_does_not_depend_on_the_threads([&] { return encoder(kind); });
  }
  std::puts("training: all good");
}
