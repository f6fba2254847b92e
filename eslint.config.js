import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["dist/", "out/", "node_modules/", ".venv/", "docs/", "demo/", "research/", "examples/", "src/", "host/", "tests/browsers/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-var": "error",
      "prefer-const": "error",
      "object-shorthand": "error",
      "no-eval": "error",
      "max-lines": ["error", { max: 300 }],
    },
  },
  {
    files: ["extension/**/*.js"],
    languageOptions: { globals: { ...globals.browser, browser: "readonly" } },
    rules: { "no-restricted-properties": ["error", { property: "innerHTML" }, { property: "outerHTML" }] },
  },
  {
    // What may be stored, and what of a private window, is decided in one place.
    files: ["extension/background/**/*.js", "extension/page/**/*.js"],
    ignores: ["extension/background/memory.js"],
    rules: { "no-restricted-properties": ["error", { property: "innerHTML" }, { property: "outerHTML" }, { property: "storage" }] },
  },
  {
    files: ["extension/page/**/*.js"],
    languageOptions: { sourceType: "script", globals: { sitestencil: "readonly" } },
  },
  {
    files: ["tests/extension/**/*.js", "eslint.config.js"],
    languageOptions: { globals: globals.nodeBuiltin },
  },
];
