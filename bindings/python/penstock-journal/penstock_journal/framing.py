"""The files of a Chronicle Queue: names, documents, ends. Everything is read with pread; nothing is written or locked."""
import datetime
import os
import re
import struct

NOT_COMPLETE, METADATA = 1 << 31, 1 << 30
END_OF_FILE = NOT_COMPLETE | METADATA
NAME = re.compile(r"(\d{8})(?:-(\d{2})(\d{2})?)?([FV])\.cq4")
# Letter of the name, has hours, has minutes: milliseconds of a cycle.
CYCLE_MS = {("V", True, True): 300_000, ("F", True, False): 3_600_000, ("F", False, False): 86_400_000}


def cycle_of(name):
    """Number of the file's cycle, or None if it is no file of a journal."""
    match = NAME.fullmatch(name)
    if not match:
        return None
    day, hour, minute, letter = match.groups()
    length = CYCLE_MS.get((letter, hour is not None, minute is not None))
    if length is None:
        return None
    try:
        when = datetime.datetime.strptime(day + (hour or "00") + (minute or "00"), "%Y%m%d%H%M")
    except ValueError:
        return None
    return int(when.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000) // length


def files(folder):
    """Paths by cycle."""
    found = {cycle_of(name): os.path.join(folder, name) for name in os.listdir(folder)}
    found.pop(None, None)
    return found


class CycleFile:
    """Walks the documents of one file; `sequence` is the number of the one found last."""

    def __init__(self, path):
        self.path, self.descriptor = path, os.open(path, os.O_RDONLY)
        self.next, self.sequence, self.at, self.length = 0, -1, 0, 0
        self.offsets = []
        self.buffer, self.buffer_at = b"", 0

    def read(self, offset, length, anew=False):
        begin = offset - self.buffer_at
        if anew or begin < 0 or begin + length > len(self.buffer):
            self.buffer, self.buffer_at, begin = os.pread(self.descriptor, max(length, 1 << 16), offset), offset, 0
        return self.buffer[begin:begin + length]

    def header(self, anew=False):
        raw = self.read(self.next, 4, anew)
        return struct.unpack("<I", raw)[0] if len(raw) == 4 else 0

    def advance(self):
        """'document', 'nothing' (not written yet) or 'end' (the file goes on no more)."""
        while True:
            header = self.header()
            if header == 0 or header & NOT_COMPLETE and header != END_OF_FILE:
                # What was read before may be old.
                header = self.header(anew=True)
                if header == 0 or header & NOT_COMPLETE and header != END_OF_FILE:
                    return "nothing"
            if header == END_OF_FILE:
                return "end"
            begin, length = self.next + 4, header & METADATA - 1
            self.next = begin + length + 3 & ~3
            if not header & METADATA:
                self.at, self.length = begin, length
                self.sequence += 1
                if self.sequence == len(self.offsets):
                    self.offsets.append(begin - 4)
                return "document"

    def seek(self, sequence):
        """Goes to a document; false if it is not there."""
        if sequence < len(self.offsets):
            self.next, self.sequence = self.offsets[sequence], sequence - 1
        while self.sequence < sequence:
            if self.advance() != "document":
                return False
        return True

    def close(self):
        os.close(self.descriptor)
