// Exports of each file of boundary/, declared in binding.d.ts.
#pragma once

#include <napi.h>

namespace asof::boundary {

void export_process(Napi::Env env, Napi::Object exports);
void export_devices(Napi::Env env, Napi::Object exports);
void export_text(Napi::Env env, Napi::Object exports);
void export_timetag(Napi::Env env, Napi::Object exports);
void export_question(Napi::Env env, Napi::Object exports);
void export_facts(Napi::Env env, Napi::Object exports);
void export_statements(Napi::Env env, Napi::Object exports);
void export_reading(Napi::Env env, Napi::Object exports);
void export_keywords(Napi::Env env, Napi::Object exports);
void export_cascade(Napi::Env env, Napi::Object exports);
void export_segments(Napi::Env env, Napi::Object exports);
void export_corpus_segments(Napi::Env env, Napi::Object exports);
void export_inner_product(Napi::Env env, Napi::Object exports);
void export_flat(Napi::Env env, Napi::Object exports);
void export_lexical(Napi::Env env, Napi::Object exports);
void export_static_encoder(Napi::Env env, Napi::Object exports);
void export_training(Napi::Env env, Napi::Object exports);
void export_time_encoder(Napi::Env env, Napi::Object exports);
void export_fields(Napi::Env env, Napi::Object exports);
void export_fused_vectors(Napi::Env env, Napi::Object exports);

/// Creates the environment's data and sets every export of the shipped addon.
void export_all(Napi::Env env, Napi::Object exports);

}  // namespace asof::boundary
