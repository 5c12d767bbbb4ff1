// What a build says of itself.
#ifndef NFCPROG_BUILD_FACTS_H
#define NFCPROG_BUILD_FACTS_H

/// The version of nfcprog and its hub, by Semantic Versioning 2.0.0: the only place where it stands.
/// Docs/Changelog.md says what it promises.
const char *_Nonnull nfcprogVersion(void);

/// The commit that the program was built from, hexadecimal; empty where whoever built it did not
/// say (NFCPROG_COMMIT in the environment of `swift build`).
const char *_Nonnull nfcprogCommit(void);

#endif
