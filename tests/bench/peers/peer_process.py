"""A peer as a process that rests, stopped, while another is timed."""
import ctypes
import os
import select
import signal
import subprocess
import time


class PeerFailed(Exception):
    """One line: why this peer is left out."""


def _die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: nobody would wake a stopped peer again


class PeerProcess:
    def __init__(self, command, log):
        """Starts `command` in a session of its own, so that it is stopped together with all that it starts; what it
        and its libraries say goes to the file `log`."""
        self._log = open(log, "w")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log,
                                         start_new_session=True, preexec_fn=_die_with_parent)
        self._pending = b""
        self.losses = []

    def wait_ready(self, limit_s):
        """The peer's description of itself."""
        return self._line(limit_s)

    def step(self, limit_s):
        """(milliseconds, processor milliseconds) of one step, by the peer's own clocks; the peer runs only from here to
        its answer."""
        os.killpg(self._process.pid, signal.SIGCONT)
        try:
            self._process.stdin.write(b"step\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the reason stands in its last line
        milliseconds, processor, loss = self._line(limit_s).split()
        self.rest()
        self.losses.append(float(loss))
        return float(milliseconds), float(processor)

    def rest(self):
        """No thread of it runs until the next step: neither those that spin for work nor a collector of garbage."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def peak_mebibytes(self):
        """The high-water mark of its resident set, since its start or since the last forget_peak()."""
        with open(f"/proc/{self._process.pid}/status") as status:
            kibibytes = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
        return int(kibibytes) / 1024

    def forget_peak(self):
        """Sets the mark back to what is resident now (5: see proc(5), clear_refs)."""
        with open(f"/proc/{self._process.pid}/clear_refs", "w") as file:
            file.write("5")

    def end(self):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._log.close()

    def _line(self, limit_s):
        deadline = time.monotonic() + limit_s
        while b"\n" not in self._pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise PeerFailed(f"no answer within {limit_s:g} s")
            read = os.read(self._process.stdout.fileno(), 4096)
            if not read:
                raise PeerFailed(f"ended by itself ({self._ending()})")
            self._pending += read
        line, self._pending = self._pending.split(b"\n", 1)
        text = line.decode()
        if text.startswith("failed "):
            raise PeerFailed(text.removeprefix("failed "))
        return text.removeprefix("ready ")

    def _ending(self):
        code = self._process.wait()
        with open(self._log.name) as log:
            said = [line.strip() for line in log if line.strip()]
        return (f"signal {-code}" if code < 0 else f"exit code {code}") + (f": {said[-1][:200]}" if said else "")
