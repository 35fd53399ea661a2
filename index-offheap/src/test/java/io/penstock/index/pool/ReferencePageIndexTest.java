package io.penstock.index.pool;

import io.penstock.index.reference.ReferencePageIndex;

class ReferencePageIndexTest extends PageIndexPromises {
    @Override
    PageIndex index(long capacityPages, int objectsPerPage, int timeToLiveSeconds) {
        return new ReferencePageIndex(capacityPages, objectsPerPage, timeToLiveSeconds);
    }
}
