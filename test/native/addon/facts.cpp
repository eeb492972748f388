// Parts of the ranking by series for tests: passages of any times, and the order of times by a
// question's operator.
#include <napi.h>

#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "addon/exports.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/facts.hpp"
#include "facts/order.hpp"

namespace asof::boundary {
namespace {

std::vector<facts::Window> windows_of(const Napi::Object& request, const char* name) {
  const auto numbers = array<double>(request.Get(name), name);
  if (numbers.size() % 2 != 0) refuse(name, "pairs", "a number too many");
  std::vector<facts::Window> windows;
  for (std::size_t at = 0; at < numbers.size(); at += 2)
    windows.push_back({numbers[at], numbers[at + 1]});
  return windows;
}

/// At most one.
bool read_window(const Napi::Object& request, const char* name, facts::Window& window) {
  const auto windows = windows_of(request, name);
  if (windows.size() > 1) refuse(name, "at most one window", "more");
  if (!windows.empty()) window = windows[0];
  return !windows.empty();
}

// preferenceOf(request): { order, ranks }
Napi::Value preference_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Object request = object(info[0], "request");
    facts::Asked asked;
    asked.order = static_cast<facts::Order>(size(request.Get("order"), "order", 0, 2));
    asked.place = static_cast<std::uint32_t>(size(request.Get("place"), "place", 1, 1e9));
    asked.asked_at = number(request.Get("askedAt"), "askedAt");
    asked.is_event = boolean(request.Get("isEvent"), "isEvent");
    read_window(request, "window", asked.window);
    asked.alternatives = windows_of(request, "alternatives");
    asked.has_named = read_window(request, "named", asked.named);
    asked.has_held = read_window(request, "held", asked.held);
    const double longest = number(request.Get("longest"), "longest");
    const std::vector<facts::Window> spans = windows_of(request, "times");
    const auto ranges = copied(array<std::uint8_t>(request.Get("ranges"), "ranges", spans.size()));
    const auto published = array<double>(request.Get("published"), "published", spans.size());
    std::deque<facts::Time> times;
    std::vector<facts::Dated> dated;
    for (std::size_t at = 0; at < spans.size(); ++at) {
      const facts::Time& time = times.emplace_back(
          facts::Time{.start = spans[at].start, .end = spans[at].end, .range = ranges[at] != 0});
      dated.push_back({std::isnan(time.start) ? nullptr : &time, published[at]});
    }
    const facts::Preference found = facts::preference_of(dated, asked, longest);
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("order", array_of(info.Env(), found.order));
    result.Set("ranks", array_of(info.Env(), found.ranks));
    return result;
  });
}

// withTimes(passage, times: Float64Array): PassageHandle
Napi::Value with_times(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const ReadPassage& read = passage_of(info[0]);
    const auto numbers = array<double>(info[1], "times");
    if (numbers.size() % 5 != 0) refuse("times", "five numbers each", "others");
    statements::Passage passage = *read.passage;
    passage.times.clear();
    for (std::size_t at = 0; at < numbers.size(); at += 5) {
      const int code = static_cast<int>(numbers[at + 4]);
      passage.times.push_back({.start = numbers[at],
                               .end = numbers[at + 1],
                               .until = numbers[at + 2],
                               .at = static_cast<std::int32_t>(numbers[at + 3]),
                               .source = static_cast<statements::Source>(code & 7),
                               .range = code >= 8});
    }
    for (statements::Statement& each : passage.statements) {
      each.times_from = 0;
      each.times_to = static_cast<std::uint32_t>(passage.times.size());
    }
    return passage_handle(info.Env(), read.lexicon, std::move(passage));
  });
}

}  // namespace

void export_test_facts(Napi::Env env, Napi::Object exports) {
  exports.Set("withTimes", Napi::Function::New(env, with_times, "withTimes"));
  exports.Set("preferenceOf", Napi::Function::New(env, preference_of, "preferenceOf"));
}

}  // namespace asof::boundary
