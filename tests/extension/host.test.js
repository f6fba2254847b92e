import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf } from "../../extension/background/browser.js";
import { HostError } from "../../extension/background/errors.js";
import { Host } from "../../extension/background/host.js";
import { STANDARD } from "../../extension/background/saving.js";
import { HELLO, NO_PROGRESS, SNAPSHOT, SUMMARY, connect } from "./host.js";

test("the handshake comes first, names the protocol, and happens once for all requests", async () => {
  const { host, ports } = connect((message, port) => port.answer({ ...HELLO, id: message.id }));
  assert.equal((await host.hello()).version, "1.2.3");
  await host.hello();
  assert.equal(ports.length, 1);
  assert.deepEqual(ports[0].heard, [{ id: 1, type: "hello", protocol: 1, client: "sitestencil-extension 0.1.0" }]);
});

test("what a newer host says beyond what is known is passed over", async () => {
  const { host } = connect((message, port) => {
    const { id } = message;
    if (message.type === "hello") return port.answer({ ...HELLO, id, moods: ["good"] });
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
    if (message.type === "hello") return port.answer({ ...HELLO, id });
    port.answer({ type: "saved", id, part: 1, parts: 2, text: "<p>" });
    return port.answer({ type: "saved", id, part: 2, parts: 2, text: "x" });
  });
  assert.deepEqual(await host.save(SNAPSHOT, STANDARD), ["<p>", "x"]);
  assert.deepEqual(ports[0].heard.at(-1), { type: "save", id: 2, choices: STANDARD, part: 1, parts: 1, text: SNAPSHOT });
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

test("an error is told in the person's language, and the host's own words of it are for the report", () => {
  const error = { type: /** @type {const} */ ("error"), id: 2, number: 304, name: "unknown-detector", message: "Unknown.", detail: "There are: temex." };
  const { phrase, detail } = HostError.answered(error);
  assert.deepEqual(phrase, ["error_unknown_detector"]);
  assert.equal(detail, "304 unknown-detector: There are: temex.");
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

test("a host that ends before the handshake, twice, could not be started, whether the browser says so or not", async () => {
  const { host, ports } = connect((_, port) => port.drop());
  await assert.rejects(host.hello(), { kind: "exited", needsHelp: true });
  assert.equal(ports.length, 2);
});

test("a host that was killed before its first word is started once more, and nobody hears of it", async () => {
  const { host, ports } = connect((message, port) => (ports.length === 1 ? port.drop() : port.answer({ ...HELLO, id: message.id })));
  const first = host.hello();
  while (ports.length < 2) await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual((await Promise.all([first, host.hello()])).map(({ version }) => version), ["1.2.3", "1.2.3"]);
  assert.equal(ports.length, 2);
});

test("the host is sent a page as its JSON, a long one in parts", async () => {
  const { host, ports } = connect((message, port) => {
    const { id } = message;
    if (message.type === "hello") return port.answer({ ...HELLO, id });
    if (message.part < message.parts) return undefined;
    return port.answer({ type: "saved", id, part: 1, parts: 1, text: "<p>" });
  });
  const long = JSON.stringify({ url: "https://example.org/", text: "\u{1f600}".repeat(600_000) });
  await host.save(SNAPSHOT, STANDARD);
  await host.save(long, STANDARD);
  const [, short, ...parts] = ports[0].heard;
  assert.deepEqual(short, { type: "save", id: 2, choices: STANDARD, part: 1, parts: 1, text: SNAPSHOT });
  assert.deepEqual(parts.map((/** @type {any} */ { part, parts: count }) => [part, count]), [[1, 3], [2, 3], [3, 3]]);
  assert.ok(parts.every((/** @type {any} */ { text }) => text.isWellFormed()));
  assert.equal(parts.map((/** @type {any} */ { text }) => text).join(""), long);
});

test("early answers come whole, and one that breaks off is forgotten", async () => {
  const { host } = connect((message, port) => {
    const { id } = message;
    if (message.type === "hello") return port.answer({ ...HELLO, id });
    const early = (/** @type {number} */ part, /** @type {any} */ rest) => port.answer({ type: "early_result", id, part, parts: 2, content_texts: [], ...rest });
    early(1, { template: [[0, 1]] });
    early(2, { template: [[1, 2]], summary: SUMMARY });
    early(1, { template: [[0, 7]] });
    early(1, { template: [[0, 3]] });
    early(2, { template: [[3, 4]], summary: SUMMARY });
    early(1, { template: [[0, 8]] });
    return port.answer({ type: "result", id, part: 1, parts: 1, template: [[0, 5]], content_texts: [], summary: SUMMARY });
  });
  /** @type {any[]} */
  const early = [];
  const { answer } = await host.extract(SNAPSHOT, { ...NO_PROGRESS, onEarly: ({ answer: { template } }) => void early.push(template) });
  assert.deepEqual([early, answer.template], [[[[0, 2]], [[0, 4]]], [[0, 5]]]);
});

test("the host is told a web page's address right after the first word, and of no other page", async () => {
  const { host, ports } = connect((message, port) => message.type === "hello" && port.answer({ ...HELLO, id: message.id }));
  const woken = host.wake("https://example.org/a");
  assert.deepEqual(ports[0].heard.slice(1), [{ type: "prepare", id: 2, url: "https://example.org/a" }]);
  await woken;
  await host.wake("file:///etc/passwd");
  await host.wake();
  assert.equal(ports[0].heard.length, 2);
});

test("the host is kept while the next click is likely, and not for ever", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let likely = true;
  const { host, ports } = connect((message, port) => port.answer({ ...HELLO, id: message.id }));
  const kept = new Host(async () => likely);
  const passes = async (/** @type {number} */ seconds) => {
    for (let second = 0; second < seconds; second++) {
      context.mock.timers.tick(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const said = kept.hello();
  await passes(1);
  await said;
  await passes(60);
  assert.equal(ports[0].closed, false);
  likely = false;
  await passes(11);
  assert.equal(ports[0].closed, true);
  likely = true;
  const again = kept.hello();
  await passes(1);
  await again;
  await passes(200);
  assert.equal(ports[1].closed, true);
  host.close();
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
