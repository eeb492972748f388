// Exports of the time tagger. Texts are copied as UTF-16, so that offsets are JavaScript's.
#include <napi.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/task.hpp"
#include "boundary/timetag.hpp"
#include "core/threads.hpp"
#include "timetag/cues/cues.hpp"

namespace asof::boundary {
namespace {

struct Request {
  std::vector<std::u16string> texts;
  std::vector<double> references;
  timetag::Mode mode = timetag::Mode::automatic;
};

Request request_of(const Napi::CallbackInfo& info) {
  Request request;
  request.texts = utf16_strings(info[0], "texts");
  request.references = copied(array<double>(info[1], "references", request.texts.size()));
  request.mode = static_cast<timetag::Mode>(size(info[2], "mode", 0, 3));
  return request;
}

/// Refuses anything but a span of the text.
timetag::DatedMention span_of(double start, double end, const std::u16string& text) {
  if (!(start >= 0 && start <= end && end <= static_cast<double>(text.size())))
    refuse("offsets", "a span of the text", std::to_string(start) + " to " + std::to_string(end));
  return {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)};
}

constexpr std::size_t chunk =
    256;  // texts between two polls of the cancellation, and the unit of parallel work

Tagged tag_chunk(const Request& request, std::size_t first, std::size_t last) {
  Tagged tagged;
  tagged.counts.reserve(last - first);
  tagged.modes.reserve(last - first);
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t before = tagged.tags.mentions.size();
    tagged.modes.push_back(
        timetag::tag(request.texts[i], request.references[i], request.mode, tagged.tags));
    tagged.counts.push_back(static_cast<std::uint32_t>(tagged.tags.mentions.size() - before));
  }
  return tagged;
}

template <typename T>
void append(std::vector<T>& all, std::vector<T>& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Tagged tag_all(const Request& request, const Cancel& cancel) {
  const std::size_t count = request.texts.size();
  std::vector<Tagged> chunks((count + chunk - 1) / chunk);
  parallel_for(chunks.size(), 0, [&](std::size_t task, std::size_t) {
    cancel.throw_if_requested();
    chunks[task] = tag_chunk(request, task * chunk, std::min(count, (task + 1) * chunk));
  });
  Tagged all;
  for (Tagged& each : chunks) {
    append(all.counts, each.counts);
    append(all.modes, each.modes);
    append(all.tags.mentions, each.tags.mentions);
    append(all.tags.timexes, each.tags.timexes);
  }
  return all;
}

template <typename T, typename Item, typename Field>
Napi::Value column(Napi::Env env, const std::vector<Item>& items, Field field) {
  std::vector<T> values;
  values.reserve(items.size());
  for (const Item& item : items) values.push_back(static_cast<T>(field(item)));
  return array_of(env, values);
}

// tagTimesSync(texts: string[], references: Float64Array, mode: number): TaggedTimes
Napi::Value tag_times_sync(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Request request = request_of(info);
    return value_of(info.Env(), tag_chunk(request, 0, request.texts.size()));
  });
}

// tagTimes(texts: string[], references: Float64Array, mode: number, cancellation?: Cancellation):
// Promise<TaggedTimes>
Napi::Value tag_times(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto request = std::make_shared<const Request>(request_of(info));
    const Cancel cancel = Cancellation::flag(info[3]);
    return start_task(
        info.Env(), [request, cancel] { return tag_all(*request, cancel); }, value_of);
  });
}

// contentMentions(text: string, sentences: Uint32Array, mentions: Float64Array, published: number):
// Uint32Array
Napi::Value content_mentions(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::u16string text = utf16(info[0], "text");
    const std::span<std::uint32_t> sentences = array<std::uint32_t>(info[1], "sentences");
    const std::span<double> numbers = array<double>(info[2], "mentions");
    std::vector<timetag::DatedMention> mentions;
    for (std::size_t i = 0; i + 5 <= numbers.size(); i += 5) {
      timetag::DatedMention& mention =
          mentions.emplace_back(span_of(numbers[i], numbers[i + 1], text));
      mention.start_ms = numbers[i + 2];
      mention.end_ms = numbers[i + 3];
      mention.is_day = numbers[i + 4] == 1;
    }
    for (std::size_t i = 0; i + 1 < sentences.size(); i += 2)
      span_of(sentences[i], sentences[i + 1], text);
    std::vector<std::uint32_t> flat;
    for (const std::vector<std::uint32_t>& each :
         timetag::content_mentions(text, sentences, mentions, number(info[3], "published"))) {
      flat.push_back(static_cast<std::uint32_t>(each.size()));
      flat.insert(flat.end(), each.begin(), each.end());
    }
    return array_of(info.Env(), flat);
  });
}

// querySignals(text: string): QuerySignals
Napi::Value query_signals(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const timetag::QuerySignals found = timetag::query_signals(utf16(info[0], "text"));
    std::vector<std::uint32_t> spans;
    for (const timetag::QuerySignal& each : found.signals) {
      spans.push_back(each.start);
      spans.push_back(each.end);
    }
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("spans", array_of(info.Env(), spans));
    result.Set("kinds",
               column<std::uint8_t>(info.Env(), found.signals,
                                    [](const timetag::QuerySignal& each) { return each.kind; }));
    result.Set("cues", Napi::Number::New(info.Env(), found.cues));
    return result;
  });
}

// courseOf(text: string): number
Napi::Value course_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const timetag::Course course = timetag::course_of(utf16(info[0], "text"));
    return Napi::Number::New(info.Env(), static_cast<int>(course));
  });
}

}  // namespace

Napi::Value value_of(Napi::Env env, const Tagged& tagged) {
  using timetag::Mention;
  using timetag::Timex;
  const std::vector<Mention>& mentions = tagged.tags.mentions;
  const std::vector<Timex>& timexes = tagged.tags.timexes;
  std::string values;  // one string, for one copy across the boundary
  for (const Timex& timex : timexes) {
    values += timex.value;
    values += '\n';
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("counts", array_of(env, tagged.counts));
  result.Set("modes",
             column<std::uint8_t>(env, tagged.modes, [](timetag::Mode each) { return each; }));
  result.Set("starts",
             column<std::uint32_t>(env, mentions, [](const Mention& each) { return each.start; }));
  result.Set("ends",
             column<std::uint32_t>(env, mentions, [](const Mention& each) { return each.end; }));
  result.Set("intervalStarts",
             column<double>(env, mentions, [](const Mention& each) { return each.start_ms; }));
  result.Set("intervalEnds",
             column<double>(env, mentions, [](const Mention& each) { return each.end_ms; }));
  result.Set("offsets", column<std::uint8_t>(env, mentions,
                                             [](const Mention& each) { return each.has_offset; }));
  result.Set("granularities", column<std::uint8_t>(env, mentions, [](const Mention& each) {
               return each.granularity;
             }));
  result.Set("relations", column<std::uint8_t>(env, mentions,
                                               [](const Mention& each) { return each.relation; }));
  result.Set("confidences",
             column<float>(env, mentions, [](const Mention& each) { return each.confidence; }));
  result.Set("timexCounts", column<std::uint32_t>(
                                env, mentions, [](const Mention& each) { return each.timexes; }));
  result.Set("timexStarts",
             column<std::uint32_t>(env, timexes, [](const Timex& each) { return each.start; }));
  result.Set("timexEnds",
             column<std::uint32_t>(env, timexes, [](const Timex& each) { return each.end; }));
  result.Set("timexTypes",
             column<std::uint8_t>(env, timexes, [](const Timex& each) { return each.type; }));
  result.Set("timexValues", Napi::String::New(env, values));
  return result;
}

void export_timetag(Napi::Env env, Napi::Object exports) {
  exports.Set("tagTimesSync", Napi::Function::New(env, tag_times_sync, "tagTimesSync"));
  exports.Set("tagTimes", Napi::Function::New(env, tag_times, "tagTimes"));
  exports.Set("contentMentions", Napi::Function::New(env, content_mentions, "contentMentions"));
  exports.Set("querySignals", Napi::Function::New(env, query_signals, "querySignals"));
  exports.Set("courseOf", Napi::Function::New(env, course_of, "courseOf"));
}

}  // namespace asof::boundary
