package io.penstock.bindings.kvhint;

/**
 * One action of a hint. An action of an unknown type passes through as it came: the payload is kept as bytes.
 *
 * <p><b>Threading:</b> immutable; the payload is not to be changed.
 *
 * @param id name of the action in its message
 * @param type such as {@code kv.fetch}
 * @param version of the type, such as {@code 1.0}
 * @param payload a JSON object, UTF-8
 */
@SuppressWarnings("ArrayRecordComponent")
public record HintAction(String id, String type, String version, byte[] payload) {
    /** Whether it is of the type and version. */
    public boolean is(String wantedType, String wantedVersion) {
        return type.equals(wantedType) && version.equals(wantedVersion);
    }
}
