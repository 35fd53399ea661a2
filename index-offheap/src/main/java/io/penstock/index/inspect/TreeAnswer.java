package io.penstock.index.inspect;

import java.util.List;

/**
 * The largest branches.
 *
 * @param roots runs that continue no other
 * @param changing runs left out because they changed all the time
 * @param hiddenRoots roots that are not shown
 * @param hiddenBlocks blocks of those and of what grows from them
 * @param branches each before what grows from it, larger ones first
 *
 * <p><b>Threading:</b> immutable.
 */
public record TreeAnswer(int roots, int changing, int hiddenRoots, long hiddenBlocks, List<Branch> branches) {}
