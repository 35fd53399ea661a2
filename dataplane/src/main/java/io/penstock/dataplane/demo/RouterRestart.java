package io.penstock.dataplane.demo;

/**
 * How a killed router came back, counted from the start of its new process.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param firstAnswerMs first answer to any request
 * @param readyMs first 200 of {@code /ready}
 * @param warmMs all engines that were proven before proven again, with as many blocks; -1 if that did not come
 * @param blocksBefore blocks of proven engines before the kill
 * @param blocksAfter the same at the end of the measurement
 */
record RouterRestart(long firstAnswerMs, long readyMs, long warmMs, long blocksBefore, long blocksAfter) {}
