#!/usr/bin/env python3
"""Reads the index file of a running, killed or closed router; prints JSON with the members that penstock inspect has.

Written from docs/formats/index-file.md alone. What it says was true at one moment: runs that change while they are read are
left out and counted as `changing`. A file in use: on x86-64 only, since Python has no fences.
"""
import argparse, contextlib, itertools, json, mmap, struct, sys, uuid

TIERS = ("device", "host", "disk", "external")

class Snapshot:
    def __init__(self, path):
        with open(path + ".header", "rb") as beside, open(path, "rb") as file:
            magic, size, self.first, self.stride = struct.unpack("<8s3Q", beside.read(32))
            memory = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        name, version, _, self.page, pages, self.block_size, _, self.capacity = struct.unpack_from("<8s6IQ", memory, self.first)
        if (magic, size, name, version) != (b"PSTKHEAD", len(memory), b"PENSTOCK", 2):
            raise ValueError(f"magic, length or layout version differs: layoutVersion={version}, expected 2, file={path}")
        self.undone, self.words, self.end = {}, memory[:size & -8].cast("Q"), self.page * pages
        _, self.undo, self.slots, self.holders, _, _, _, self.headers, self.side, self.columns = self.span(72, 10)
        while True:
            left, before, runs, changed = self.take_back(), self.live(), {}, range(self.span(288)[0])
            for _ in range(5):
                runs.update((number, self.run(number)) for number in changed)
                # Whoever still has his version now stood there together with all the others that have theirs.
                changed = {number for number, (version, _) in runs.items() if version != self.span(self.headers + 128 * number)[0]}
            now = self.live()
            if not left or left == self.step():
                break
        self.taken_back, self.changing, same = len(left), len(changed), {holder for holder, _ in now.keys() & before.keys()}
        self.workers = {holder: worker for (holder, _), worker in now.items()}
        self.runs = [dict(run, held=[part for part in run["held"] if part[0] in same])
                     for number, (_, run) in runs.items() if run and number not in changed]

    def span(self, offset, count=1):
        """Words of one page, with what a killed writer's last step overwrote put back."""
        if not 0 <= offset < self.end or offset % self.page + 8 * count > self.page:
            raise IndexError(f"no record lies there: offset={offset}")
        at = (self.first + offset // self.page * self.stride + offset % self.page) // 8
        words = self.words[at:at + count].tolist()
        return [self.undone.get(offset + 8 * i, word) for i, word in enumerate(words)] if self.undone else words

    def step(self):
        return [tuple(self.span(self.undo + 16 * i, 2)) for i in range(self.span(200)[0] & 0xFFFFFFFF)]

    def take_back(self):
        """The step that a killed writer left; a living one is seen between two steps."""
        self.undone, left = {}, self.step()
        if left and all(self.span(200)[0] & 0xFFFFFFFF for _ in range(20000)) and left == self.step():
            self.undone = dict(reversed(left))
        return left if self.undone else []

    def live(self):
        found = {}
        for slot in range(self.span(328)[0]):
            taken, holder, rank, generation, sequence, stamp, batch, size, *rest = self.span(self.slots + 512 * slot, 41)
            if taken == 1 and self.span(self.holders + 64 * holder, 2) == [1, slot]:
                last = dict(sequence=sequence, timestamp=struct.unpack("<d", struct.pack("<Q", stamp))[0], hash=f"{batch:016x}")
                found[holder, generation] = dict(
                    slot=slot, worker=struct.pack("<32Q", *rest[:32])[:size].decode("utf-8", "replace"), dpRank=rank,
                    generation=generation, batchOpen=rest[32] == 1, lastBatch=None if sequence >> 63 else last)
        return found

    def run(self, number):
        for _ in range(50):
            with contextlib.suppress(IndexError):  # torn
                version, run = self.parse(number)
                # Odd and still: of a killed writer's step, which is taken back, or had logged nothing yet, or was done.
                still = not version & 1 or self.undone or not self.span(200)[0] & 0xFFFFFFFF and (version, run) == self.parse(number)
                if still and version == self.span(self.headers + 128 * number)[0]:
                    return version, run
        return None, None  # changes all the time

    def parse(self, number):
        header = self.span(self.headers + 128 * number, 16)
        first, granules, length = header[1] & 0xFFFFFFFF, header[1] >> 32 & 0xFFFF, header[1] >> 48
        if granules == 0:
            return header[0], None
        ranges, sets, in_side = header[5] & 0xFFFF, header[5] >> 16 & 0xFFFF, self.side - 64  # ids are + 1
        entries = header[9:9 + min(7, ranges)] + (self.span(in_side + 64 * (header[6] & 0xFFFFFFFF), ranges - 7) if ranges > 7 else [])
        pairs = self.span(in_side + 64 * (header[6] >> 32), 2 * sets) if sets else []
        cells = self.span(self.columns + 256 * first, 32 * granules)
        sequences, own = ([cells[i // 16 * 32 + i % 16 + at] for i in range(length)] for at in (0, 16))
        names, held = {header[2]: own}, []  # held: holder, tier, from, to, further copies
        for key, value in [(1 << 56, header[8]), *zip(pairs[::2], pairs[1::2])]:
            if key >> 56 == 1:
                held += [(64 * (key & 0xFFFF) + bit, key >> 16 & 3, 0, length, 0) for bit in range(64) if value >> bit & 1]
            else:
                names[key & (1 << 56) - 1] = self.span(self.columns + 256 * (value & 0xFFFFFFFF), length)
        held += [(entry >> 32 & 0xFFFF, entry >> 61 & 3, entry >> 16 & 0xFFFF, entry & 0xFFFF, (entry >> 63) * (entry >> 48 & 0x1FFF))
                 for entry in entries]
        return header[0], dict(number=number, sequences=sequences, names=names, held=held)

    def copies(self, run, place):
        found = {}
        for holder, tier, start, end, further in run["held"]:
            if start <= place < end:
                found.setdefault(self.workers[holder]["slot"], dict.fromkeys(TIERS, 0))[TIERS[tier]] += further or 1
        return found

    def summary(self):
        blocks, workers = 0, {holder: dict(worker, held=dict.fromkeys(TIERS, 0)) for holder, worker in self.workers.items()}
        for run in self.runs:
            for holder, tier, start, end, copies in run["held"]:
                workers[holder]["held"][TIERS[tier]] += 0 if copies else end - start
            blocks += len({place for _, _, start, end, _ in run["held"] for place in range(start, end)})
        state, pid, since, high, low = self.span(160, 5)
        return dict(pool=self.pool(), layoutVersion=2, state="clean" if state == 1 else "dirty", blockSize=self.block_size, capacityBlocks=self.capacity,
                    owner=dict(pid=pid, sinceMs=since, boot=str(uuid.UUID(int=high << 64 | low))), takenBack=self.taken_back,
                    changing=self.changing, runs=len(self.runs), blocks=blocks, workers=list(workers.values()))

    def pool(self):
        """The shared pool's region; a living router's counts are each right for some moment."""
        at = (self.span(64)[0] >> 32) * self.page
        if at == 0:
            return None
        _, capacity, objects, _, _, heads, _, _, used, pages, high, *_ = self.span(at, 13)
        listing, proven = self.span(at + 128, 2) if used else (0, 0)
        found = (self.span(heads + 16 * record, 2) for record in range(high if used else 0))
        complete = sum(head != 0 and word & 0xFFFFFFFF >= proven for head, word in found)
        return dict(capacityPages=capacity, objects=objects & 0xFFFFFFFF, pages=pages if used else 0, complete=complete,
                    listing=listing, proven=proven)

    def prefix(self, asked):
        heads, path, holders, run = {run["sequences"][0]: run for run in self.runs}, [], [], None
        for sequence in asked:
            if run and run["sequences"][place + 1:place + 2] == [sequence]:
                place += 1
            elif sequence in heads:
                run, place = heads[sequence], 0
            else:
                break
            path.append(self.copies(run, place))
        for slot in sorted(set().union(*path)):
            counts = {}
            for tier in TIERS:
                rest = itertools.takewhile(lambda copies: slot in copies and copies[slot][tier], path[sum(counts.values()):])
                counts[tier] = len(list(rest))
            holders += [dict(slot=slot, **counts)] if any(counts.values()) else []
        return dict(asked=len(asked), known=len(path), holders=holders)

    def block(self, asked):
        found = []
        for run, place in ((run, place) for run in self.runs for place in range(len(run["sequences"]))):
            names = {domain: column[place] for domain, column in sorted(run["names"].items()) if column[place]}
            if asked == run["sequences"][place] or (asked or 0x5A45524F48415348) in names.values():
                found.append(dict(run=run["number"], place=place, sequenceHash=f"{run['sequences'][place]:016x}",
                                  names=[dict(domain=domain, engineHash=f"{name:016x}") for domain, name in names.items()],
                                  holders=[dict(slot=slot, **tiers) for slot, tiers in sorted(self.copies(run, place).items())]))
        return dict(asked=f"{asked:016x}", found=found)

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("file")
hashes = dict(metavar="HASH", type=lambda text: int(text, 0) % (1 << 64), default=[], nargs="+")
parser.add_argument("--prefix", **hashes, help="its sequence hashes, root first, decimal or 0x...")
parser.add_argument("--block", **dict(hashes, nargs=None), help="sequence or engine hash")
options = parser.parse_args()
try:
    taken = Snapshot(options.file)
except (OSError, ValueError, LookupError, struct.error) as refused:
    sys.exit(f"not an index file: {refused}")
print(json.dumps(dict(summary=taken.summary(), prefix=taken.prefix(options.prefix), block=options.block != [] and taken.block(options.block))))
