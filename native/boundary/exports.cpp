// Export list of the shipped addon.
#include "boundary/exports.hpp"

#include "boundary/environment.hpp"

namespace asof::boundary {

void export_all(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Environment);
  export_process(env, exports);
  export_devices(env, exports);
  export_timetag(env, exports);
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
