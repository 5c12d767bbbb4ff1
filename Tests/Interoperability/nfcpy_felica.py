"""Formats the FeliCa Lite on a PN532 with nfcpy, sets its card key, or proves it.

usage: nfcpy_felica.py TTY format | nfcpy_felica.py TTY key KEY | nfcpy_felica.py TTY authenticate KEY

KEY is 16 characters. Prints True or False.
"""

import sys


def main():
    import nfc.clf
    import nfc.tag
    from nfcpy_tag import open_board

    path, action, *words = sys.argv[1:]
    frontend, _ = open_board(path)
    try:
        target = frontend.sense(nfc.clf.RemoteTarget("212F"), iterations=3, interval=0.1)
        tag = nfc.tag.activate(frontend, target)
        if action == "format":
            return print(tag.format())
        key = words[0].encode()
        if action == "authenticate":
            return print(tag.authenticate(key))
        # nfcpy's own `protect` closes the system blocks for good; here the key alone is written.
        tag.write_without_mac(key[7::-1] + key[15:7:-1], 0x87)
        print(tag.authenticate(key))
    finally:
        frontend.close()


if __name__ == "__main__":
    main()
