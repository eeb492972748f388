// What words around a year say of a state, for tests.
#include <napi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "addon/exports.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "timetag/cues/cues.hpp"

namespace asof::boundary {
namespace {

// stateCues(sentence: string, years: Int32Array): Uint8Array
Napi::Value state_cues(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::u16string sentence = utf16(info[0], "sentence");
    std::vector<std::uint8_t> cues;
    for (const std::int32_t year : array<std::int32_t>(info[1], "years"))
      cues.push_back(static_cast<std::uint8_t>(timetag::state_cue(sentence, year)));
    return array_of(info.Env(), cues);
  });
}

}  // namespace

void export_test_timetag(Napi::Env env, Napi::Object exports) {
  exports.Set("stateCues", Napi::Function::New(env, state_cues, "stateCues"));
}

}  // namespace asof::boundary
