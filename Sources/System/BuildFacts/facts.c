#include "BuildFacts.h"

const char *_Nonnull nfcprogVersion(void) { return "1.0.0"; }
const char *_Nonnull nfcprogCommit(void) { return NFCPROG_COMMIT; }
