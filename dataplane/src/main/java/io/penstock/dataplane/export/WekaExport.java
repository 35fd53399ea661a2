package io.penstock.dataplane.export;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Recorded coding-agent sessions in the Weka format: one JSON file a conversation, which is a root agent with all that it
 * started. Full blocks only, as the public files have them.
 *
 * <p>A conversation is written when its last request has been read; until then it costs one entry a distinct block.
 *
 * <p><b>Threading:</b> one thread, once.
 */
final class WekaExport {
    private static final int DEPTH = 1;

    private final ObjectMapper mapper = new ObjectMapper();
    private final Map<String, WekaConversation> open = new HashMap<>();

    /** Fills the folder, which is made if it is not there. */
    void write(TraceSource source, ExportOptions options, Notices notices, Path folder) throws IOException {
        ReplayPlan plan = ReplayPlan.of(source, options, notices);
        Lineage lineage = Lineage.of(plan.requests(), notices);
        Set<String> deep = new HashSet<>();
        for (ReplayRequest request : plan.requests()) {
            String root = lineage.root(request.session());
            open.computeIfAbsent(root, key -> new WekaConversation(key, open.size() + 1))
                    .await();
            if (lineage.depth(request.session()) > DEPTH) {
                deep.add(request.session());
            }
        }
        notices.add("flattened: agents more than one level under their root stand beside their parents", deep.size());
        Files.createDirectories(folder);
        notices.add("written: conversations, a file each", open.size());
        plan.forEachAsRead((index, request, record) -> {
            String root = lineage.root(request.session());
            WekaConversation conversation = open.get(root);
            if (conversation.add(request, record)) {
                open.remove(root);
                write(conversation, plan.blockSize(), folder);
            }
        });
        BlockSizeNotice.add(plan, notices);
    }

    private void write(WekaConversation conversation, int blockSize, Path folder) throws IOException {
        String name = String.format(Locale.ROOT, "conversation-%06d.json", conversation.number());
        try (OutputStream out = Files.newOutputStream(folder.resolve(name));
                JsonGenerator json = mapper.getFactory().createGenerator(out)) {
            conversation.write(blockSize, json);
        }
    }
}
