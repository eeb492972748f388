// Exports of the question reader.
#include <napi.h>

#include <memory>
#include <string>
#include <vector>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/handles.hpp"
#include "core/path_text.hpp"
#include "question/dates.hpp"
#include "timetag/cues/cues.hpp"

namespace asof::boundary {
namespace {

constexpr napi_type_tag reader_tag = {0x3b9d27c4f0518ae6, 0xa27c61f8d4e35b09};

struct Reader {
  std::shared_ptr<const question::Model> model;
  std::shared_ptr<const StaticModel> pieces;
};

// openQuestionReader(model: string, encoder: string): QuestionReader
Napi::Value open_question_reader(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::string path = string(info[0], "model"), encoder = string(info[1], "encoder");
    Reader reader{question::Model::open(path_of(path)), StaticModel::open(path_of(encoder))};
    if (!question::fits(*reader.model, *reader.pieces)) {
      throw Error("ERR_CORPUS_CORRUPT", "Expected " + path +
                                            " to have the sizes of this version and of " + encoder +
                                            ", received others. Reinstall asof.");
    }
    return handle_of(info.Env(), reader_tag, std::move(reader));
  });
}

template <typename T, typename Item, typename Field>
void put(Napi::Object& object, const char* name, const std::vector<Item>& items, Field field) {
  std::vector<T> values;
  values.reserve(items.size());
  for (const Item& item : items) values.push_back(static_cast<T>(field(item)));
  object.Set(name, array_of(object.Env(), values));
}

Napi::Object value_of(Napi::Env env, const std::vector<question::Date>& dates) {
  using question::Date;
  Napi::Object result = Napi::Object::New(env);
  put<std::uint32_t>(result, "starts", dates, [](const Date& each) { return each.span.begin; });
  put<std::uint32_t>(result, "ends", dates, [](const Date& each) { return each.span.end; });
  put<std::uint32_t>(result, "wordStarts", dates,
                     [](const Date& each) { return each.words.begin; });
  put<std::uint32_t>(result, "wordEnds", dates, [](const Date& each) { return each.words.end; });
  put<double>(result, "intervalStarts", dates, [](const Date& each) { return each.start_ms; });
  put<double>(result, "intervalEnds", dates, [](const Date& each) { return each.end_ms; });
  put<std::uint8_t>(result, "granularities", dates,
                    [](const Date& each) { return each.granularity; });
  put<std::uint8_t>(result, "relations", dates, [](const Date& each) { return each.relation; });
  put<std::uint8_t>(result, "offsets", dates, [](const Date& each) { return each.has_offset; });
  put<std::uint8_t>(result, "edges", dates, [](const Date& each) { return each.edge; });
  put<float>(result, "bounds", dates, [](const Date& each) { return each.bound; });
  return result;
}

/// The anchor as an event.
Napi::Object event_of(Napi::Env env, std::u16string_view text, question::Span anchor,
                      question::Span words) {
  const std::u16string_view own = text.substr(anchor.begin, anchor.end - anchor.begin);
  const std::size_t start = timetag::with_preposition(text, words.begin);
  const auto number = [&](auto value) {
    return Napi::Number::New(env, static_cast<double>(value));
  };
  Napi::Object event = Napi::Object::New(env);
  event.Set("start", number(start));
  event.Set("end", number(words.end));
  event.Set("isClause", Napi::Boolean::New(env, timetag::is_clause(own)));
  event.Set("lacksSubject", Napi::Boolean::New(env, timetag::lacks_subject(own)));
  event.Set("course", number(timetag::course_of(own)));
  event.Set("unit", number(timetag::calendar_unit(text.substr(start, words.end - start))));
  event.Set("clause", Napi::String::New(env, timetag::as_clause(own)));
  return event;
}

// readQuestion(reader, text: string, reference: number): ReadQuestion
Napi::Value read_question(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Reader& reader =
        contents<Reader>(info[0], reader_tag, "reader", "what openQuestionReader gave");
    const std::u16string text = utf16(info[1], "text");
    const double reference = number(info[2], "reference");
    timetag::Tags tags;
    timetag::tag(text, reference, timetag::Mode::question, tags);
    question::Reading reading =
        question::read(*reader.model, *reader.pieces, text, reference, tags);
    reader.pieces->throw_if_faulted();
    question::refer_back(text, tags, reading);
    const std::vector<question::Date> dates = question::dates_of(text, tags, reading);

    std::vector<std::uint32_t> removed;
    for (const question::Span& span : reading.removed) {
      removed.push_back(span.begin);
      removed.push_back(span.end);
    }
    const Napi::Env env = info.Env();
    Napi::Object result = Napi::Object::New(env);
    result.Set("dates", value_of(env, dates));
    result.Set("best", array_of(env, std::vector(reading.best.begin(), reading.best.end())));
    result.Set("confidences",
               array_of(env, std::vector(reading.confidence.begin(), reading.confidence.end())));
    result.Set("relations",
               array_of(env, std::vector(reading.relations.begin(), reading.relations.end())));
    result.Set("anchor", array_of(env, std::vector{reading.anchor.begin, reading.anchor.end}));
    result.Set("event", event_of(env, text, reading.anchor,
                                 question::with_words_of_time(text, reading.anchor, reading.removed,
                                                              dates)));
    result.Set("removed", array_of(env, removed));
    result.Set("removedCues",
               Napi::Number::New(env, question::removed_cues(text, reading.removed)));
    result.Set("count", Napi::Number::New(env, question::count_in(text, reading.removed)));
    result.Set("predicate", Napi::Number::New(env, timetag::predicate_cues(text)));
    return result;
  });
}

}  // namespace

void export_question(Napi::Env env, Napi::Object exports) {
  exports.Set("openQuestionReader",
              Napi::Function::New(env, open_question_reader, "openQuestionReader"));
  exports.Set("readQuestion", Napi::Function::New(env, read_question, "readQuestion"));
}

}  // namespace asof::boundary
