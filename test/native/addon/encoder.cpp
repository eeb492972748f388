// Intermediate results of the encoders for tests: token ids and time vectors.
#include <napi.h>

#include "addon/exports.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/static_encoder.hpp"
#include "boundary/task.hpp"
#include "boundary/time_encoder.hpp"
#include "boundary/time_encoder_arguments.hpp"
#include "encoder/static_encoder.hpp"

namespace asof::boundary {
namespace {

Napi::Value tokenize_text(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto model = static_model_of(info[0]);
    if (!info[1].IsString()) refuse("text", "a string", kind_of(info[1]));
    std::vector<std::uint32_t> ids;
    Wordpiece(model->vocabulary()).tokenize(info[1].As<Napi::String>().Utf16Value(), ids);
    return array_of(info.Env(), ids);
  });
}

// timeVectors(encoder, dates): Promise<Float32Array>
Napi::Value time_vectors(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto work = [encoder = time_encoder_of(info[0]), dates = dates_of(info[1])] {
      std::vector<float> out(dates.count() * encoder->network().features());
      encoder->embed(dates.parts(), dates.count(), out);
      return out;
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

}  // namespace

void export_test_encoder(Napi::Env env, Napi::Object exports) {
  exports.Set("tokenizeText", Napi::Function::New(env, tokenize_text, "tokenizeText"));
  exports.Set("timeVectors", Napi::Function::New(env, time_vectors, "timeVectors"));
}

}  // namespace asof::boundary
