// Exports of the extractive reader.
#include "boundary/reading.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/statements.hpp"
#include "boundary/task.hpp"
#include "reading/score.hpp"

namespace asof::boundary {
namespace {

reading::Question question_of(const Fields& request) {
  reading::Question question;
  std::vector<std::u16string> words = utf16_strings(request["words"], "words");
  const auto places = request.column<std::uint32_t>("places", words.size());
  const std::size_t stems = size(request["stems"], "stems", 0, static_cast<double>(words.size()));
  question.stems.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(stems));
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (places[at] >= stems) refuse("places", "those of stems", std::to_string(places[at]));
    question.places.emplace(std::move(words[at]), places[at]);
  }
  for (std::u16string& each : utf16_strings(request["said"], "said"))
    question.all.insert(std::move(each));
  const auto time = request.column<double>("time");
  if (!time.empty() && time.size() != 4) refuse("time", "two stretches or none", "others");
  if (!time.empty()) {
    question.time.asked = {time[0], time[1]};
    question.time.named = {time[2], time[3]};
  }
  question.time.implied = boolean(request["implied"], "implied");
  question.asks_date = boolean(request["asksDate"], "asksDate");
  question.lists = boolean(request["lists"], "lists");
  return question;
}

/// The title before the text, in one string that all offsets are of.
reading::ReadPassage passage_of(statements::SourcePassage& source) {
  reading::ReadPassage passage;
  passage.reference = source.reference;
  passage.title_end = static_cast<std::uint32_t>(source.title.text.size());
  std::uint32_t before = 0;
  if (passage.title_end == 0) {
    passage.text = std::move(source.text.text);
  } else {
    passage.text = std::move(source.title.text);
    passage.text += u'\n';
    passage.text += source.text.text;
    before = passage.title_end + 1;
  }
  for (const statements::Span& each : source.sentences)
    passage.sentences.push_back({each.start + before, each.end + before});
  return passage;
}

struct ReadAnswer {
  std::u16string text, sentence;
  std::uint32_t passage = 0;
  double probability = 0;
  std::vector<std::u16string> items;
};

std::optional<ReadAnswer> read(const PassagesToRead& request, std::span<const double> weights,
                               const reading::AnswerFeatures& answer_weights,
                               const Cancel& cancel) {
  const reading::Candidates candidates =
      reading::candidates_of(request.question, request.passages, cancel);
  const std::vector<double> scores = reading::scores_of(candidates, weights);
  const auto best = reading::best_span(candidates, scores);
  if (!best) return std::nullopt;
  const reading::Candidate& chosen = candidates.all[best->candidate];
  ReadAnswer answer = {std::u16string(chosen.text),
                       std::u16string(chosen.sentence),
                       chosen.passage,
                       reading::probability_of(*best, answer_weights),
                       {}};
  if (request.question.lists)
    answer.items = reading::items_like(best->candidate, candidates, scores);
  return answer;
}

Napi::String string_of(Napi::Env env, const std::u16string& text) {
  return Napi::String::New(env, text);
}

Napi::Value value_of(Napi::Env env, const std::optional<ReadAnswer>& answer) {
  if (!answer) return env.Undefined();
  Napi::Object result = Napi::Object::New(env);
  result.Set("text", string_of(env, answer->text));
  result.Set("sentence", string_of(env, answer->sentence));
  result.Set("passage", Napi::Number::New(env, answer->passage));
  result.Set("probability", Napi::Number::New(env, answer->probability));
  Napi::Array items = Napi::Array::New(env, answer->items.size());
  for (std::uint32_t at = 0; at < answer->items.size(); ++at)
    items.Set(at, string_of(env, answer->items[at]));
  result.Set("items", items);
  return result;
}

// readAnswer(request: PassagesToRead, weights: Float64Array, answerWeights: Float64Array,
// cancellation?: Cancellation): Promise<ReadAnswer | undefined>
Napi::Value read_answer(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const auto request = passages_to_read(Fields(object(info[0], "request")));
    const std::vector<double> weights =
        copied(array<double>(info[1], "weights", reading::feature_names().size()));
    reading::AnswerFeatures answer_weights;
    const auto given = array<double>(info[2], "answerWeights", answer_weights.size());
    std::copy(given.begin(), given.end(), answer_weights.begin());
    const Cancel cancel = Cancellation::flag(info[3]);
    return start_task(
        info.Env(),
        [request, weights, answer_weights, cancel] {
          return read(*request, weights, answer_weights, cancel);
        },
        value_of);
  });
}

template <typename Names>
Napi::Array names_of(Napi::Env env, const Names& names) {
  Napi::Array list = Napi::Array::New(env, names.size());
  std::uint32_t at = 0;
  for (const auto& each : names) list.Set(at++, string_of(env, std::u16string(each)));
  return list;
}

// readerFeatures(): { ofSpans: string[]; ofAnswers: string[] }
Napi::Value reader_features(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("ofSpans", names_of(info.Env(), reading::feature_names()));
    result.Set("ofAnswers", names_of(info.Env(), reading::answer_feature_names));
    return result;
  });
}

}  // namespace

std::shared_ptr<const PassagesToRead> passages_to_read(const Fields& request) {
  auto read = std::make_shared<PassagesToRead>();
  read->question = question_of(request);
  std::vector<statements::SourcePassage> sources = sources_of(request);
  const auto days = request.column<double>("publishedDays", 2 * sources.size());
  const ListOf<double> instants(request, "instantEnds", "instants", sources.size(), 4);
  for (std::size_t at = 0; at < sources.size(); ++at) {
    reading::ReadPassage& passage = read->passages.emplace_back(passage_of(sources[at]));
    if (!std::isnan(days[2 * at])) passage.published = {days[2 * at], days[2 * at + 1]};
    const auto own = instants[at];
    passage.instants.assign(own.begin(), own.end());
  }
  return read;
}

void export_reading(Napi::Env env, Napi::Object exports) {
  exports.Set("readAnswer", Napi::Function::New(env, read_answer, "readAnswer"));
  exports.Set("readerFeatures", Napi::Function::New(env, reader_features, "readerFeatures"));
}

}  // namespace asof::boundary
