// An empty package of ICU's data, in place of the 34 MB that the static Foundation brings.
//
// What this program uses of Foundation (files, JSON, dates in ISO 8601) asks ICU for nothing; GRDB
// imports all of it, and with it the tables of every language. The linker takes this symbol and
// leaves Foundation's out. What asks all the same (a date formatter, a collation of a language) is
// told that the data are missing: use ISO 8601 and comparison by bytes. ICU User Guide, "ICU Data".
// The name has ICU's version: where Foundation has another one, its own data stay.
#if defined(__linux__) && defined(NFCPROG_NO_LOCALE_DATA)

#include <stdint.h>

typedef struct {
  uint16_t headerSize;
  uint8_t magic[2];
  uint16_t infoSize, reserved;
  uint8_t isBigEndian, charsetFamily, sizeOfUChar, reservedByte;
  uint8_t format[4], formatVersion[4], dataVersion[4];
  uint8_t padding[8];
  uint32_t count, reservedWord;
  uint64_t entries[2];
} EmptyPackage;

_Alignas(16) const EmptyPackage icudt76_dat = {
    .headerSize = 32,
    .magic = {0xDA, 0x27},
    .infoSize = 20,
    .isBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .sizeOfUChar = 2,
    .format = {'T', 'o', 'C', 'P'},
    .formatVersion = {1},
};

#endif
