package io.penstock.dataplane.cli;

import io.penstock.index.inspect.BlockAnswer;
import io.penstock.index.inspect.Branch;
import io.penstock.index.inspect.DiffAnswer;
import io.penstock.index.inspect.PrefixAnswer;
import io.penstock.index.inspect.SharedPrefix;
import io.penstock.index.inspect.Summary;
import io.penstock.index.inspect.TierCounts;
import io.penstock.index.inspect.TopAnswer;
import io.penstock.index.inspect.TreeAnswer;
import io.penstock.index.inspect.VerifyAnswer;
import io.penstock.index.inspect.WorkerAnswer;
import io.penstock.index.inspect.WorkerState;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Answers of an inspection in words and columns, for people.
 *
 * <p><b>Threading:</b> main thread.
 */
final class InspectText {
    private static final String TIERS = "%10s %10s %10s %10s";

    private final PrintWriter out;

    InspectText(PrintWriter out) {
        this.out = out;
    }

    /** Prints any answer. */
    void print(Object answer) {
        switch (answer) {
            case Summary summary -> summary(summary);
            case WorkerAnswer worker -> worker(worker);
            case BlockAnswer block -> block(block);
            case PrefixAnswer prefix -> prefix(prefix);
            case TopAnswer top -> top(top);
            case TreeAnswer tree -> tree(tree);
            case VerifyAnswer verify -> verify(verify);
            case DiffAnswer diff -> diff(diff);
            default -> throw new IllegalArgumentException("no text for " + answer.getClass());
        }
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values).stripTrailing());
    }

    private void changing(int runs) {
        if (runs > 0) {
            line("left out, since they changed all the time or make no sense (--verify says): %,d runs", runs);
        }
    }

    private void summary(Summary all) {
        line("%s: layout %d, %s", all.file(), all.layoutVersion(), all.state());
        line(
                "last writer: pid %d (%s), since %s, boot %s",
                all.owner().pid(),
                all.owner().process(),
                Instant.ofEpochMilli(all.owner().sinceMs()),
                all.owner().boot());
        if (all.takenBack() > 0) {
            line("a step was in flight: its %,d stores are read as not done", all.takenBack());
        }
        line(
                "blocks: %,d of %,d tokens each, room for %,d; %,d more wait for the sweep",
                all.blocks(), all.blockSize(), all.capacityBlocks(), all.dyingBlocks());
        line("runs: %,d; by blocks: %s", all.runs(), bands(all.runLengths()));
        line("blocks by number of workers: %s", bands(all.sharing()));
        Summary.Fragmentation memory = all.fragmentation();
        line(
                "memory: %,d of %,d granules, %.1f %% of their places filled; free: %,d stretches, largest %,d; side arena: %,d of"
                        + " %,d units",
                memory.usedGranules(),
                memory.granules(),
                100 * memory.fill(),
                memory.freeStretches(),
                memory.largestFree(),
                memory.usedSideUnits(),
                memory.sideUnits());
        if (all.pool() != null) {
            line(
                    "shared pool: %,d pages of %,d objects each, %,d of them whole, room for %,d",
                    all.pool().pages(),
                    all.pool().objects(),
                    all.pool().complete(),
                    all.pool().capacityPages());
        }
        changing(all.changing());
        line("workers: %,d of %,d slots; hash domains given: %,d", all.workers().size(), all.maxSlots(), all.domains());
        if (!all.workers().isEmpty()) {
            workerHead();
            all.workers().forEach(this::workerLine);
        }
    }

    private static String bands(Map<String, Long> bands) {
        return bands.isEmpty()
                ? "none"
                : bands.entrySet().stream()
                        .map(band -> String.format(Locale.ROOT, "%s: %,d", band.getKey(), band.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private void workerHead() {
        line(
                "%5s %-32s %4s %10s " + TIERS + "  %s",
                "slot",
                "worker",
                "rank",
                "generation",
                "device",
                "host",
                "disk",
                "external",
                "last batch");
    }

    private void workerLine(WorkerState worker) {
        line(
                "%5d %-32s %4d %10d " + TIERS + "  %s%s",
                worker.slot(),
                worker.worker(),
                worker.dpRank(),
                worker.generation(),
                count(worker.held().device()),
                count(worker.held().host()),
                count(worker.held().disk()),
                count(worker.held().external()),
                last(worker.lastBatch()),
                worker.batchOpen() ? ", within a batch" : "");
    }

    private static String last(WorkerState.LastBatch last) {
        return last == null ? "none" : "sequence " + last.sequence() + ", " + time(last.timestamp());
    }

    private static String time(double seconds) {
        return seconds > 0 && seconds < 1e11
                ? Instant.ofEpochMilli(Math.round(seconds * 1000)).toString()
                : "timestamp " + seconds;
    }

    private static String count(long blocks) {
        return String.format(Locale.ROOT, "%,d", blocks);
    }

    private static String counts(TierCounts counts) {
        return String.format(
                Locale.ROOT, "%,d / %,d / %,d / %,d", counts.device(), counts.host(), counts.disk(), counts.external());
    }

    private void worker(WorkerAnswer answer) {
        if (answer.ranks().isEmpty()) {
            line("no such worker in the file: worker=%s", answer.worker());
        } else {
            workerHead();
        }
        for (WorkerAnswer.Rank rank : answer.ranks()) {
            workerLine(rank.state());
            line(
                    "      has a part of %,d runs, %,d of them whole; blocks that nobody else has: %,d; further copies: %s; hash"
                            + " domain %d",
                    rank.runs(),
                    rank.wholeRuns(),
                    rank.soleBlocks(),
                    counts(rank.furtherCopies()),
                    rank.state().domain());
        }
        changing(answer.changing());
    }

    private void block(BlockAnswer answer) {
        if (answer.found().isEmpty()) {
            line("no such block in the file: hash=0x%s", answer.asked());
        }
        for (BlockAnswer.Found found : answer.found()) {
            line(
                    "block 0x%s: run %d, place %d, %s, after 0x%s",
                    found.sequenceHash(), found.run(), found.place(), position(found.position()), found.parent());
            found.names().forEach(name -> line("  engine hash 0x%s in domain %d", name.engineHash(), name.domain()));
            line("  %5s %-32s %4s " + TIERS, "slot", "worker", "rank", "device", "host", "disk", "external");
            for (BlockAnswer.Holder who : found.holders()) {
                holder(who.slot(), who.worker(), who.dpRank(), who.device(), who.host(), who.disk(), who.external());
            }
        }
        changing(answer.changing());
    }

    private static String position(Integer before) {
        return before == null ? "position unknown" : String.format(Locale.ROOT, "%,d blocks from the root", before);
    }

    private void holder(int slot, String worker, long rank, int device, int host, int disk, int external) {
        line("  %5d %-32s %4d " + TIERS, slot, worker, rank, count(device), count(host), count(disk), count(external));
    }

    private void prefix(PrefixAnswer answer) {
        line("prefix of %,d blocks: %,d known", answer.asked(), answer.known());
        if (!answer.holders().isEmpty()) {
            line("  %5s %-32s %4s " + TIERS, "slot", "worker", "rank", "device", "host", "disk", "external");
        }
        for (PrefixAnswer.Holder who : answer.holders()) {
            holder(who.slot(), who.worker(), who.dpRank(), who.device(), who.host(), who.disk(), who.external());
        }
        changing(answer.changing());
    }

    private void top(TopAnswer answer) {
        line("%8s %8s %12s %8s  %-18s %-18s", "workers", "blocks", "block copies", "run", "first block", "last block");
        for (SharedPrefix shared : answer.prefixes()) {
            line(
                    "%8s %8s %12s %8d  0x%s 0x%s  %s",
                    count(shared.workers()),
                    count(shared.blocks()),
                    count(shared.copies()),
                    shared.run(),
                    shared.first(),
                    shared.last(),
                    position(shared.position()));
        }
        changing(answer.changing());
    }

    private void tree(TreeAnswer answer) {
        line("%,d roots; a line: blocks of a run, all that grows from it, workers", answer.roots());
        for (Branch branch : answer.branches()) {
            line(
                    "%s0x%s blocks %,d, in all %,d, workers %,d%s%s",
                    "  ".repeat(branch.depth()),
                    branch.first(),
                    branch.blocks(),
                    branch.below(),
                    branch.workers(),
                    branch.at() == null ? "" : String.format(Locale.ROOT, ", after block %,d", branch.at()),
                    hidden(branch.hidden(), branch.hiddenBlocks()));
        }
        if (answer.hiddenRoots() > 0) {
            line("%s", hidden(answer.hiddenRoots(), answer.hiddenBlocks()).substring(2));
        }
        changing(answer.changing());
    }

    private static String hidden(int branches, long blocks) {
        return branches == 0 ? "" : String.format(Locale.ROOT, "; %,d more branches with %,d blocks", branches, blocks);
    }

    private void verify(VerifyAnswer answer) {
        answer.damage().forEach(out::println);
        if (answer.damages() > answer.damage().size()) {
            line("... and %,d more", answer.damages() - answer.damage().size());
        }
        String what = answer.derived() ? "" : "; tables that an open builds anew were not";
        if (answer.changed()) {
            line("the file changed while it was checked: take a copy, or stop the router");
        } else {
            line(
                    "%s: %,d runs with %,d blocks checked%s",
                    answer.sound() ? "sound" : "damaged in " + answer.damages() + " places",
                    answer.runs(),
                    answer.blocks(),
                    what);
        }
    }

    private void diff(DiffAnswer answer) {
        difference("blocks", answer.blocks());
        difference("runs", answer.runs());
        line(
                answer.same()
                        ? "the workers have the same"
                        : "device / host / disk / external blocks of workers that differ:");
        for (DiffAnswer.Worker worker : answer.workers()) {
            line(
                    "%-32s %4d  gained %s, lost %s%s",
                    worker.worker(),
                    worker.dpRank(),
                    counts(worker.gained()),
                    counts(worker.lost()),
                    worker.only() == null ? "" : worker.only().equals("here") ? "; only here" : "; only in the other");
        }
        changing(answer.changing());
    }

    private void difference(String what, DiffAnswer.Counts counts) {
        line("%s: %,d here, %,d in the other, %,d in both", what, counts.here(), counts.other(), counts.common());
    }
}
