"""What every server has that a check starts: an end."""

import signal

from support import LIMIT


class Server:
    """`process` runs until the check ends."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)
        self.process.stderr.close()

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait(LIMIT)
