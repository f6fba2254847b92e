import { afterEach } from "node:test";
import { Host } from "../../extension/background/host.js";

export const HELLO = { type: "hello", protocol: 1, version: "1.2.3", detectors: [], default_detector: "temex" };
export const SUMMARY = { url: "https://example.org/", detector: "temex", elements: 9, candidates: [], pages_loaded: 3, timings_ms: {}, confidence: null, more_pages: null };
export const SNAPSHOT = '{"url":"https://example.org/"}';
export const NO_PROGRESS = { detector: null, onProgress: () => {}, signal: new AbortController().signal };

/** @type {Host | undefined} */
let host;
afterEach(() => host?.close());

/**
 * A browser with a host whose answers the test gives.
 * @param {(message: any, port: any) => void} onMessage
 */
export function connect(onMessage) {
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
