// What the analyzer is made of, for tests.
#include <napi.h>

#include "addon/exports.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "statements/written.hpp"
#include "text/analyzer.hpp"
#include "text/forms.hpp"

namespace asof::boundary {
namespace {

/// A function from a text to a text.
template <std::u16string (*change)(std::u16string_view)>
Napi::Value changed(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return Napi::String::New(info.Env(), change(utf16(info[0], "text")));
  });
}

Napi::Value is_composed(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return Napi::Boolean::New(info.Env(), text::is_composed(utf16(info[0], "text")));
  });
}

Napi::Value written_words(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    std::vector<text::Span> spans;
    statements::written_words(utf16(info[0], "text"), spans);
    std::vector<std::uint32_t> pairs;
    for (const auto& [start, end] : spans) pairs.insert(pairs.end(), {start, end});
    return array_of(info.Env(), pairs);
  });
}

}  // namespace

void export_test_text(Napi::Env env, Napi::Object exports) {
  const auto set = [&](const char* name, Napi::Value (*function)(const Napi::CallbackInfo&)) {
    exports.Set(name, Napi::Function::New(env, function, name));
  };
  set("composed", changed<text::composed>);
  set("lowerCase", changed<text::lower_case>);
  set("stemOf", changed<text::stem_of>);
  set("isComposed", is_composed);
  set("writtenWords", written_words);
}

}  // namespace asof::boundary
