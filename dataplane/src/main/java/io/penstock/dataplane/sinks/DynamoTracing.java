package io.penstock.dataplane.sinks;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.dataplane.pipeline.RequestPort;
import io.penstock.dataplane.pipeline.RouterPipeline;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Request traces as Dynamo's environment asks for them: sinks behind the decision ring, tool events in front of it. Without
 * such variables it does nothing; the journal is written either way.
 *
 * <p>Made before the pipeline starts and closed after it, so that the last records still come; the ingress in between.
 *
 * <p><b>Threading:</b> made and closed by one thread.
 */
public final class DynamoTracing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DynamoTracing.class);
    private static final AutoCloseable NONE = () -> {};

    private final TraceSettings settings;
    private final SinkCounts counts = new SinkCounts();
    private final TraceSinks sinks;

    /**
     * Opens the sinks.
     *
     * @throws IllegalArgumentException if one cannot be opened
     */
    public DynamoTracing(Map<String, String> environment) {
        settings = TraceSettings.of(environment);
        settings.warnings().forEach(warning -> LOG.warn("request trace: {}", warning));
        sinks = new TraceSinks(settings, counts);
    }

    /** What the environment asks for. */
    public TraceSettings settings() {
        return settings;
    }

    /** Has the sinks told of what ends; before the pipeline starts. */
    public void follow(RouterPipeline pipeline) {
        if (sinks.any()) {
            pipeline.addConsumer("sinks", sinks);
        }
    }

    /**
     * Begins to take tool events, where the environment names an endpoint.
     *
     * @param transport name of the ZMQ transport
     * @return to be closed before the pipeline
     */
    public AutoCloseable takeToolEvents(RequestPort port, String transport) {
        return settings.toolEndpoint() == null
                ? NONE
                : new ToolEventIngress(settings.toolEndpoint(), settings.toolTopic(), transport, port, counts);
    }

    /** Shows what is counted. */
    public void bindTo(MeterRegistry registry) {
        counts.bindTo(registry);
    }

    @Override
    public void close() {
        sinks.close();
    }
}
