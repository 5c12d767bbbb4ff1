// libusb-1.0's public header.
#include <libusb.h>
