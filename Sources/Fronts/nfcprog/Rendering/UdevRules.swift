import LibNFCReaders

/// What `readers --udev-rules` prints.
enum UdevRules {
  static var text: String {
    let readers = KnownReaders.all.map { reader in
      """
      # \(reader.model)
      SUBSYSTEM=="usb", ATTR{idVendor}=="\(reader.vendor)", ATTR{idProduct}=="\(reader.product)", \
      GROUP="plugdev", MODE="0660", TAG+="uaccess"
      """
    }
    return """
      # Readers for nfcprog: /etc/udev/rules.d/60-nfcprog.rules, then
      #   sudo udevadm control --reload && sudo udevadm trigger
      # The group is for remote logins; uaccess lets whoever sits at the machine in.

      ACTION=="remove", GOTO="nfcprog_end"

      # USB readers.
      \(readers.joined(separator: "\n"))

      # Serial adapters: ModemManager must not try them as modems, FTDI's must not hold answers back.
      SUBSYSTEM=="tty", SUBSYSTEMS=="usb", DRIVERS=="ftdi_sio|cp210x|ch341|pl2303|cdc_acm", TAG+="uaccess", \
      ENV{ID_MM_DEVICE_IGNORE}="1"
      SUBSYSTEM=="usb-serial", DRIVER=="ftdi_sio", ATTR{latency_timer}="1"

      LABEL="nfcprog_end"

      # The kernel's own NFC drivers take PN533 readers away. To keep them out:
      #   printf 'blacklist pn533_usb\\nblacklist pn533\\n' | sudo tee /etc/modprobe.d/nfcprog.conf
      """
  }
}
