package io.penstock.dataplane.demo;

import java.io.IOException;
import java.net.http.HttpRequest;

/**
 * How a turn is put on the wire, and how its answer is read.
 *
 * <p><b>Threading:</b> stateless.
 */
sealed interface TurnWire permits CompletionWire, MessagesWire {
    /** Path that it is sent to. */
    String path();

    /** Adds headers and body. */
    void fill(HttpRequest.Builder request, String model, TurnCall call);

    /** Reads the data of one event of the stream; the answer ends itself when it is whole or broken. */
    void event(String data, AnswerSoFar answer) throws IOException;
}
