#include "BuildFacts.h"

const char *_Nonnull nfcprogCommit(void) { return NFCPROG_COMMIT; }
