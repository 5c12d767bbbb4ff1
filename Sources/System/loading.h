// How a library is loaded that few commands need: `dlopen` finds it when something asks for it, and nothing is linked.
#ifndef NFCPROG_LOADING_H
#define NFCPROG_LOADING_H

#include <dlfcn.h>
#include <stddef.h>

/// A function of a library, and where its address goes.
typedef struct {
  void **address;
  const char *name;
} loaded_function;

/// Loads the first library of `names` that is there, for the life of the process, and finds its `functions`. Both lists end with NULL.
/// Returns NULL, or what is wrong.
static inline const char *load_library(const char *const *names, const loaded_function *functions) {
  void *file = NULL;
  for (; file == NULL && *names != NULL; names++) file = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  if (file == NULL) return dlerror();
  for (; functions->name != NULL; functions++) {
    *functions->address = dlsym(file, functions->name);
    if (*functions->address == NULL) return dlerror();
  }
  return NULL;
}

#endif
