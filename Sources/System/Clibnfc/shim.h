// libnfc's public headers, and the chip-level entry points that its shared library exports
// without declaring them in an installed header (libnfc 1.8.0, libnfc/chips/pn53x.h).
#ifndef NFCPROG_CLIBNFC_SHIM_H
#define NFCPROG_CLIBNFC_SHIM_H

#include <string.h>

#include <nfc/nfc.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sends one PN53x command (`tx[0]` is its code, without the TFI D4) and receives what follows D5
/// and the answer code. `timeout` in milliseconds; 0 waits for ever, -1 takes the driver's default.
/// Returns the number of bytes received or a negative `NFC_E…`; where the chip refused with a status
/// byte, `rx[0]` still holds it.
int pn53x_transceive(nfc_device *device, const uint8_t *tx, size_t txLength, uint8_t *rx,
                     size_t rxLength, int timeout);

/// Makes the reader an ISO-DEP card of type A with the UID 08h and `identity`, and waits without a
/// limit until another reader has selected it, or until `nfc_abort_command`. Returns 0, or a
/// negative `NFC_E…`. (Swift does not import libnfc's packed structures.)
static inline int nfcprog_target_init(nfc_device *device, const uint8_t identity[3]) {
  nfc_target target;
  uint8_t frame[264];
  memset(&target, 0, sizeof target);
  target.nm.nmt = NMT_ISO14443A;
  target.nm.nbr = NBR_UNDEFINED;
  target.nti.nai.abtAtqa[1] = 0x04;
  target.nti.nai.abtUid[0] = 0x08;
  memcpy(target.nti.nai.abtUid + 1, identity, 3);
  target.nti.nai.szUidLen = 4;
  target.nti.nai.btSak = 0x20;
  return nfc_target_init(device, &target, frame, sizeof frame, 0);
}

#ifdef __cplusplus
}
#endif

#endif
