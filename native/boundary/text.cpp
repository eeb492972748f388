// Exports of the text analyzer.
#include <napi.h>

#include <cstdint>
#include <string>
#include <vector>

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

// termSpans(text, terms): Uint32Array
Napi::Value term_spans(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    std::vector<std::uint32_t> offsets;
    for (const text::Span& each :
         text::spans_of_terms(utf16(info[0], "text"), utf16_strings(info[1], "terms")))
      offsets.insert(offsets.end(), {each.start, each.end});
    return array_of(info.Env(), offsets);
  });
}

}  // namespace

void export_text(Napi::Env env, Napi::Object exports) {
  exports.Set("analyze", Napi::Function::New(env, analyze, "analyze"));
  exports.Set("termSpans", Napi::Function::New(env, term_spans, "termSpans"));
}

}  // namespace asof::boundary
