// libzip, loaded when a workbook is opened for the first time.
//
// Few lists are workbooks: nothing is linked, and what is called of libzip is declared here, as its manual has it (libzip(3)); these
// functions are the same in versions 1.0 to 1.11. `zip_library_open` loads the library and finds them.
#ifndef NFCPROG_CLIBZIP_SHIM_H
#define NFCPROG_CLIBZIP_SHIM_H

#include <stdint.h>

#include "../loading.h"

#ifdef __APPLE__
#define ZIP_LIBRARY_NAMES {"libzip.5.dylib", "/opt/homebrew/opt/libzip/lib/libzip.5.dylib", "/usr/local/opt/libzip/lib/libzip.5.dylib", NULL}
#else
#define ZIP_LIBRARY_NAMES {"libzip.so.5", "libzip.so.4", NULL}
#endif

typedef struct zip zip_archive;
typedef struct zip_file zip_part;

/// The functions of libzip that are used.
typedef struct {
  /// Takes the descriptor over where it succeeds.
  zip_archive *(*open)(int descriptor, int flags, int *error);
  void (*discard)(zip_archive *archive);
  zip_part *(*open_part)(zip_archive *archive, const char *name, uint32_t flags);
  /// -1: the part is damaged, encrypted, or packed in a way that libzip does not know.
  int64_t (*read)(zip_part *part, void *buffer, uint64_t size);
  int (*close_part)(zip_part *part);
} zip_library;

/// Loads libzip for the life of the process. Returns NULL, or what is wrong.
static inline const char *zip_library_open(zip_library *library) {
  const char *const names[] = ZIP_LIBRARY_NAMES;
  const loaded_function functions[] = {
      {(void **)&library->open, "zip_fdopen"},
      {(void **)&library->discard, "zip_discard"},
      {(void **)&library->open_part, "zip_fopen"},
      {(void **)&library->read, "zip_fread"},
      {(void **)&library->close_part, "zip_fclose"},
      {NULL, NULL},
  };
  return load_library(names, functions);
}

#endif
