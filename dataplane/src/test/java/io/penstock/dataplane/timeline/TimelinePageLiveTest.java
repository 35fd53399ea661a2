package io.penstock.dataplane.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of 50,000 requests in a real browser: it asks for nothing, draws, and does what pointer and keys say. Screenshots
 * lie in {@code target/timeline} for people to look at, and what it costs is printed.
 */
@Tag("live")
final class TimelinePageLiveTest {
    private static final int REQUESTS = 50_000;
    private static final long SEED = 7;
    private static final int WIDTH = 1_440;
    private static final int HEIGHT = 900;
    private static final int LABELS = 252;
    private static final Path SHOTS = Path.of(System.getProperty("penstock.root"), "dataplane/target/timeline");

    @TempDir
    static Path folder;

    private static Chromium browser;
    private static Path page;
    private static double top;
    private static double rowsAtOpening;

    @BeforeAll
    static void open() throws Exception {
        String program = Chromium.installed().orElse(null);
        Assumptions.assumeTrue(
                program != null, "skipped: the timeline in a browser; no chromium or google-chrome on the path");
        System.out.println("seed=" + SEED);
        Files.createDirectories(SHOTS);
        page = SHOTS.resolve("page.html");
        TimelineFiles.read(GeneratedJournal.of(REQUESTS, SEED), TimelineRange.ALL, "data/journal")
                .writePage(page);
        browser = new Chromium(program, folder, WIDTH, HEIGHT);
        browser.open(page);
        rowsAtOpening = number("penstock.model.rows.length");
        top = browser.evaluate("document.getElementById('tracks').getBoundingClientRect().top")
                .asDouble();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void begin() throws Exception {
        browser.key("Escape");
        browser.evaluate("penstock.show(-1e9, 1e12)");
        settle();
    }

    private static void settle() throws Exception {
        browser.evaluate("new Promise(done => setTimeout(() => requestAnimationFrame(done), 260))");
    }

    private static double number(String expression) throws Exception {
        return browser.evaluate(expression).asDouble();
    }

    private static double span() throws Exception {
        return number("penstock.view.to - penstock.view.from");
    }

    /** Screen position of a request: x, y. */
    private static double[] at(int request) throws Exception {
        JsonNode found = browser.evaluate("(() => { const p = penstock, d = p.data, i = " + request
                + "; const t = p.model.tracks[d.requestSession[i]];"
                + "const lane = t.lanes.findIndex(l => l.index.some((x, k) => x === i && l.kind[k] === 0));"
                + "return [p.xOf(d.requestStart[i] + d.requestTook[i] * 0.9), p.topOf(t) + 3.5 + lane * 19 + 9]; })()");
        return new double[] {found.path(0).asDouble(), found.path(1).asDouble() + top};
    }

    @Test
    void shouldOpenOfflineAndStaySmallAndFastWhenThereAreFiftyThousandRequests() throws Exception {
        assertEquals(REQUESTS, (int) number("Math.floor(penstock.data.requests / 1000) * 1000"));
        assertEquals(number("penstock.data.sessions.length"), rowsAtOpening);
        assertEquals(List.of(), browser.complaints());
        assertEquals(
                List.of(),
                browser.requests().stream()
                        .filter(url -> !url.startsWith("file:") && !url.startsWith("data:"))
                        .toList());
        browser.screenshot(SHOTS.resolve("1-all.png"));
        double load = number("penstock.loadMs");
        double interactive = number("performance.getEntriesByType('navigation')[0].domInteractive");
        browser.evaluate("(async () => { const p = penstock, d = p.data.spanMs; p.frames.took.length = 0;"
                + "for (let k = 0; k < 120; k++) { const w = d * Math.exp(-k / 12);"
                + "p.show(d / 3 - w / 2, d / 3 + w / 2); await new Promise(requestAnimationFrame); } })()");
        JsonNode frames = browser.evaluate("penstock.frames.took.filter(x => x >= 0).sort((a, b) => a - b)");
        System.out.printf(
                Locale.ROOT,
                "page of %,d requests, %,d sessions: %,d KiB; read and drawn first after %.0f + %.0f ms;"
                        + " a frame p50 %.1f ms, p99 %.1f ms, of %d%n",
                (int) number("penstock.data.requests"),
                (int) number("penstock.data.sessions.length"),
                Files.size(page) / 1024,
                interactive,
                load,
                frames.path(frames.size() / 2).asDouble(),
                frames.path(frames.size() * 99 / 100).asDouble(),
                frames.size());
        assertTrue(frames.size() > 50, frames.toString());
    }

    @Test
    void shouldZoomWhereThePointerIsAndPanWhenAsked() throws Exception {
        double before = span();
        double under = number("penstock.msAt(800)");
        for (int i = 0; i < 12; i++) {
            browser.wheel(800, top + 300, -240);
        }
        settle();
        assertTrue(span() < before / 50, before + " to " + span());
        assertEquals(under, number("penstock.msAt(800)"), span() / 500);
        double from = number("penstock.view.from");
        browser.drag(900, top + 200, 700, top + 200, false);
        settle();
        assertEquals(from + span() * 200 / (WIDTH - LABELS - 10), number("penstock.view.from"), span() / 50);
        double kept = span();
        browser.key("w");
        assertTrue(span() < kept * 0.9);
        browser.key("ArrowRight");
        browser.key("0");
        settle();
        assertEquals(before, span(), before / 100);
        browser.drag(600, top + 100, 800, top + 100, true);
        settle();
        assertEquals(before * 200 / (WIDTH - LABELS - 10), span(), before / 100);
        double y = number("penstock.view.y");
        browser.wheel(100, top + 200, 500);
        settle();
        assertEquals(y + 500, number("penstock.view.y"), 1);
    }

    @Test
    void shouldShowTheNumbersOfARequestWhenThePointerIsOnIt() throws Exception {
        int request = (int) number("(() => { const d = penstock.data; for (let i = 20000; ; i++)"
                + " if (d.requestCached[i] > 0 && d.requestTook[i] > 4000) return i; })()");
        browser.evaluate("(() => { const d = penstock.data, i = " + request
                + "; penstock.show(d.requestStart[i] - 8000, d.requestStart[i] + 22000);"
                + "penstock.scrollTo(penstock.model.tracks[d.requestSession[i]].y - 100); })()");
        settle();
        double[] where = at(request);
        browser.mouse("mouseMoved", where[0], where[1], java.util.Map.of());
        browser.await("!document.getElementById('card').hidden");
        String card =
                browser.evaluate("document.getElementById('card').innerText").asText();
        String id =
                browser.evaluate("penstock.data.requestId()[" + request + "]").asText();
        assertTrue(card.contains(id), card);
        String cached = browser.evaluate("penstock.data.requestCached[" + request + "].toLocaleString('en-US')")
                .asText();
        assertTrue(card.contains(cached), card + " without " + cached);
        browser.screenshot(SHOTS.resolve("2-hover.png"));
        browser.click(where[0], where[1]);
        browser.mouse("mouseMoved", 700, top + 5, java.util.Map.of());
        settle();
        assertFalse(browser.evaluate("document.getElementById('card').hidden").asBoolean());
        browser.key("Escape");
        assertTrue(browser.evaluate("document.getElementById('card').hidden").asBoolean());
    }

    @Test
    void shouldFindASessionAndShowItsSubagentsBelowIt() throws Exception {
        int parent =
                (int) number("penstock.model.tracks.findIndex((t, i) => i > 500 && t.children > 1 && t.depth === 0)");
        String name = browser.evaluate("penstock.data.sessions[" + parent + "]").asText();
        browser.key("/");
        browser.type(name.substring(0, 13));
        browser.await("penstock.search.matches.length === 1");
        browser.key("Enter");
        settle();
        assertEquals(parent, (int) number("penstock.view.selected"));
        assertEquals(
                "1 of 1",
                browser.evaluate("document.getElementById('found').value").asText());
        assertTrue(number("penstock.topOf(penstock.model.tracks[" + parent + "])") > 0);
        assertTrue(span() < number("penstock.data.spanMs") / 2);
        int child = (int) number("penstock.model.tracks.findIndex(t => t.parent === " + parent + ")");
        assertEquals(1, (int) number("penstock.model.tracks[" + child + "].depth"));
        assertEquals(
                number("penstock.model.rows.indexOf(" + parent + ")") + 1,
                number("penstock.model.rows.indexOf(" + child + ")"));
        browser.screenshot(SHOTS.resolve("3-search.png"));
        double rows = number("penstock.model.rows.length");
        browser.click(20, number("penstock.topOf(penstock.model.tracks[" + parent + "])") + top + 12);
        settle();
        assertTrue(number("penstock.model.rows.length") < rows);
        browser.click(20, number("penstock.topOf(penstock.model.tracks[" + parent + "])") + top + 12);
        settle();
        assertEquals(rows, number("penstock.model.rows.length"));
        browser.key("t");
        settle();
        browser.screenshot(SHOTS.resolve("4-other-theme.png"));
        browser.key("t");
    }

    @Test
    void shouldDrawWorkersAndOnlyRowsInViewWhenAskedFor() throws Exception {
        browser.evaluate("penstock.show(penstock.data.spanMs / 2, penstock.data.spanMs / 2 + 60000)");
        double rows = number("penstock.model.rows.length");
        browser.screenshot(SHOTS.resolve("5-in-view.png"));
        browser.key("v");
        settle();
        assertTrue(rows > 0 && rows < number("penstock.model.rows.length") / 2);
        browser.key("v");
        settle();
        assertEquals(rows, number("penstock.model.rows.length"));
        assertEquals(List.of(), browser.complaints());
        browser.evaluate("document.querySelector('[data-group=workers]').click()");
        settle();
        assertEquals(8, (int) number("penstock.model.rows.length"));
        browser.screenshot(SHOTS.resolve("6-workers.png"));
        browser.evaluate("document.querySelector('[data-group=sessions]').click()");
        settle();
    }
}
