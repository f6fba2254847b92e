import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { failureOf } from "../../extension/background/browser.js";
import { HostError } from "../../extension/background/errors.js";
import { Host } from "../../extension/background/host.js";
import { Assembly, joined } from "../../extension/background/results.js";

const HELLO = { type: "hello", protocol: 1, version: "1.2.3", detectors: [], default_detector: "temex", capabilities: [] };
const SUMMARY = { url: "https://example.org/", detector: "temex", elements: 9, candidates: [], pages_loaded: 3, timings_ms: {}, sureness: null, more_pages: null };
const SNAPSHOT = /** @type {any} */ ({ url: "https://example.org/" });
const NO_PROGRESS = { detector: null, onProgress: () => {}, signal: new AbortController().signal };

/** @type {Host | undefined} */
let host;
afterEach(() => host?.close());

/**
 * A browser with a host whose answers the test gives.
 * @param {(message: any, port: any) => void} onMessage
 */
function connect(onMessage) {
  /** @type {any[]} */
  const ports = [];
  const runtime = {
    lastError: /** @type {any} */ (null),
    getManifest: () => ({ version: "0.1.0" }),
    connectNative: () => {
      /** @type {any} */
      const port = { heard: /** @type {any[]} */ ([]), closed: false };
      port.onMessage = { addListener: (/** @type {any} */ listener) => (port.answer = listener) };
      port.onDisconnect = { addListener: (/** @type {any} */ listener) => (port.drop = listener) };
      port.disconnect = () => (port.closed = true);
      port.postMessage = (/** @type {any} */ message) => {
        port.heard.push(message);
        setTimeout(() => onMessage(message, port));
      };
      ports.push(port);
      return port;
    },
  };
  /** @type {any} */ (globalThis).browser = { runtime };
  host = new Host();
  return { host, ports, runtime };
}

test("the handshake comes first, names the protocol, and happens once for all requests", async () => {
  const { host, ports } = connect((message, port) => port.answer({ ...HELLO, id: message.id }));
  assert.equal((await host.hello()).version, "1.2.3");
  await host.hello();
  assert.equal(ports.length, 1);
  assert.deepEqual(ports[0].heard, [{ id: 1, type: "hello", protocol: 1, client: "sitestencil-extension 0.1.0", capabilities: ["load"] }]);
});

test("a host that says less in its hello, as an older one does, works by what it knows", async () => {
  const { host } = connect((message, port) => {
    const { id } = message;
    if (message.type === "hello") return port.answer({ type: "hello", id, protocol: 1, version: "0.0.1" });
    return port.answer({ type: "result", id, part: 1, parts: 1, template: [[0, 2]], summary: { url: SUMMARY.url, detector: "temex", elements: 2 } });
  });
  const hello = await host.hello();
  assert.deepEqual([hello.detectors, hello.capabilities], [[], []]);
  const { answer } = await host.extract(SNAPSHOT, NO_PROGRESS);
  assert.deepEqual(answer, { template: [[0, 2]], content_texts: [] });
  await assert.rejects(host.save(/** @type {any} */ ({})), (/** @type {HostError} */ error) => error instanceof HostError);
});

test("what a newer host says beyond what is known is passed over", async () => {
  const { host } = connect((message, port) => {
    const { id } = message;
    if (message.type === "hello") return port.answer({ ...HELLO, id, capabilities: ["save", "dream"], moods: ["good"] });
    port.answer({ type: "dream", id, about: "pages" });
    port.answer({ type: "progress", id, stage: "dreaming", pages_loaded: 1, pages_wanted: null });
    return port.answer({ type: "result", id, part: 1, parts: 1, template: [[0, 2]], content_texts: [], colours: [1], summary: { ...SUMMARY, mood: "good" } });
  });
  const { answer } = await host.extract(SNAPSHOT, NO_PROGRESS);
  assert.deepEqual(answer, { template: [[0, 2]], content_texts: [] });
});

test("an extraction gets its progress and the parts of its result, two at once each their own", async () => {
  const { host } = connect((message, port) => {
    const { id } = message;
    if (message.type === "hello") return port.answer({ ...HELLO, id });
    port.answer({ type: "progress", id, stage: "loading", pages_loaded: id, pages_wanted: 3 });
    port.answer({ type: "result", id, part: 1, parts: 2, template: [[0, id]], content_texts: [] });
    return port.answer({ type: "result", id, part: 2, parts: 2, template: [[id, 9]], content_texts: [[1, 2]], summary: { ...SUMMARY, pages_loaded: id } });
  });
  /** @type {any[]} */
  const progress = [];
  const onProgress = (/** @type {any} */ message) => progress.push(message.pages_loaded);
  const results = await Promise.all([
    host.extract(SNAPSHOT, { ...NO_PROGRESS, onProgress }),
    host.extract(SNAPSHOT, { ...NO_PROGRESS, onProgress }),
  ]);
  assert.deepEqual(results.map(({ answer }) => answer.template), [[[0, 9]], [[0, 9]]]);
  assert.deepEqual(results.map(({ summary }) => summary.pages_loaded), [2, 3]);
  assert.deepEqual(progress, [2, 3]);
});

test("a captured page is sent, and the file comes in pieces", async () => {
  const { host, ports } = connect((message, port) => {
    const { id } = message;
    if (message.type === "hello") return port.answer({ ...HELLO, id, capabilities: ["save"] });
    port.answer({ type: "saved", id, part: 1, parts: 2, text: "<p>" });
    return port.answer({ type: "saved", id, part: 2, parts: 2, text: "x" });
  });
  assert.deepEqual(await host.save(/** @type {any} */ (SNAPSHOT)), ["<p>", "x"]);
  assert.deepEqual(ports[0].heard.at(-1), { type: "save", id: 2, capture: SNAPSHOT });
});

test("a host that cannot save is to be updated, and is not asked", async () => {
  const { host, ports } = connect((message, port) => port.answer({ ...HELLO, id: message.id }));
  await assert.rejects(host.save(/** @type {any} */ (SNAPSHOT)), { phrase: ["save_program_too_old"] });
  assert.equal(ports[0].heard.length, 1);
});

test("cancelling tells the host and ends the extraction at once", async () => {
  const { host, ports } = connect((message, port) => {
    if (message.type === "hello") port.answer({ ...HELLO, id: message.id });
    if (message.type === "extract") extraction.abort();
  });
  const extraction = new AbortController();
  await assert.rejects(host.extract(SNAPSHOT, { ...NO_PROGRESS, signal: extraction.signal }), { name: "AbortError" });
  assert.deepEqual(ports[0].heard.at(-1), { type: "cancel", id: 2 });
});

test("the host's error is told by its number, and its detail is for a report", async () => {
  const { host } = connect((message, port) =>
    port.answer(
      message.type === "hello"
        ? { ...HELLO, id: message.id }
        : { type: "error", id: message.id, number: 301, name: "no-candidates", message: "No other page.", detail: "0 links" },
    ),
  );
  await assert.rejects(host.extract(SNAPSHOT, NO_PROGRESS), {
    kind: "answered",
    number: 301,
    phrase: ["error_no_candidates"],
    detail: "301 no-candidates: 0 links",
    needsHelp: false,
  });
});

test("an error of a number that the extension does not know is told in the host's sentence", () => {
  const { phrase } = HostError.answered({ type: "error", id: 2, number: 399, name: "new", message: "The moon is in the way." });
  assert.deepEqual(phrase, ["error_unknown", "The moon is in the way."]);
});

test("a detail that no text can hold beforehand is told with the error's text", () => {
  const error = { type: /** @type {const} */ ("error"), id: 2, number: 304, name: "unknown-detector", message: "Unknown.", detail: "There are: temex." };
  assert.deepEqual(HostError.answered(error).phrase, ["error_with_detail", ["error_unknown_detector"], "There are: temex."]);
  assert.deepEqual(HostError.answered({ ...error, detail: undefined }).phrase, ["error_unknown_detector"]);
});

test("a message of a type that the extension does not know is passed over", async () => {
  const { host } = connect((message, port) => {
    port.answer({ type: "moon", id: message.id });
    port.answer({ ...HELLO, id: message.id });
  });
  assert.equal((await host.hello()).version, "1.2.3");
});

test("a missing host fails with what can be done, and a later try can succeed", async () => {
  let installed = false;
  const { host, ports, runtime } = connect((message, port) => {
    if (installed) return port.answer({ ...HELLO, id: message.id });
    runtime.lastError = { message: "Specified native messaging host not found." };
    return port.drop();
  });
  await assert.rejects(host.hello(), { kind: "missing", needsHelp: true, phrase: ["host_missing"] });
  installed = true;
  assert.equal((await host.hello()).version, "1.2.3");
  assert.equal(ports.length, 2);
});

test("a host that ends before the handshake could not be started, whether the browser says so or not", async () => {
  const { host } = connect((_, port) => port.drop());
  await assert.rejects(host.hello(), { kind: "exited", needsHelp: true });
});

test("a host of another protocol is refused with a sentence that says to update", async () => {
  const { host } = connect((message, port) => port.answer({ ...HELLO, id: message.id, protocol: 2 }));
  await assert.rejects(host.hello(), { kind: "protocol", phrase: ["host_protocol"], needsHelp: true });
});

test("when the port breaks, everything that waits fails and the next request connects anew", async () => {
  const { host, ports } = connect((message, port) => {
    if (message.type === "hello") port.answer({ ...HELLO, id: message.id });
    else if (ports.length === 1) port.drop();
    else port.answer({ type: "result", id: message.id, part: 1, parts: 1, template: [], content_texts: [], summary: SUMMARY });
  });
  await assert.rejects(host.extract(SNAPSHOT, NO_PROGRESS), { kind: "stopped", needsHelp: false, phrase: ["host_stopped"] });
  assert.deepEqual((await host.extract(SNAPSHOT, NO_PROGRESS)).answer, { template: [], content_texts: [] });
});

test("an error that cannot say which request it is about leaves none waiting", async () => {
  const { host } = connect((message, port) =>
    port.answer(
      message.type === "hello"
        ? { ...HELLO, id: message.id }
        : { type: "error", id: null, number: 102, name: "wrong-shape", message: "The message is malformed." },
    ),
  );
  await assert.rejects(host.extract(SNAPSHOT, NO_PROGRESS), { number: 102, phrase: ["error_misunderstood"] });
});

test("browsers' words for a host that does not answer are understood", () => {
  assert.equal(failureOf("Specified native messaging host not found."), "missing");
  assert.equal(failureOf("No such native application org.sitestencil.host"), "missing");
  assert.equal(failureOf("Access to the specified native messaging host is forbidden."), "forbidden");
  assert.equal(failureOf("Native host has exited."), "exited");
  assert.equal(failureOf("An unexpected error occurred"), "exited");
  assert.equal(failureOf("Error when communicating with the native messaging host."), "garbled");
  assert.equal(failureOf("Native application tried to send a message of 2 bytes, which exceeds the limit of 1"), "garbled");
  assert.equal(failureOf(""), "lost");
});

/** @type {(part: number, parts: number, rest: object) => any} */
const resultPart = (part, parts, rest) => ({ type: "result", id: 1, part, parts, template: [], content_texts: [], ...rest });

test("parts make the result whatever their order, and a range that was cut is one again", () => {
  const parts = new Assembly();
  assert.equal(parts.add(resultPart(2, 2, { template: [[5, 7]], content_texts: [[2, 3]], summary: SUMMARY })), null);
  assert.deepEqual(parts.add(resultPart(1, 2, { template: [[0, 1], [2, 5]] })), {
    answer: { template: [[0, 1], [2, 7]], content_texts: [[2, 3]] },
    summary: SUMMARY,
  });
});

test("each part brings its own slice of the scores, and some bring none", () => {
  const parts = new Assembly();
  parts.add(resultPart(3, 3, { summary: SUMMARY }));
  parts.add(resultPart(2, 3, { scores: "AgM=" }));
  assert.deepEqual(parts.add(resultPart(1, 3, { scores: "AAE=" }))?.answer.scores, ["AAE=", "AgM="]);
});

test("a part that is none of them is refused, and a result without its summary", () => {
  assert.throws(() => new Assembly().add(resultPart(3, 2, {})), /Part 3 of 2/);
  assert.throws(() => new Assembly().add(resultPart(1, 1, {})), /no summary/);
});

test("joining does not change the parts", () => {
  const first = Object.freeze([/** @type {[number, number]} */ (Object.freeze([0, 1]))]);
  assert.deepEqual(joined([first, [[1, 2]]]), [[0, 2]]);
});

test("a page that the host asks for is loaded in the session, and answered by the host's own number", async () => {
  /** @type {any[]} */
  const answered = [];
  const { host, ports } = connect((message, port) => {
    const { type, id } = message;
    if (type === "hello") port.answer({ ...HELLO, id });
    if (type === "extract") port.answer({ type: "load", id, request: 3, url: "https://example.org/b", way: "session" });
    if (type === "page") {
      answered.push(message);
      port.answer({ type: "result", id, part: 1, parts: 1, template: [], content_texts: [], summary: SUMMARY });
    }
  });
  const load = async (/** @type {string} */ url) => ({ url, status: 200, content: "PGI+" });
  await host.extract(SNAPSHOT, { ...NO_PROGRESS, load });
  assert.equal(ports[0].heard[1].pages, "session");
  assert.deepEqual(answered, [{ type: "page", id: 2, request: 3, url: "https://example.org/b", status: 200, content: "PGI+" }]);
});

test("without leave, the host is not asked to load in the session, and what it asks for is not loaded", async () => {
  const { host, ports } = connect((message, port) => {
    const { type, id } = message;
    if (type === "hello") port.answer({ ...HELLO, id });
    if (type !== "extract") return;
    port.answer({ type: "load", id, request: 1, url: "https://example.org/b", way: "session" });
    port.answer({ type: "result", id, part: 1, parts: 1, template: [], content_texts: [], summary: SUMMARY });
  });
  await host.extract(SNAPSHOT, NO_PROGRESS);
  assert.deepEqual(ports[0].heard.map((/** @type {any} */ { type }) => type), ["hello", "extract"]);
  assert.equal(ports[0].heard[1].pages, undefined);
});
