// Export list of the shipped addon.
#include "boundary/exports.hpp"

#include <string>

#include "boundary/environment.hpp"
#include "boundary/node_api.hpp"
#include "core/keep_loaded.hpp"

namespace asof::boundary {

void export_all(Napi::Env env, Napi::Object exports) {
  if (const char* name = missing_node_function())
    throw Napi::Error::New(env, "Expected a program with Node-API 8 or later, found no " +
                                    std::string(name) + " in it. Use a newer one.");
  keep_loaded();
  env.SetInstanceData(new Environment);
  environment_of_thread = env;
  environment(env).array_buffer_class =
      Napi::Persistent(env.Global().Get("ArrayBuffer").As<Napi::Function>());
  export_process(env, exports);
  export_devices(env, exports);
  export_text(env, exports);
  export_timetag(env, exports);
  export_question(env, exports);
  export_facts(env, exports);
  export_statements(env, exports);
  export_reading(env, exports);
  export_keywords(env, exports);
  export_cascade(env, exports);
  export_segments(env, exports);
  export_corpus_segments(env, exports);
  export_inner_product(env, exports);
  export_flat(env, exports);
  export_lexical(env, exports);
  export_static_encoder(env, exports);
  export_training(env, exports);
  export_time_encoder(env, exports);
  export_fields(env, exports);
  export_fused_vectors(env, exports);
}

}  // namespace asof::boundary
