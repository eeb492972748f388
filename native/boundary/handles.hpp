// Handles of JavaScript: opaque values that own something of the addon's.
#pragma once

#include <napi.h>

#include <memory>
#include <utility>

#include "boundary/arguments.hpp"

namespace asof::boundary {

/// A handle that owns `contents`, tagged so that it is not taken for another.
template <typename Contents>
Napi::Value handle_of(Napi::Env env, const napi_type_tag& tag, Contents contents) {
  auto owned = std::make_unique<Contents>(std::move(contents));
  auto handle = Napi::External<Contents>::New(env, owned.get(),
                                              [](Napi::Env, Contents* each) { delete each; });
  owned.release();
  if (napi_type_tag_object(env, handle, &tag) != napi_ok) throw Napi::Error::New(env);
  return handle;
}

/// What a handle with the tag owns; `expected` says what gives such handles.
template <typename Contents>
Contents& contents(const Napi::Value& value, const napi_type_tag& tag, const char* name,
                   const char* expected) {
  bool matches = false;
  if (value.IsExternal()) napi_check_object_type_tag(value.Env(), value, &tag, &matches);
  if (!matches) refuse(name, expected, kind_of(value));
  return *value.As<Napi::External<Contents>>().Data();
}

}  // namespace asof::boundary
