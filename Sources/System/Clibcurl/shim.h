// libcurl, loaded when something is fetched for the first time.
//
// Linked as usual, libcurl and the thirty libraries that it needs on Debian make every start of the program 5 ms longer, and few
// commands fetch anything. So nothing is linked: `curl_library_open` loads the library and finds its functions. The options of
// `curl_easy_setopt` and `curl_easy_getinfo` are variadic, which Swift cannot call: here is one function for each type.
#ifndef NFCPROG_CLIBCURL_SHIM_H
#define NFCPROG_CLIBCURL_SHIM_H

// The type checker defines macros of the same names as the functions.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "../loading.h"

#ifdef __APPLE__
#define CURL_LIBRARY_NAMES {"libcurl.4.dylib", NULL}
#else
#define CURL_LIBRARY_NAMES {"libcurl.so.4", NULL}
#endif

/// The functions of libcurl that are used, as `curl/easy.h` declares them.
typedef struct {
  CURLcode (*global_init)(long flags);
  CURL *(*easy_init)(void);
  CURLcode (*easy_perform)(CURL *handle);
  void (*easy_cleanup)(CURL *handle);
  const char *(*easy_strerror)(CURLcode code);
  struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
  void (*slist_free_all)(struct curl_slist *list);
  void *easy_setopt;
  void *easy_getinfo;
} curl_library;

/// Loads libcurl for the life of the process. Returns NULL, or what is wrong.
static inline const char *curl_library_open(curl_library *library) {
  const char *const names[] = CURL_LIBRARY_NAMES;
  const loaded_function functions[] = {
      {(void **)&library->global_init, "curl_global_init"},
      {(void **)&library->easy_init, "curl_easy_init"},
      {(void **)&library->easy_perform, "curl_easy_perform"},
      {(void **)&library->easy_cleanup, "curl_easy_cleanup"},
      {(void **)&library->easy_strerror, "curl_easy_strerror"},
      {(void **)&library->slist_append, "curl_slist_append"},
      {(void **)&library->slist_free_all, "curl_slist_free_all"},
      {&library->easy_setopt, "curl_easy_setopt"},
      {&library->easy_getinfo, "curl_easy_getinfo"},
      {NULL, NULL},
  };
  return load_library(names, functions);
}

typedef CURLcode (*curl_setopt_function)(CURL *, CURLoption, ...);
typedef CURLcode (*curl_getinfo_function)(CURL *, CURLINFO, ...);

static inline CURLcode curl_set_long(const curl_library *library, CURL *handle, CURLoption option, long value) {
  return ((curl_setopt_function)library->easy_setopt)(handle, option, value);
}

/// libcurl copies the text. NULL takes back a default.
static inline CURLcode curl_set_text(const curl_library *library, CURL *handle, CURLoption option, const char *value) {
  return ((curl_setopt_function)library->easy_setopt)(handle, option, value);
}

/// What is pointed at must live as long as the handle.
static inline CURLcode curl_set_pointer(const curl_library *library, CURL *handle, CURLoption option, void *value) {
  return ((curl_setopt_function)library->easy_setopt)(handle, option, value);
}

/// For `CURLOPT_WRITEFUNCTION` and `CURLOPT_HEADERFUNCTION`.
static inline CURLcode curl_set_taker(const curl_library *library, CURL *handle, CURLoption option,
                                      size_t (*taker)(char *, size_t, size_t, void *)) {
  return ((curl_setopt_function)library->easy_setopt)(handle, option, taker);
}

static inline CURLcode curl_set_progress(const curl_library *library, CURL *handle,
                                         int (*progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
  return ((curl_setopt_function)library->easy_setopt)(handle, CURLOPT_XFERINFOFUNCTION, progress);
}

/// libcurl copies the bytes.
static inline CURLcode curl_set_bytes(const curl_library *library, CURL *handle, CURLoption option, const void *bytes,
                                      size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return ((curl_setopt_function)library->easy_setopt)(handle, option, &blob);
}

static inline const char *_Nonnull curl_text(const curl_library *library, CURLcode code) {
  return library->easy_strerror(code);
}

/// 0 where nothing is known.
static inline long curl_get_long(const curl_library *library, CURL *handle, CURLINFO info) {
  long value = 0;
  ((curl_getinfo_function)library->easy_getinfo)(handle, info, &value);
  return value;
}

/// Whether the server's own certificate names anything but its subject; needs `CURLOPT_CERTINFO`. True where libcurl does not say.
static inline int curl_has_alternative_names(const curl_library *library, CURL *handle) {
  struct curl_certinfo *chain = NULL;
  ((curl_getinfo_function)library->easy_getinfo)(handle, CURLINFO_CERTINFO, &chain);
  if (chain == NULL || chain->num_of_certs < 1) return 1;
  static const char name[] = "X509v3 Subject Alternative Name:";
  for (struct curl_slist *entry = chain->certinfo[0]; entry != NULL; entry = entry->next) {
    size_t index = 0;
    while (name[index] != 0 && entry->data[index] == name[index]) index++;
    if (name[index] == 0) return 1;
  }
  return 0;
}

/// An option of libcurl 7.87: a look-up of a name that hangs holds nobody up. Older ones know no such thing.
static inline void curl_set_quick_exit(const curl_library *library, CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_set_long(library, handle, CURLOPT_QUICK_EXIT, 1);
#endif
}

#endif
