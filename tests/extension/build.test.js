import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, test } from "node:test";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OWN_PYTHON = join(ROOT, ".venv/bin/python");
const PYTHON = existsSync(OWN_PYTHON) ? OWN_PYTHON : "python3";
const output = mkdtempSync(join(tmpdir(), "sitestencil-build-"));
after(() => rmSync(output, { recursive: true }));

/** @param {string} folder */
function build(folder) {
  execFileSync(PYTHON, [join(ROOT, "manifest/build.py"), "--output", join(output, folder)]);
  return join(output, folder);
}

/** @param {string} path */
const json = (path) => JSON.parse(readFileSync(path, "utf8"));

const first = build("first");
const chromium = json(join(first, "chromium/manifest.json"));
const firefox = json(join(first, "firefox/manifest.json"));

test("the extension asks for four permissions, and for no host before the person allows it", () => {
  for (const manifest of [chromium, firefox]) {
    assert.deepEqual(manifest.permissions, ["activeTab", "scripting", "nativeMessaging", "storage"]);
    assert.deepEqual(Object.keys(manifest).filter((key) => /host_permissions|content_scripts|web_accessible/.test(key)), ["optional_host_permissions"]);
    assert.deepEqual(manifest.optional_host_permissions, ["http://*/*", "https://*/*"]);
  }
});

test("each browser gets its own background and nothing of the other's", () => {
  assert.deepEqual(chromium.background, { type: "module", service_worker: "background/main.js" });
  assert.deepEqual(firefox.background, { type: "module", scripts: ["background/main.js"] });
  assert.equal(firefox.key, undefined);
  assert.equal(chromium.browser_specific_settings, undefined);
});

test("the id that Chromium makes of the key, and Firefox's, are those the host manifests allow", () => {
  const digest = createHash("sha256").update(Buffer.from(chromium.key, "base64")).digest("hex").slice(0, 32);
  const id = [...digest].map((digit) => "abcdefghijklmnop"[parseInt(digit, 16)]).join("");
  assert.deepEqual(json(join(ROOT, "manifest/host/chromium.json")).allowed_origins, [`chrome-extension://${id}/`]);
  assert.deepEqual(json(join(ROOT, "manifest/host/firefox.json")).allowed_extensions, [firefox.browser_specific_settings.gecko.id]);
});

test("every file that the manifests, the pages and the background name is there", () => {
  const names = JSON.stringify([chromium, firefox]).match(/[a-z]+\/[\w-]+\.(js|png|html)/g) ?? [];
  const scripts = readFileSync(join(first, "chromium/background/main.js"), "utf8").match(/"\/[\w/]+\.js"/g) ?? [];
  assert.deepEqual(scripts, ['"/page.js"']);
  for (const name of [...names, "page.js", "page/view.css", "page/texts.css"]) assert.ok(existsSync(join(first, "firefox", name)), name);
});

test("the scripts for pages are one file: what they share first, and the answer last", () => {
  const joined = readFileSync(join(first, "chromium/page.js"), "utf8");
  const names = readdirSync(join(ROOT, "extension/page")).filter((name) => name.endsWith(".js"));
  const parts = names.map((name) => readFileSync(join(ROOT, "extension/page", name), "utf8"));
  assert.deepEqual(parts.filter((part) => !joined.includes(part)), []);
  assert.deepEqual([...joined.matchAll(/^sitestencil\.(\w+) \?\?=/gm)].map(([, name]) => `${name}.js`).sort(), names.sort());
  assert.ok(joined.startsWith(readFileSync(join(ROOT, "extension/page/dom.js"), "utf8")));
  assert.match(joined, /\nsitestencil\.main\.arrive\(\);\n$/);
});

test("the background is one file, which holds all its modules and imports none", () => {
  const joined = readFileSync(join(first, "firefox/background/main.js"), "utf8");
  assert.doesNotMatch(joined, /^(import|export)\b/m);
  assert.match(joined, /^const \$background_main_js = /m);
  for (const name of readdirSync(join(ROOT, "extension/background"))) {
    const variable = `$background_${name.replace(/\W/g, "_")}`;
    assert.equal(joined.split(`const ${variable} = `).length, 2, name);
  }
  execFileSync(process.execPath, ["--check", join(first, "firefox/background/main.js")]);
});

test("a module goes into the package apart only where a page of the extension imports it, too", () => {
  const folder = join(first, "chromium");
  const packed = readdirSync(join(folder, "background"));
  const imported = readdirSync(join(folder, "pages")).filter((name) => name.endsWith(".js"));
  const texts = [...imported.map((name) => `pages/${name}`), ...packed.map((name) => `background/${name}`)]
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
  for (const name of packed) assert.ok(name === "main.js" || texts.includes(`/${name}"`), name);
  for (const [, path] of texts.matchAll(/^import .*"\.\.\/([\w/]+\.js)"/gm)) assert.ok(existsSync(join(folder, path)), path);
});

test("the packages are the same bytes whenever they are built, and the store's has no key", () => {
  const second = build("second");
  const packages = readdirSync(first).filter((name) => name.endsWith(".zip"));
  assert.deepEqual(packages, ["chromium", "firefox"].map((browser) => `sitestencil-${browser}-${chromium.version}.zip`));
  for (const name of packages) {
    const bytes = readFileSync(join(first, name));
    assert.ok(bytes.equals(readFileSync(join(second, name))), name);
    assert.ok(bytes.includes('"manifest_version": 3') && !bytes.includes('"key"'), name);
  }
});

test("only what the browser runs is packed", () => {
  const kinds = new Set(readdirSync(join(first, "chromium"), { recursive: true }).map((name) => /\.\w+$/.exec(String(name))?.[0]));
  assert.deepEqual(kinds, new Set([undefined, ".js", ".json", ".html", ".css", ".png"]));
});
