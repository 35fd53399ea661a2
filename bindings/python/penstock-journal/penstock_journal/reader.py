"""Records in the order they were written, from a folder that a router may be writing."""
import collections
import os
import struct

from . import record as rows
from .framing import CycleFile, files

SEQUENCE_BITS = 32
KEPT_LISTS = 4096


class DamagedJournal(Exception):
    """A record's length, checksum or version is wrong; the message has file and offset."""


class JournalReader:
    """Iterates over the records that are there, then ends; iterating again goes on behind them.

    One reader, one thread. `position` is that of the record given last.
    """

    def __init__(self, folder):
        if not os.path.isdir(folder):
            raise ValueError(f"no trace journal lies there: folder={folder}")
        self.folder, self.file, self.cycle, self.position = folder, None, -1, 0
        self.parts, self.begun = [], 0
        self.lists, self.lookup = collections.OrderedDict(), {}

    def __iter__(self):
        while True:
            record = self.next()
            if record is None:
                return
            yield record

    def next(self):
        """The next record, or None while there is none."""
        while self._document():
            body, flags, part = self._body(self.file)
            if flags & rows.FIRST:
                self.parts, self.begun = [], self.cycle << SEQUENCE_BITS | self.file.sequence
            elif part != len(self.parts) & 0xFFFF or not self.parts:
                # Its writer was killed before it was whole.
                self.parts = []
                continue
            self.parts.append(body)
            if flags & rows.LAST:
                data, self.parts, self.position = b"".join(self.parts), [], self.begun
                record, shared, base = self._decode(data, self.file)
                hashes, traces = self._joined(record, shared, base)
                self._keep(self.position, (hashes, traces))
                return dict(record, hashes=hashes, traceHashes=traces)
        return None

    def to_end(self):
        """Goes on behind the youngest record."""
        while self._document():
            self.position = self.cycle << SEQUENCE_BITS | self.file.sequence

    def close(self):
        for file in [self.file, *self.lookup.values()]:
            if file:
                file.close()
        self.file, self.lookup = None, {}

    def _document(self):
        while True:
            found = self.file.advance() if self.file else "end"
            if found == "document":
                return True
            there = files(self.folder)
            later = sorted(cycle for cycle in there if cycle > self.cycle)
            if not later:
                if self.file and self.file.sequence < 0:
                    # A writer that finds it without a record may make it anew.
                    self.file.close()
                    self.file, self.cycle = None, self.cycle - 1
                return False
            # The later file's writer has left this one; what it wrote here before was there before the later one.
            if found == "nothing" and self.file.advance() == "document":
                return True
            try:
                opened = CycleFile(there[later[0]])
            except FileNotFoundError:
                continue
            if self.file:
                self.file.close()
            self.file, self.cycle = opened, later[0]

    def _body(self, file):
        for attempt in range(3):
            data = file.read(file.at, file.length, anew=attempt > 0)
            if rows.DOCUMENT_HEADER <= len(data) <= rows.MAX_DOCUMENT:
                length, crc, version, flags, part = struct.unpack_from("<IIBBH", data)
                if length == file.length == len(data) and rows.crc32c(memoryview(data)[8:]) == crc:
                    if version != rows.VERSION:
                        raise DamagedJournal(f"record of another version: version={version} file={file.path}")
                    return data[rows.DOCUMENT_HEADER:], flags, part
        raise DamagedJournal(f"record is damaged: file={file.path} offset={file.at}")

    @staticmethod
    def _decode(data, file):
        try:
            return rows.decode(data)
        except (struct.error, IndexError, KeyError, UnicodeDecodeError) as wrong:
            raise DamagedJournal(f"record ends before its fields do: file={file.path} offset={file.at}") from wrong

    def _joined(self, record, shared, base):
        hashes, traces = record["hashes"], record["traceHashes"]
        if shared:
            known = self._list(base)
            if known is None:
                # What it builds on went with an older file.
                return [], None
            hashes = known[0][:shared] + hashes
            traces = None if traces is None else known[1][:shared] + traces
        return hashes, traces

    def _list(self, wanted):
        """Full lists of the record at a position, read back as far as needed."""
        chain, position = [], wanted
        while position not in self.lists:
            data, file = self._record_at(position)
            if data is None:
                return None
            record, shared, base = self._decode(data, file)
            chain.append((position, record, shared, base))
            if not shared:
                break
            position = base
        for position, record, shared, base in reversed(chain):
            self._keep(position, self._joined(record, shared, base))
        self.lists.move_to_end(wanted)
        return self.lists[wanted]

    def _keep(self, position, lists):
        self.lists[position] = lists
        self.lists.move_to_end(position)
        while len(self.lists) > KEPT_LISTS:
            self.lists.popitem(last=False)

    def _record_at(self, position):
        cycle, sequence = position >> SEQUENCE_BITS, position & (1 << SEQUENCE_BITS) - 1
        file = self.lookup.get(cycle)
        if file is None:
            path = files(self.folder).get(cycle)
            if path is None:
                return None, None
            for old in self.lookup.values():
                old.close()
            file = CycleFile(path)
            self.lookup = {cycle: file}
        parts, found = [], file.seek(sequence)
        while found:
            body, flags, _ = self._body(file)
            parts.append(body)
            if flags & rows.LAST:
                return b"".join(parts), file
            found = file.advance() == "document"
        return None, None
