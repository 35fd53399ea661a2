package io.penstock.dataplane.tokens.jinja;

import java.util.AbstractList;
import java.util.List;

/** A tuple: a list that prints with parentheses and equals no list. */
final class Tuple extends AbstractList<Object> {
    private final List<Object> items;

    Tuple(List<Object> items) {
        this.items = items;
    }

    @Override
    public Object get(int index) {
        return items.get(index);
    }

    @Override
    public int size() {
        return items.size();
    }
}
