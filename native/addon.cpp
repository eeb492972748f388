// Entry point of the shipped addon, asof.node.
#include <napi.h>

#include "boundary/exports.hpp"

static Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  asof::boundary::export_all(env, exports);
  return exports;
}

NODE_API_MODULE(asof, initialize)
