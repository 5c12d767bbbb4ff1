// libpq, PostgreSQL's client library, loaded when a database is opened for the first time.
//
// Who keeps journals in files needs neither libpq nor its headers: nothing is linked, and what is called of it is declared here, as
// PostgreSQL's documentation has it (Chapter "libpq"); these have been the same since version 9.0. `pq_library_open` loads the library
// and finds its functions.
#ifndef NFCPROG_CLIBPQ_SHIM_H
#define NFCPROG_CLIBPQ_SHIM_H

#include "../loading.h"

#ifdef __APPLE__
#define PQ_LIBRARY_NAMES {"libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib", NULL}
#else
#define PQ_LIBRARY_NAMES {"libpq.so.5", NULL}
#endif

typedef struct pg_conn pq_connection;
typedef struct pg_result pq_result;
/// PQconninfoOption.
typedef struct pq_option {
  char *keyword;
  /// The variable of the environment that counts where the address has no value.
  char *variable;
  char *compiled;
  char *value;
  char *label;
  char *display;
  int size;
} pq_option;

/// ConnStatusType and ExecStatusType, as far as they are looked at.
enum { PQ_CONNECTION_OK = 0 };
enum { PQ_EMPTY_QUERY = 0, PQ_COMMAND_OK = 1, PQ_TUPLES_OK = 2, PQ_COPY_IN = 4 };
/// The fields of an error that have its SQLSTATE, its message, and the constraint that it is about.
enum { PQ_SQLSTATE = 'C', PQ_MESSAGE = 'M', PQ_CONSTRAINT = 'n' };

/// The functions of libpq that are used.
typedef struct {
  pq_option *(*parse)(const char *address, char **error);
  void (*free_options)(pq_option *options);
  void (*free_memory)(void *memory);
  pq_connection *(*connect)(const char *const *keywords, const char *const *values, int expands_name);
  int (*status)(const pq_connection *connection);
  char *(*error)(const pq_connection *connection);
  void (*finish)(pq_connection *connection);
  int (*uses_ssl)(pq_connection *connection);
  int (*socket)(const pq_connection *connection);
  int (*consume_input)(pq_connection *connection);
  int (*is_busy)(pq_connection *connection);
  int (*send_query)(pq_connection *connection, const char *command);
  int (*send_prepare)(
      pq_connection *connection, const char *name, const char *command, int count, const unsigned int *types);
  int (*send_prepared)(
      pq_connection *connection, const char *name, int count, const char *const *values, const int *lengths,
      const int *formats, int result_format);
  int (*result_status)(const pq_result *result);
  char *(*result_field)(const pq_result *result, int field);
  int (*rows)(const pq_result *result);
  int (*columns)(const pq_result *result);
  char *(*value)(const pq_result *result, int row, int column);
  int (*is_null)(const pq_result *result, int row, int column);
  int (*length)(const pq_result *result, int row, int column);
  void (*clear)(pq_result *result);
  int (*put_copy_data)(pq_connection *connection, const char *buffer, int size);
  int (*put_copy_end)(pq_connection *connection, const char *error);
  pq_result *(*next_result)(pq_connection *connection);
  void *(*set_notice_processor)(pq_connection *connection, void (*processor)(void *, const char *), void *argument);
} pq_library;

static inline void pq_ignore(void *argument, const char *message) {
  (void)argument;
  (void)message;
}

/// What the server remarks goes nowhere: libpq would print it.
static inline void pq_be_silent(const pq_library *library, pq_connection *connection) {
  library->set_notice_processor(connection, pq_ignore, NULL);
}

/// Loads libpq for the life of the process. Returns NULL, or what is wrong.
static inline const char *pq_library_open(pq_library *library) {
  const char *const names[] = PQ_LIBRARY_NAMES;
  const loaded_function functions[] = {
      {(void **)&library->parse, "PQconninfoParse"},
      {(void **)&library->free_options, "PQconninfoFree"},
      {(void **)&library->free_memory, "PQfreemem"},
      {(void **)&library->connect, "PQconnectdbParams"},
      {(void **)&library->status, "PQstatus"},
      {(void **)&library->error, "PQerrorMessage"},
      {(void **)&library->finish, "PQfinish"},
      {(void **)&library->uses_ssl, "PQsslInUse"},
      {(void **)&library->socket, "PQsocket"},
      {(void **)&library->consume_input, "PQconsumeInput"},
      {(void **)&library->is_busy, "PQisBusy"},
      {(void **)&library->send_query, "PQsendQuery"},
      {(void **)&library->send_prepare, "PQsendPrepare"},
      {(void **)&library->send_prepared, "PQsendQueryPrepared"},
      {(void **)&library->result_status, "PQresultStatus"},
      {(void **)&library->result_field, "PQresultErrorField"},
      {(void **)&library->rows, "PQntuples"},
      {(void **)&library->columns, "PQnfields"},
      {(void **)&library->value, "PQgetvalue"},
      {(void **)&library->is_null, "PQgetisnull"},
      {(void **)&library->length, "PQgetlength"},
      {(void **)&library->clear, "PQclear"},
      {(void **)&library->put_copy_data, "PQputCopyData"},
      {(void **)&library->put_copy_end, "PQputCopyEnd"},
      {(void **)&library->next_result, "PQgetResult"},
      {(void **)&library->set_notice_processor, "PQsetNoticeProcessor"},
      {NULL, NULL},
  };
  return load_library(names, functions);
}

#endif
