// Says which device a CUDA library finds, or why it finds none: cuda_facts LIBRARY. Ends with 0 where there is a device.
#include <dlfcn.h>

#include <cstdio>

#include "cuda/interface.hpp"

int main(int count, char** arguments) {
  using namespace asof::cuda;
  void* library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) return std::printf("%s\n", count > 1 ? dlerror() : "no library named"), 1;
  const auto table_of = reinterpret_cast<const Interface* (*)()>(dlsym(library, "asof_cuda_interface"));
  const Interface* table = table_of == nullptr ? nullptr : table_of();
  if (table == nullptr || table->version != interface_version || table->bytes != sizeof(Interface)) return std::printf("a library of another version\n"), 1;
  DeviceFacts facts;
  Failure failure;
  if (!table->facts(0, &facts, &failure)) return std::printf("%s\n", failure.text), 1;
  std::printf("%s, compute capability %u.%u, %u processors, %.1f GB, %s\n", facts.name, facts.major, facts.minor, facts.processors,
              static_cast<double>(facts.memory) / 1e9, table->build);
  return 0;
}
