#!/usr/bin/env python3
"""Reads the index file of a running, killed or closed router; prints JSON as `penstock inspect --json` does.

Written from docs/formats/index-file.md alone. What it prints was true at one moment: runs that change while they are read
are left out and counted as `changing`. A file in use: on x86-64 only, since Python has no load barriers.
"""
import argparse, json, mmap, struct, sys, uuid

TIERS = ("device", "host", "disk", "external")
LOW = (1 << 32) - 1


class Snapshot:
    """Runs that all stood so at one moment, and what the live generation of each slot has of them."""

    def __init__(self, path):
        self.path, self.undone, changed, left = path, {}, [], []
        with open(path + ".header", "rb") as beside, open(path, "rb") as file:
            magic, size, self.first, self.stride = struct.unpack("<8s3Q", beside.read(32))
            memory = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        if magic != b"PSTKHEAD" or len(memory) != size or memory[self.first:self.first + 8] != b"PENSTOCK":
            raise ValueError(f"magic or length differ: file={path}")
        self.words = memory[:size & -8].cast("Q")
        version, _, self.page, pages, self.block_size, _, self.capacity = struct.unpack_from("<6IQ", memory, self.first + 8)
        if version != 2:
            raise ValueError(f"another layout version: layoutVersion={version}, expected 2, file={path}")
        self.end = self.page * pages
        _, self.undo, self.slots, self.holders, _, _, _, self.headers, self.side, self.columns = self.span(72, 10)
        for _ in range(20):
            left, before, runs = self.take_back(), self.live(), {}
            changed = range(self.word(288))
            for _ in range(5):
                runs.update((number, self.run(number)) for number in changed)
                # Whoever still has his version had it when the last one was read: there they stood together.
                changed = {number for number, (version, _) in runs.items() if version != self.word(self.headers + 128 * number)}
            now = self.live()
            if not left or left == self.step():
                break
        self.taken_back, self.changing, same = len(left), len(changed), {holder for holder, _ in now.keys() & before.keys()}
        self.workers = {holder: worker for (holder, _), worker in now.items()}
        self.runs = [run for number, (_, run) in runs.items() if run and number not in changed]
        for run in self.runs:
            run["held"] = [part for part in run["held"] if part[0] in same]

    def span(self, offset, count):
        """Words of one page, with what a killed writer's last step overwrote put back."""
        if not 0 <= offset < self.end or offset % self.page + 8 * count > self.page:
            raise IndexError(f"no record lies there: offset={offset}")
        at = (self.first + offset // self.page * self.stride + offset % self.page) // 8
        words = self.words[at:at + count].tolist()
        return [self.undone.get(offset + 8 * i, word) for i, word in enumerate(words)] if self.undone else words

    def word(self, offset):
        return self.span(offset, 1)[0]

    def step(self):
        return [tuple(self.span(self.undo + 16 * i, 2)) for i in range(self.word(200))]

    def take_back(self):
        """The step that a killed writer left; a living one is seen between two steps."""
        self.undone, left = {}, self.step()
        if left and all(self.word(200) for _ in range(20000)) and left == self.step():
            self.undone = dict(reversed(left))
        return left if self.undone else []

    def live(self):
        """Slots with their live holders: (holder, generation) -> worker."""
        found = {}
        for slot in range(self.word(328)):
            taken, holder, rank, generation, sequence, stamp, batch, size, *rest = self.span(self.slots + 512 * slot, 41)
            if taken == 1 and self.span(self.holders + 64 * holder, 2) == [1, slot]:
                last = dict(sequence=sequence, timestamp=struct.unpack("<d", struct.pack("<Q", stamp))[0], hash=f"{batch:016x}")
                found[holder, generation] = dict(
                    slot=slot, worker=struct.pack("<32Q", *rest[:32])[:size].decode(), dpRank=rank, generation=generation,
                    domain=self.word(self.holders + 64 * holder + 16), batchOpen=rest[32] == 1, lastBatch=None if sequence >> 63 else last)
        return found

    def run(self, number):
        """(version, run); the run is None where the header is free, the version where it changes all the time."""
        for _ in range(50):
            version = self.word(self.headers + 128 * number)
            try:
                run = self.parse(number, self.span(self.headers + 128 * number, 16))
            except (ValueError, IndexError):
                continue
            # Odd with nothing in the undo log: the writer was killed before it changed anything.
            if (not version & 1 or self.undone or not self.word(200)) and self.word(self.headers + 128 * number) == version:
                return version, run
        return None, None

    def parse(self, number, header):
        first, granules, length = header[1] & LOW, header[1] >> 32 & 0xFFFF, header[1] >> 48
        if granules == 0:
            return None
        ranges, sets = header[5] & 0xFFFF, header[5] >> 16 & 0xFFFF
        entries = header[9:9 + min(7, ranges)] + (self.span(self.side + 64 * (header[6] & LOW) - 64, ranges - 7) if ranges > 7 else [])
        pairs = self.span(self.side + 64 * (header[6] >> 32) - 64, 2 * sets) if sets else []
        cells = self.span(self.columns + 256 * first, 32 * granules)
        sequences, own = ([cells[i // 16 * 32 + i % 16 + at] for i in range(length)] for at in (0, 16))
        names, held = {header[2]: own}, []  # held: holder, tier, from, to, further copies
        for key, value in [(1 << 56, header[8]), *zip(pairs[::2], pairs[1::2])]:
            if key >> 56 == 1:
                held += [(64 * (key & 0xFFFF) + bit, key >> 16 & 0xFF, 0, length, 0) for bit in range(64) if value >> bit & 1]
            else:
                names[key & (1 << 56) - 1] = self.span(self.columns + 256 * (value & LOW), length)
        for entry in entries:
            held.append((entry >> 32 & 0xFFFF, entry >> 61 & 3, entry >> 16 & 0xFFFF, entry & 0xFFFF, (entry >> 63) * (entry >> 48 & 0x1FFF)))
        if any(not start < end <= length for _, _, start, end, _ in held):
            raise ValueError(f"range out of bounds: run={number}")
        return dict(number=number, sequences=sequences, names=names, held=held)

    def summary(self):
        blocks, workers = 0, {holder: dict(worker, held=dict.fromkeys(TIERS, 0)) for holder, worker in self.workers.items()}
        for run in self.runs:
            for holder, tier, start, end, copies in run["held"]:
                workers[holder]["held"][TIERS[tier]] += 0 if copies else end - start
            blocks += len({place for _, _, start, end, _ in run["held"] for place in range(start, end)})
        state, pid, since, high, low = self.span(160, 5)
        owner = dict(pid=pid, sinceMs=since, boot=str(uuid.UUID(int=high << 64 | low)))
        return dict(layoutVersion=2, state="clean" if state == 1 else "dirty", owner=owner, takenBack=self.taken_back,
                    changing=self.changing, blockSize=self.block_size, capacityBlocks=self.capacity, runs=len(self.runs),
                    blocks=blocks, workers=list(workers.values()))

    def copies(self, run, place):
        """Slots that have the block, with its copies per tier."""
        found = {}
        for holder, tier, start, end, further in run["held"]:
            if start <= place < end:
                slot = self.workers[holder]["slot"]
                found.setdefault(slot, dict.fromkeys(TIERS, 0))[TIERS[tier]] += further or 1
        return dict(sorted(found.items()))

    def prefix(self, asked):
        heads, path, holders = {run["sequences"][0]: run for run in self.runs}, [], []
        run = place = None
        for sequence in asked:
            # The next block of the run, or the first one of another.
            if path and run["sequences"][place + 1:place + 2] == [sequence]:
                place += 1
            elif sequence in heads:
                run, place = heads[sequence], 0
            else:
                break
            path.append(self.copies(run, place))
        for slot in path and path[0].keys() | set().union(*path):
            counts, reached = {}, 0
            for tier in TIERS:
                start = reached
                while reached < len(path) and path[reached].get(slot, {}).get(tier):
                    reached += 1
                counts[tier] = reached - start
            holders += [dict(slot=slot, **counts)] if reached else []
        return dict(asked=len(asked), known=len(path), holders=sorted(holders, key=lambda holder: holder["slot"]))

    def block(self, asked):
        found = []
        for run in self.runs:
            for place, sequence in enumerate(run["sequences"]):
                names = {domain: column[place] for domain, column in sorted(run["names"].items()) if column[place]}
                if asked == sequence or (asked or 0x5A45524F48415348) in names.values():
                    found.append(dict(run=run["number"], place=place, sequenceHash=f"{sequence:016x}",
                                      names=[dict(domain=domain, engineHash=f"{name:016x}") for domain, name in names.items()],
                                      holders=[dict(slot=slot, **tiers) for slot, tiers in self.copies(run, place).items()]))
        return dict(asked=f"{asked:016x}", found=found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    hashes = dict(default=[], metavar="HASH", type=lambda text: int(text, 0) % (1 << 64))
    parser.add_argument("file")
    parser.add_argument("--prefix", nargs="+", help="sequence hashes, root first, decimal or 0x…", **hashes)
    parser.add_argument("--block", nargs=1, help="a sequence or engine hash", **hashes)
    options = parser.parse_args()
    try:
        snapshot = Snapshot(options.file)
    except (OSError, ValueError, struct.error) as refused:
        sys.exit(f"not an index file: {refused}")
    print(json.dumps(dict(
        summary=snapshot.summary(), prefix=snapshot.prefix(options.prefix), block=[snapshot.block(asked) for asked in options.block])))
