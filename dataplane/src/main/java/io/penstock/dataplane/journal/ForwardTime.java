package io.penstock.dataplane.journal;

import java.nio.file.Path;
import java.util.NavigableMap;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * A clock that never goes back, nor behind the youngest file.
 *
 * <p><b>Threading:</b> the appender's thread.
 */
final class ForwardTime implements TimeProvider {
    private final TimeProvider clock;
    private long latestMs;

    ForwardTime(TimeProvider clock, NavigableMap<Integer, Path> files, JournalRoll roll) {
        this.clock = clock;
        latestMs = files.isEmpty() ? 0 : roll.beginMs(files.lastKey());
    }

    @Override
    public long currentTimeMillis() {
        latestMs = Math.max(latestMs, clock.currentTimeMillis());
        return latestMs;
    }
}
