// libnfc's public headers, and the chip-level entry points that its shared library exports
// without declaring them in an installed header (libnfc 1.8.0, libnfc/chips/pn53x.h).
#ifndef NFCPROG_CLIBNFC_SHIM_H
#define NFCPROG_CLIBNFC_SHIM_H

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

#ifdef __cplusplus
}
#endif

#endif
