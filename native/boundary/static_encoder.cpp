// Static encoder: opening a model and encoding texts as tasks; a handle owns the model.
#include <algorithm>
#include <memory>
#include <vector>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/handles.hpp"
#include "boundary/static_encoder.hpp"
#include "boundary/task.hpp"
#include "core/path_text.hpp"
#include "encoder/static_encoder.hpp"

namespace asof::boundary {
namespace {

using Model = std::shared_ptr<const StaticModel>;
constexpr napi_type_tag model_tag = {0x71c4e08b5d2a4f93, 0x8f36b2d90a1e4c57};

Napi::Value open_static_encoder(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    return start_task(
        info.Env(), [path = path_of(string(info[0], "path"))] { return StaticModel::open(path); },
        [](Napi::Env env, const Model& model) { return handle_of(env, model_tag, model); });
  });
}

Napi::Value static_encoder_header(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return Napi::String::New(info.Env(), std::string(static_model_of(info[0])->header()));
  });
}

Napi::Value encode_texts(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    return start_task(
        info.Env(),
        [model = static_model_of(info[0]), texts = utf16_strings(info[1], "texts"),
         cancel = Cancellation::flag(info[2])] {
          std::vector<float> out(texts.size() * model->dimensions());
          encode(*model, texts, out, cancel);
          model->throw_if_faulted();
          return out;
        },
        [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

// tokenizeWords(encoder, words): { ids, ends }
Napi::Value tokenize_words(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const auto model = static_model_of(info[0]);
    const Lists tokens = tokens_of(*model, utf16_strings(info[1], "words"));
    model->throw_if_faulted();
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("ids", array_of(info.Env(), tokens.items));
    result.Set("ends", array_of(info.Env(), tokens.ends));
    return result;
  });
}

// wordRarity(encoder, word): number
Napi::Value word_rarity(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const auto model = static_model_of(info[0]);
    const double rarity = model->rarity(utf16(info[1], "word"));
    model->throw_if_faulted();
    return Napi::Number::New(info.Env(), rarity);
  });
}

// cosinesOfTokens(encoder, ids, ends, asked, cancellation): Float64Array
Napi::Value cosines_of_tokens(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const auto model = static_model_of(info[0]);
    Lists texts = {copied(array<std::uint32_t>(info[1], "ids")),
                   copied(array<std::uint32_t>(info[2], "ends"))};
    const std::size_t tokens = model->vocabulary().size();
    for (const std::uint32_t id : texts.items)
      if (id >= tokens)
        refuse("ids", "numbers below " + std::to_string(tokens), std::to_string(id));
    if (!std::is_sorted(texts.ends.begin(), texts.ends.end()) ||
        (texts.ends.empty() ? 0 : texts.ends.back()) != texts.items.size())
      refuse("ends", "ascending up to " + std::to_string(texts.items.size()), "other numbers");
    const std::size_t asked = size(info[3], "asked", 0, static_cast<double>(texts.ends.size()));
    return start_task(
        info.Env(),
        [model, texts = std::move(texts), asked, cancel = Cancellation::flag(info[4])] {
          std::vector<double> out = cosines(*model, texts, asked, cancel);
          model->throw_if_faulted();
          return out;
        },
        [](Napi::Env env, const std::vector<double>& out) { return array_of(env, out); });
  });
}

}  // namespace

std::shared_ptr<const StaticModel> static_model_of(const Napi::Value& value) {
  return contents<Model>(value, model_tag, "encoder", "what openStaticEncoder gave");
}

void export_static_encoder(Napi::Env env, Napi::Object exports) {
  exports.Set("openStaticEncoder",
              Napi::Function::New(env, open_static_encoder, "openStaticEncoder"));
  exports.Set("staticEncoderHeader",
              Napi::Function::New(env, static_encoder_header, "staticEncoderHeader"));
  exports.Set("encodeTexts", Napi::Function::New(env, encode_texts, "encodeTexts"));
  exports.Set("tokenizeWords", Napi::Function::New(env, tokenize_words, "tokenizeWords"));
  exports.Set("wordRarity", Napi::Function::New(env, word_rarity, "wordRarity"));
  exports.Set("cosinesOfTokens", Napi::Function::New(env, cosines_of_tokens, "cosinesOfTokens"));
}

}  // namespace asof::boundary
