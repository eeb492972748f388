// Training gives the same bits whatever the threads, stops between steps, and goes on from its
// state as if it had never stopped. Meant to be run under the sanitizers too (npm run
// test:sanitize).
#include "training/run.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/error.hpp"
#include "core/threads.hpp"
#include "training/adapter.hpp"

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

static std::unique_ptr<Run> some_run(bool shared) {
  Triplets triplets;
  Random random(6);
  for (std::size_t i = 0; i < examples; ++i) {
    triplets.question.push_back(static_cast<std::uint32_t>(random.below(count)));
    triplets.positive.push_back(static_cast<std::uint32_t>(random.below(count)));
    triplets.negative.push_back(static_cast<std::uint32_t>(random.below(count)));
    triplets.margin.push_back(0.25f + random.unit());
  }
  auto objective = std::make_unique<AdapterObjective>(some_rows(), std::move(triplets), 5, shared);
  return std::make_unique<Run>(std::move(objective), Settings{3, {50, 30}, 43, 40, 4, 0.02, 0.01});
}

static bool equal(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

static void the_bits_do_not_depend_on_the_threads(bool shared) {
  std::vector<float> first;
  for (std::size_t threads : {1, 2, 3, 7}) {
    set_thread_count(threads);
    auto run = some_run(shared);
    double loss = run->advance(40, Cancel());
    CHECK(loss > 0 && run->state().step == 40);
    if (first.empty()) first = run->state().parameters;
    CHECK(equal(first, run->state().parameters));
  }
  set_thread_count(0);
}

static void a_run_goes_on_where_it_was_put_away() {
  auto whole = some_run(true);
  double before = whole->advance(1, Cancel());
  double after = 0;
  while (whole->state().step < 40) after = whole->advance(3, Cancel());
  CHECK(after < before);
  CHECK(whole->advance(5, Cancel()) == 0);
  for (std::size_t stop : {0, 1, 17, 40}) {
    auto first = some_run(true);
    first->advance(stop, Cancel());
    auto second = some_run(true);
    second->restore(first->state());
    second->advance(100, Cancel());
    CHECK(equal(whole->state().parameters, second->state().parameters));
    CHECK(equal(whole->state().second, second->state().second));
  }
}

static void a_cancelled_run_keeps_its_last_step() {
  auto run = some_run(false);
  run->advance(2, Cancel());
  Cancel cancel;
  cancel.request();
  bool aborted = false;
  try {
    run->advance(2, cancel);
  } catch (const Error& error) {
    aborted = std::string(error.code()) == "ERR_ABORTED";
  }
  CHECK(aborted && run->state().step == 2);
}

static void an_epoch_gives_every_example_once() {
  Order order(9, {10, 4}, 7);
  std::vector<std::uint32_t> batch(7);
  std::vector<int> seen(14);
  for (std::uint64_t step = 0; step < 20; ++step) {
    order.batch(step, batch);
    for (std::size_t i = 0; i < 7; ++i) {
      CHECK(i < 4 ? batch[i] < 10 : batch[i] >= 10 && batch[i] < 14);
      seen[batch[i]] += 1;
    }
  }
  for (std::size_t i = 0; i < 14; ++i) CHECK(seen[i] == (i < 10 ? 8 : 15));
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
  the_bits_do_not_depend_on_the_threads(true);
  the_bits_do_not_depend_on_the_threads(false);
  a_run_goes_on_where_it_was_put_away();
  a_cancelled_run_keeps_its_last_step();
  an_epoch_gives_every_example_once();
  std::puts("training: all good");
}
