// The addon's door: one call for each file of boundary/. It decides nothing.
#include <napi.h>

#include "boundary/environment.hpp"
#include "boundary/exports.hpp"

static Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new asof::boundary::Environment);
  asof::boundary::export_process(env, exports);
  asof::boundary::export_devices(env, exports);
  asof::boundary::export_timetag(env, exports);
  asof::boundary::export_segments(env, exports);
  asof::boundary::export_catalog_file(env, exports);
  asof::boundary::export_corpus_segments(env, exports);
  asof::boundary::export_kernels(env, exports);
  asof::boundary::export_quantized(env, exports);
  asof::boundary::export_flat(env, exports);
  asof::boundary::export_time_kernels(env, exports);
  asof::boundary::export_lexical(env, exports);
  asof::boundary::export_texts(env, exports);
  asof::boundary::export_static_encoder(env, exports);
  asof::boundary::export_training(env, exports);
  asof::boundary::export_time_encoder(env, exports);
  asof::boundary::export_fused_vectors(env, exports);
  return exports;
}

NODE_API_MODULE(asof, initialize)
