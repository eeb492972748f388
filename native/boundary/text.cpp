// Exports of the text analyzer.
#include <napi.h>

#include <string>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "text/analyzer.hpp"

namespace asof::boundary {
namespace {

// analyze(text): string
// One string, since each that is made here takes a call of Node-API.
Napi::Value analyze(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    std::u16string joined;
    for (const std::u16string& term : text::analyze(utf16(info[0], "text"))) {
      if (!joined.empty()) joined += u' ';
      joined += term;
    }
    return Napi::String::New(info.Env(), joined);
  });
}

}  // namespace

void export_text(Napi::Env env, Napi::Object exports) {
  exports.Set("analyze", Napi::Function::New(env, analyze, "analyze"));
}

}  // namespace asof::boundary
