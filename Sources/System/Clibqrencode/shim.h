// libqrencode, loaded when a report draws a QR code for the first time.
//
// Reports are made without it, too: nothing is linked, and what is called is declared here, as qrencode.h of version 4 has it.
#ifndef NFCPROG_CLIBQRENCODE_SHIM_H
#define NFCPROG_CLIBQRENCODE_SHIM_H

#include "../loading.h"

#ifdef __APPLE__
#define QR_LIBRARY_NAMES {"libqrencode.4.dylib", "/opt/homebrew/opt/qrencode/lib/libqrencode.4.dylib", "/usr/local/opt/qrencode/lib/libqrencode.4.dylib", NULL}
#else
#define QR_LIBRARY_NAMES {"libqrencode.so.4", NULL}
#endif

/// QRcode.
typedef struct qr_code {
  int version;
  /// Modules of a side.
  int width;
  /// A byte for each module, row after row; its lowest bit is 1 where the module is dark.
  unsigned char *data;
} qr_code;

/// QRecLevel: a quarter of the code may be lost.
enum { QR_LEVEL_Q = 2 };

/// The functions of libqrencode that are used.
typedef struct {
  /// NULL where the text is too long. Version 0: the smallest that does.
  qr_code *(*encode)(const char *text, int version, int level);
  void (*free)(qr_code *code);
} qr_library;

/// Loads libqrencode for the life of the process. Returns NULL, or what is wrong.
static inline const char *qr_library_open(qr_library *library) {
  const char *const names[] = QR_LIBRARY_NAMES;
  const loaded_function functions[] = {
      {(void **)&library->encode, "QRcode_encodeString8bit"},
      {(void **)&library->free, "QRcode_free"},
      {NULL, NULL},
  };
  return load_library(names, functions);
}

#endif
