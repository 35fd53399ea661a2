package io.penstock.index;

import io.penstock.index.Traffic.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Every multi-step change that the index makes, by name, with lengths that a seed chooses. */
final class Stories {
    private static final int DEVICE = Tier.DEVICE;
    private static final int HOST = 1;

    private final Random random;
    private final List<Story> all = new ArrayList<>();

    private Stories(Random random) {
        this.random = random;
    }

    static List<Story> all(Random random) {
        Stories stories = new Stories(random);
        stories.growth();
        stories.holders();
        stories.shrinking();
        stories.domains();
        stories.slots();
        stories.sides();
        return stories.all;
    }

    private Story story(String name, int slots) {
        Story story = new Story(name, random);
        all.add(story);
        return story.open(slots);
    }

    private void growth() {
        Story first = story("new run", 2);
        Chain whole = first.chain(first.some(1, 60));
        first.then().store(0, DEVICE, whole, 0, whole.blocks());

        Story append = story("append within the extent", 2);
        Chain appended = append.chain(30);
        append.store(0, DEVICE, appended, 0, append.some(17, 20)).then();
        append.store(0, DEVICE, appended, append.before.getLast().blocks(), 30);

        Story further = story("append past the extent", 2);
        Chain grown = further.chain(80);
        further.store(0, DEVICE, grown, 0, 20).then().store(0, DEVICE, grown, 20, further.some(40, 80));

        Story several = story("new runs past the longest", 2);
        Chain longest = several.chain(several.some(513, 600));
        several.then().store(0, DEVICE, longest, 0, longest.blocks());

        Story forked = story("fork in the middle of a run", 3);
        Chain trunk = forked.chain(50);
        Chain branch = forked.fork(trunk, forked.some(5, 40), 30);
        forked.store(0, DEVICE, trunk, 0, 50).then().store(1, DEVICE, branch, 0, branch.blocks());

        Story decoded = story("decoded block by block", 2);
        Chain tokens = decoded.chain(60);
        decoded.store(0, DEVICE, tokens, 0, 30).then();
        for (int block = 30; block < 40; block++) {
            decoded.store(0, DEVICE, tokens, block, block + 1);
        }
    }

    private void holders() {
        Story second = story("second holder of a whole run", 3);
        Chain shared = second.chain(40);
        second.store(0, DEVICE, shared, 0, 40).then().store(1, DEVICE, shared, 0, 40);

        Story range = story("range extended to the whole run", 3);
        Chain parts = range.chain(60);
        range.store(0, DEVICE, parts, 0, 60).store(1, DEVICE, parts, 0, 20);
        range.then().store(1, DEVICE, parts, 20, 40).store(1, DEVICE, parts, 40, 60);

        Story host = story("holder in another tier", 3);
        Chain offloaded = host.chain(40);
        host.store(0, DEVICE, offloaded, 0, 40).then().store(0, HOST, offloaded, 0, host.some(10, 40));

        Story copy = story("further copies", 3);
        Chain twice = copy.chain(50);
        copy.store(0, DEVICE, twice, 0, 50).then();
        copy.store(0, DEVICE, twice, 10, copy.some(20, 45)).store(0, DEVICE, twice, 0, 50);

        Story fewer = story("copies taken back", 3);
        Chain thrice = fewer.chain(40);
        fewer.store(0, DEVICE, thrice, 0, 40).store(0, DEVICE, thrice, 5, 30).store(0, DEVICE, thrice, 10, 20);
        fewer.then().remove(0, DEVICE, thrice, 8, 25).remove(0, DEVICE, thrice, 0, 40);

        Story appended = story("append to a run that others have whole", 4);
        Chain common = appended.chain(45);
        appended.store(0, DEVICE, common, 0, 20).store(1, DEVICE, common, 0, 20);
        appended.then().store(1, DEVICE, common, 20, 45);
    }

    private void shrinking() {
        Story hole = story("hole in the middle", 3);
        Chain holed = hole.chain(60);
        hole.store(0, DEVICE, holed, 0, 60).store(1, DEVICE, holed, 0, 60);
        hole.then().remove(0, DEVICE, holed, hole.some(10, 20), hole.some(30, 50));

        Story cut = story("truncation gives granules back", 3);
        Chain tail = cut.chain(100);
        cut.store(0, DEVICE, tail, 0, 100).then().removeBackwards(0, DEVICE, tail, cut.some(5, 60), 100);

        Story merge = story("freed extents merge", 3);
        Chain left = merge.chain(48);
        Chain middle = merge.chain(48);
        Chain right = merge.chain(48);
        merge.store(0, DEVICE, left, 0, 48).store(0, DEVICE, middle, 0, 48).store(0, DEVICE, right, 0, 48);
        merge.remove(0, DEVICE, left, 0, 48).remove(0, DEVICE, right, 0, 48).then();
        merge.remove(0, DEVICE, middle, 0, 48);

        Story gone = story("run freed and its memory taken again", 3);
        Chain old = gone.chain(40);
        Chain fresh = gone.chain(40);
        gone.store(0, DEVICE, old, 0, 40).then().remove(0, DEVICE, old, 0, 40).store(1, DEVICE, fresh, 0, 40);

        Story dead = story("dead middle revived", 3);
        Chain middleGone = dead.chain(50);
        dead.store(0, DEVICE, middleGone, 0, 50).remove(0, DEVICE, middleGone, 10, 30);
        dead.then().store(1, DEVICE, middleGone, 0, 50);

        Story heads = story("heads shift when one is deleted", 2);
        List<Chain> many = new ArrayList<>();
        for (int run = 0; run < 40; run++) {
            many.add(heads.chain(2));
            heads.store(0, DEVICE, many.getLast(), 0, 2);
        }
        heads.then();
        for (int run = 0; run < 12; run++) {
            heads.remove(0, DEVICE, many.get(heads.some(0, 39)), 0, 2);
        }
    }

    private void domains() {
        Story move = story("slot moves to a domain of its own", 3);
        Chain known = move.chain(40);
        move.store(0, DEVICE, known, 0, 40).then().store(1, DEVICE, known, 0, 40, 1);

        Story alias = story("further column of names", 3);
        Chain named = alias.chain(60);
        alias.store(0, DEVICE, named, 0, 60).store(1, DEVICE, named, 0, 5, 1).then();
        alias.store(1, DEVICE, named, 5, 60, 1);

        Story renamed = story("engine renames blocks in its domain", 3);
        Chain again = renamed.chain(30);
        renamed.store(0, DEVICE, again, 0, 30).store(1, DEVICE, again, 0, 30, 1);
        renamed.then().store(1, DEVICE, again, 0, 30, 2);

        Story column = story("column of a dead domain swept", 3);
        Chain silent = column.chain(50);
        column.store(0, DEVICE, silent, 0, 50)
                .store(1, DEVICE, silent, 0, 50, 1)
                .plain(Kind.REMOVE_SLOT, 1);
        column.then().plain(Kind.SWEEP, 0);
    }

    private void slots() {
        story("slot opened", 2).then().open(4);

        Story cleared = story("slot cleared and swept", 3);
        Chain lost = cleared.chain(60);
        cleared.store(0, DEVICE, lost, 0, 60).store(1, DEVICE, lost, 0, 30).then();
        cleared.plain(Kind.CLEAR, 0).plain(Kind.SWEEP, 0);

        Story removed = story("slot removed, given again", 3);
        Chain kept = removed.chain(30);
        removed.store(1, DEVICE, kept, 0, 30).plain(Kind.POSITION, 1).then();
        removed.plain(Kind.REMOVE_SLOT, 1).open(3).plain(Kind.SWEEP, 0).store(1, DEVICE, kept, 0, 30);

        Story purged = story("dead generation purged on the way", 3);
        Chain stale = purged.chain(40);
        purged.store(0, DEVICE, stale, 0, 40)
                .store(0, HOST, stale, 0, 20)
                .plain(Kind.CLEAR, 0)
                .then();
        purged.store(1, DEVICE, stale, 0, 40);

        Story position = story("position", 2);
        position.plain(Kind.POSITION, 0).then().plain(Kind.POSITION, 1).plain(Kind.POSITION, 0);

        Story batch = story("within a batch", 2);
        Chain torn = batch.chain(30);
        batch.store(0, DEVICE, torn, 0, 10).plain(Kind.POSITION, 0).then();
        batch.batch(0).store(0, DEVICE, torn, 10, 30);
    }

    private void sides() {
        Story ranges = story("side block of ranges grows", 20);
        Chain crowded = ranges.chain(64);
        ranges.store(0, DEVICE, crowded, 0, 64);
        for (int slot = 1; slot <= 7; slot++) {
            ranges.store(slot, DEVICE, crowded, 0, 20 + slot);
        }
        ranges.then();
        for (int slot = 8; slot < 18; slot++) {
            ranges.store(slot, DEVICE, crowded, 0, 20 + slot);
        }

        Story sets = story("side block of sets grows", 4);
        Chain tiered = sets.chain(30);
        sets.store(0, DEVICE, tiered, 0, 30).then();
        for (int tier = 1; tier < Tier.COUNT; tier++) {
            sets.store(1, tier, tiered, 0, 30).store(2, tier, tiered, 0, 30);
        }
        sets.store(3, DEVICE, tiered, 0, 30, 1).store(2, DEVICE, tiered, 0, 30, 2);

        Story freed = story("run with side blocks freed", 14);
        Chain wide = freed.chain(32);
        for (int slot = 0; slot < 12; slot++) {
            freed.store(slot, DEVICE, wide, 0, 20 + slot).store(slot, HOST, wide, 0, 10);
        }
        freed.then();
        for (int slot = 0; slot < 12; slot++) {
            freed.remove(slot, HOST, wide, 0, 10).removeBackwards(slot, DEVICE, wide, 0, 20 + slot);
        }

        Story holes = story("many holes", 2);
        Chain sieve = holes.chain(60);
        holes.store(0, DEVICE, sieve, 0, 60).then();
        for (int at = 1; at < 40; at += 3) {
            holes.remove(0, DEVICE, sieve, at, at + 1);
        }
    }
}
