package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Pairs the calls that a trajectory tells of with the requests of the journal.
 *
 * <p>First by name: the client's id of the request, then the ids of the tool calls that the answer asked for. Between two
 * calls so found, the rest are paired in order if there are as many calls as requests; else they are left alone, since a
 * title or a compaction may stand among them.
 *
 * <p><b>Threading:</b> stateless.
 */
final class CallJoin {
    /**
     * A call of a trajectory.
     *
     * @param requestIds names of its request, as far as the trajectory has any
     * @param toolCallIds tool calls that its answer asked for
     */
    record Call(Set<String> requestIds, Set<String> toolCallIds) {}

    private CallJoin() {}

    /**
     * The places of the requests of each call, in ascending order; a call may have none or several.
     *
     * @param calls in the order of the trajectory
     * @param requests in order of start
     */
    static List<List<Integer>> join(List<Call> calls, List<TraceRecord> requests) {
        List<List<Integer>> joined = new ArrayList<>();
        calls.forEach(call -> joined.add(new ArrayList<>(1)));
        boolean[] taken = new boolean[requests.size()];
        Map<String, Integer> byId = new HashMap<>();
        Map<String, Integer> byTool = new HashMap<>();
        for (int i = 0; i < calls.size(); i++) {
            for (String id : calls.get(i).requestIds()) {
                byId.putIfAbsent(id, i);
            }
            for (String id : calls.get(i).toolCallIds()) {
                byTool.putIfAbsent(id, i);
            }
        }
        for (int i = 0; i < requests.size(); i++) {
            Integer call = named(requests.get(i), byId, byTool);
            if (call != null) {
                joined.get(call).add(i);
                taken[i] = true;
            }
        }
        fillGaps(joined, requests, taken);
        return joined;
    }

    private static Integer named(TraceRecord request, Map<String, Integer> byId, Map<String, Integer> byTool) {
        Integer call = request.clientRequestId == null ? null : byId.get(request.clientRequestId);
        if (call == null) {
            call = byId.get(request.requestId);
        }
        for (TraceRecord.ToolCall tool : request.toolCalls) {
            if (call == null && tool.id() != null) {
                call = byTool.get(tool.id());
            }
        }
        return call;
    }

    private static void fillGaps(List<List<Integer>> joined, List<TraceRecord> requests, boolean[] taken) {
        // Request to call, where both run forward; the ends close the last gap.
        TreeMap<Integer, Integer> anchors = new TreeMap<>();
        int lastRequest = -1;
        for (int call = 0; call < joined.size(); call++) {
            List<Integer> of = joined.get(call);
            if (!of.isEmpty() && of.getFirst() > lastRequest) {
                lastRequest = of.getLast();
                anchors.put(of.getFirst(), call);
            }
        }
        anchors.put(requests.size(), joined.size());
        int fromRequest = 0;
        int fromCall = 0;
        for (Map.Entry<Integer, Integer> anchor : anchors.entrySet()) {
            fillGap(joined, requests, taken, new int[] {fromCall, anchor.getValue()}, new int[] {
                fromRequest, anchor.getKey()
            });
            fromRequest = anchor.getKey() + 1;
            fromCall = anchor.getValue() + 1;
        }
    }

    private static void fillGap(
            List<List<Integer>> joined, List<TraceRecord> requests, boolean[] taken, int[] callGap, int[] requestGap) {
        List<Integer> calls = new ArrayList<>();
        for (int call = callGap[0]; call < callGap[1]; call++) {
            if (joined.get(call).isEmpty()) {
                calls.add(call);
            }
        }
        List<Integer> free = new ArrayList<>();
        for (int i = requestGap[0]; i < requestGap[1]; i++) {
            if (!taken[i] && answered(requests.get(i))) {
                free.add(i);
            }
        }
        for (int i = 0; calls.size() == free.size() && i < free.size(); i++) {
            joined.get(calls.get(i)).add(free.get(i));
            taken[free.get(i)] = true;
        }
    }

    /** What got no answer is no call of a trajectory: the harness tried again. */
    private static boolean answered(TraceRecord request) {
        return request.outputTokens != 0 && (request.status < 0 || request.status < 400);
    }
}
