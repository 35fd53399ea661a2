package io.penstock.index.inspect;

import java.util.List;

/**
 * The most shared prefixes.
 *
 * @param changing runs left out because they changed all the time
 * @param prefixes by number of workers, then by length
 *
 * <p><b>Threading:</b> immutable.
 */
public record TopAnswer(int changing, List<SharedPrefix> prefixes) {}
