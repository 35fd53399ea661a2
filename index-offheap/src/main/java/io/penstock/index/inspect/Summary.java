package io.penstock.index.inspect;

import java.util.List;
import java.util.Map;

/**
 * What an index file holds, at one moment.
 *
 * @param file the file
 * @param layoutVersion of the file
 * @param state {@code clean} or {@code dirty}: in use, or left by a kill
 * @param owner last writer
 * @param takenBack stores of the step that a killed writer left, read as not done
 * @param changing runs left out because they changed all the time, or make no sense
 * @param blockSize tokens a block
 * @param capacityBlocks blocks the file was made for
 * @param maxSlots slots it was made for
 * @param domains hash domains ever given, with the shared one
 * @param runs runs in use
 * @param blocks distinct blocks that a worker has
 * @param dyingBlocks blocks that only cleared or removed generations had, not yet swept
 * @param sharing blocks by the number of workers that have them: {@code 1}, {@code 2}, {@code 3-4}, {@code 5-8}, …
 * @param runLengths runs by their blocks, same bands
 * @param fragmentation how well the memory is used
 * @param pool what is known of a shared pool's pages, null when the file was made without
 * @param workers by slot
 *
 * <p><b>Threading:</b> immutable.
 */
public record Summary(
        String file,
        int layoutVersion,
        String state,
        Owner owner,
        int takenBack,
        int changing,
        int blockSize,
        long capacityBlocks,
        int maxSlots,
        long domains,
        int runs,
        long blocks,
        long dyingBlocks,
        Map<String, Long> sharing,
        Map<String, Long> runLengths,
        Fragmentation fragmentation,
        Pool pool,
        List<WorkerState> workers) {

    /**
     * Who wrote the file last.
     *
     * @param pid process
     * @param sinceMs when it opened the file, Unix milliseconds
     * @param boot id of the machine's boot
     * @param process {@code running}, {@code not seen}, or {@code other boot}, as far as this process can see
     */
    public record Owner(long pid, long sinceMs, String boot, String process) {}

    /**
     * Memory of the columns and of the side arena.
     *
     * @param granules granules of 16 blocks in all
     * @param usedGranules those of runs and of further hash columns
     * @param fill blocks over places of the runs' granules, 0 to 1
     * @param freeStretches gaps between used granules, pages apart
     * @param largestFree granules of the largest one
     * @param sideUnits units of 64 bytes in all
     * @param usedSideUnits those of runs' lists
     */
    public record Fragmentation(
            int granules,
            int usedGranules,
            double fill,
            int freeStretches,
            int largestFree,
            int sideUnits,
            int usedSideUnits) {}

    /**
     * The shared pool's region.
     *
     * @param capacityPages logical pages it was made for
     * @param objects physical objects of a page
     * @param pages of which an object is there, dead ones included until swept
     * @param complete pages of which all objects are there
     * @param listing number of the latest listing begun; clears count as one
     * @param proven number of the latest listing told to its end
     */
    public record Pool(long capacityPages, int objects, long pages, long complete, long listing, long proven) {}
}
