// See node_api.hpp. An import library would name node.exe; a program of another name (Electron,
// Bun, Deno) has the functions too. So they are looked up by their names in the program, whatever
// it is called, and put into the pointers through which imported functions are called.
#include "boundary/node_api.hpp"

#include "core/windows/system.hpp"

// Those that the addon calls. The linker names what is missing here, and on Linux
// test/boundary/nodeFunctions.test.ts.
// clang-format off
#define ASOF_NODE_FUNCTIONS(each) \
  each(napi_add_finalizer) each(napi_call_function) each(napi_check_object_type_tag) \
  each(napi_close_escapable_handle_scope) each(napi_close_handle_scope) \
  each(napi_coerce_to_string) each(napi_create_array) each(napi_create_array_with_length) \
  each(napi_create_arraybuffer) each(napi_create_async_work) each(napi_create_double) \
  each(napi_create_error) each(napi_create_external) each(napi_create_function) \
  each(napi_create_object) each(napi_create_promise) each(napi_create_reference) \
  each(napi_create_string_latin1) each(napi_create_string_utf16) each(napi_create_string_utf8) \
  each(napi_create_type_error) \
  each(napi_create_typedarray) each(napi_define_class) each(napi_define_properties) \
  each(napi_delete_async_work) each(napi_delete_reference) each(napi_escape_handle) \
  each(napi_fatal_error) each(napi_get_and_clear_last_exception) each(napi_get_array_length) \
  each(napi_get_arraybuffer_info) each(napi_get_boolean) each(napi_get_cb_info) \
  each(napi_get_element) each(napi_get_global) each(napi_get_instance_data) \
  each(napi_get_last_error_info) each(napi_get_named_property) each(napi_get_new_target) \
  each(napi_get_null) each(napi_get_property) each(napi_get_property_names) each(napi_get_reference_value) \
  each(napi_get_typedarray_info) each(napi_get_undefined) each(napi_get_value_bool) \
  each(napi_get_value_double) each(napi_get_value_external) each(napi_get_value_string_utf16) \
  each(napi_get_value_string_utf8) each(napi_has_property) each(napi_is_array) \
  each(napi_is_detached_arraybuffer) each(napi_is_exception_pending) each(napi_is_typedarray) \
  each(napi_new_instance) each(napi_open_escapable_handle_scope) each(napi_open_handle_scope) \
  each(napi_queue_async_work) each(napi_reject_deferred) each(napi_remove_wrap) \
  each(napi_resolve_deferred) each(napi_set_element) each(napi_set_instance_data) \
  each(napi_set_named_property) each(napi_strict_equals) each(napi_throw) \
  each(napi_type_tag_object) each(napi_typeof) each(napi_unwrap) each(napi_wrap)
// clang-format on

extern "C" {
#define ASOF_POINTER(name) void* __imp_##name = nullptr;
ASOF_NODE_FUNCTIONS(ASOF_POINTER)
#undef ASOF_POINTER
}

namespace asof::boundary {
namespace {

/// The program, or the library where Node was built as one.
void* function_named(const char* name) {
  for (const wchar_t* module : {static_cast<const wchar_t*>(nullptr), L"libnode.dll", L"node.dll"})
    if (const HMODULE handle = ::GetModuleHandleW(module))
      if (const FARPROC function = ::GetProcAddress(handle, name))
        return reinterpret_cast<void*>(function);
  return nullptr;
}

const char* look_up_all() {
  const char* missing = nullptr;
#define ASOF_LOOK_UP(name) \
  if ((__imp_##name = function_named(#name)) == nullptr) missing = #name;
  ASOF_NODE_FUNCTIONS(ASOF_LOOK_UP)
#undef ASOF_LOOK_UP
  return missing;
}

const char* const missing = look_up_all();  // while the addon is loaded

}  // namespace

const char* missing_node_function() {
  return missing;
}

}  // namespace asof::boundary
