// Exports of the question reader.
#include <napi.h>

#include <memory>
#include <string>
#include <vector>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/handles.hpp"
#include "boundary/timetag.hpp"
#include "core/path_text.hpp"
#include "question/reader.hpp"

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

// readQuestion(reader, text: string, reference: number): ReadQuestion
Napi::Value read_question(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Reader& reader =
        contents<Reader>(info[0], reader_tag, "reader", "what openQuestionReader gave");
    if (!info[1].IsString()) refuse("text", "a string", kind_of(info[1]));
    const std::u16string text = info[1].As<Napi::String>().Utf16Value();
    const double reference = number(info[2], "reference");
    Tagged tagged;
    tagged.modes.push_back(timetag::tag(text, reference, timetag::Mode::question, tagged.tags));
    tagged.counts.push_back(static_cast<std::uint32_t>(tagged.tags.mentions.size()));
    const question::Reading reading =
        question::read(*reader.model, *reader.pieces, text, reference, tagged.tags);
    reader.pieces->throw_if_faulted();

    std::vector<std::uint32_t> removed;
    for (const question::Span& span : reading.removed) {
      removed.push_back(span.begin);
      removed.push_back(span.end);
    }
    const Napi::Env env = info.Env();
    Napi::Object result = Napi::Object::New(env);
    result.Set("times", value_of(env, tagged));
    result.Set("bounds", array_of(env, reading.mentions));
    result.Set("best", array_of(env, std::vector(reading.best.begin(), reading.best.end())));
    result.Set("confidences",
               array_of(env, std::vector(reading.confidence.begin(), reading.confidence.end())));
    result.Set("relations",
               array_of(env, std::vector(reading.relations.begin(), reading.relations.end())));
    result.Set("anchor", array_of(env, std::vector{reading.anchor.begin, reading.anchor.end}));
    result.Set("removed", array_of(env, removed));
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
