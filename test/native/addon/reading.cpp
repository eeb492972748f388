// Parts of the extractive reader for tests and for the fitting of its weights: the spans of a
// sentence, and the candidates of passages with their features.
#include "boundary/reading.hpp"

#include <napi.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "addon/exports.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/handles.hpp"
#include "reading/score.hpp"

namespace asof::boundary {
namespace {

constexpr napi_type_tag candidates_tag = {0x6fd82b3a90c14e57, 0x93e7a1540bd62fc8};

/// Candidates view the passages.
struct ReadCandidates {
  std::shared_ptr<const PassagesToRead> of;
  reading::Candidates candidates;
};

template <typename T, typename Items, typename Field>
Napi::Value column(Napi::Env env, const Items& items, Field field) {
  std::vector<T> values;
  values.reserve(items.size());
  for (const auto& each : items) values.push_back(static_cast<T>(field(each)));
  return array_of(env, values);
}

template <typename Spans>
Napi::Object columns_of(Napi::Env env, const Spans& spans) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("starts",
             column<std::uint32_t>(env, spans, [](const auto& each) { return each.start; }));
  result.Set("ends", column<std::uint32_t>(env, spans, [](const auto& each) { return each.end; }));
  result.Set("forms", column<std::uint8_t>(env, spans, [](const auto& each) { return each.form; }));
  return result;
}

// spansOf(text: string, times: Uint32Array): Spans
Napi::Value spans_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::u16string text = utf16(info[0], "text");
    const auto times = array<std::uint32_t>(info[1], "times");
    std::vector<reading::Span> dates;
    for (std::size_t at = 0; at + 1 < times.size(); at += 2)
      dates.push_back({times[at], times[at + 1]});
    std::vector<std::uint8_t> kinds;
    reading::kinds_of(text, kinds);
    std::vector<reading::TextSpan> found;
    reading::spans_of({text, kinds.data()}, dates, found);
    return columns_of(info.Env(), found);
  });
}

// candidatesOf(request: PassagesToRead): Candidates
Napi::Value candidates_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    ReadCandidates read{passages_to_read(Fields(object(info[0], "request"))), {}};
    read.candidates = reading::candidates_of(read.of->question, read.of->passages, Cancel());
    const reading::Candidates& found = read.candidates;
    Napi::Object result = columns_of(env, found.all);
    Napi::Array texts = Napi::Array::New(env, found.all.size());
    for (std::uint32_t at = 0; at < found.all.size(); ++at)
      texts.Set(at, Napi::String::New(env, std::u16string(found.all[at].text)));
    result.Set("texts", texts);
    result.Set("passages", column<std::uint32_t>(env, found.all,
                                                 [](const auto& each) { return each.passage; }));
    result.Set("featureEnds", column<std::uint32_t>(env, found.feature_ends,
                                                    [](std::size_t each) { return each; }));
    result.Set("features", column<std::uint16_t>(env, found.features,
                                                 [](const auto& each) { return each.number; }));
    result.Set("values",
               column<double>(env, found.features, [](const auto& each) { return each.value; }));
    result.Set("handle", handle_of(env, candidates_tag, std::move(read)));
    return result;
  });
}

// bestSpan(candidates, scores: Float64Array): { candidate, features } | undefined
Napi::Value best_span(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const ReadCandidates& read =
        contents<ReadCandidates>(info[0], candidates_tag, "candidates", "what candidatesOf gave");
    const auto scores = array<double>(info[1], "scores", read.candidates.all.size());
    const auto best = reading::best_span(read.candidates, scores);
    if (!best) return info.Env().Undefined();
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("candidate", Napi::Number::New(info.Env(), static_cast<double>(best->candidate)));
    result.Set("features", array_of(info.Env(), std::vector<double>(best->features.begin(),
                                                                    best->features.end())));
    return result;
  });
}

}  // namespace

void export_test_reading(Napi::Env env, Napi::Object exports) {
  exports.Set("spansOf", Napi::Function::New(env, spans_of, "spansOf"));
  exports.Set("candidatesOf", Napi::Function::New(env, candidates_of, "candidatesOf"));
  exports.Set("bestSpan", Napi::Function::New(env, best_span, "bestSpan"));
}

}  // namespace asof::boundary
