package io.penstock.dataplane.tokens.jinja;

import java.util.List;
import java.util.Map;

/** The {@code loop} variable. Answers {@link #attribute} by Jinja's names. */
final class Loop {
    private final List<Object> items;
    private final int depth;
    private final Callable recurse;
    private Object lastChanged = this;
    int index;

    Loop(List<Object> items, int depth, Callable recurse) {
        this.items = items;
        this.depth = depth;
        this.recurse = recurse;
    }

    Callable recurse() {
        if (recurse == null) {
            throw new JinjaException("loop is not recursive");
        }
        return recurse;
    }

    int depth() {
        return depth;
    }

    Object attribute(String name) {
        return switch (name) {
            case "index" -> index + 1L;
            case "index0" -> (long) index;
            case "revindex" -> (long) (items.size() - index);
            case "revindex0" -> (long) (items.size() - index - 1);
            case "first" -> index == 0;
            case "last" -> index == items.size() - 1;
            case "length" -> (long) items.size();
            case "depth" -> depth + 1L;
            case "depth0" -> (long) depth;
            case "previtem" -> index == 0 ? new Undefined("there is no previous item") : items.get(index - 1);
            case "nextitem" ->
                index == items.size() - 1 ? new Undefined("there is no next item") : items.get(index + 1);
            case "cycle" -> (Callable) this::cycle;
            case "changed" -> (Callable) this::changed;
            default -> new Undefined("loop." + name);
        };
    }

    private Object cycle(List<Object> args, Map<String, Object> named) {
        if (args.isEmpty()) {
            throw new JinjaException("no items for cycling given");
        }
        return args.get(index % args.size());
    }

    private Object changed(List<Object> args, Map<String, Object> named) {
        if (lastChanged != this && Py.equal(lastChanged, args)) {
            return false;
        }
        lastChanged = args;
        return true;
    }
}
