package io.penstock.index.inspect;

import java.util.List;

/**
 * Whether everything in the file holds.
 *
 * @param sound nothing is wrong, and the file stood still while it was checked
 * @param changed the file changed underneath: what was found means nothing
 * @param derived whether tables and counts that are built anew after a kill were checked as well: only in a clean file
 * @param runs runs checked
 * @param blocks their blocks
 * @param damages how many things are wrong
 * @param damage the first of them, one line each
 *
 * <p><b>Threading:</b> immutable.
 */
public record VerifyAnswer(
        boolean sound, boolean changed, boolean derived, int runs, long blocks, int damages, List<String> damage) {}
