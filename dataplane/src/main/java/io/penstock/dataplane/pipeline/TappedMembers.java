package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.routing.BusyThresholds;

/**
 * Tells one core of workers, and the tap before it.
 *
 * <p><b>Threading:</b> owned by the core's thread.
 */
final class TappedMembers {
    private final CoreTap tap;
    private final CoreSeq seq;
    private RouterCore core;
    private long timeNs;

    TappedMembers(CoreTap tap, CoreSeq seq) {
        this.tap = tap;
        this.seq = seq;
    }

    /** What follows goes to {@code core}, at this time. */
    TappedMembers of(RouterCore to, long atNs) {
        core = to;
        timeNs = atNs;
        return this;
    }

    void addWorker(WorkerAddition worker, int[] wanted) {
        tap.addWorker(seq.next(), timeNs, worker, wanted);
        core.addWorker(worker, wanted);
    }

    void drain(int worker) {
        tap.drain(seq.next(), timeNs, worker);
        core.drain(worker);
    }

    void remove(int worker) {
        tap.remove(seq.next(), timeNs, worker);
        core.remove(worker);
    }

    void setHealthy(int worker, boolean healthy) {
        tap.healthy(seq.next(), timeNs, worker, healthy);
        core.setHealthy(worker, healthy);
    }

    void setBusyThresholds(int model, BusyThresholds thresholds) {
        tap.thresholds(seq.next(), timeNs, model, thresholds);
        core.setBusyThresholds(model, thresholds);
    }
}
