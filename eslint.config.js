// Lint the scripts of the pages: every rule is on but those below, each with its reason.

import js from "@eslint/js";
import globals from "globals";

const off = [
  // A condition with its one short statement fits a line, as a choice between two values does.
  "curly",
  "no-ternary",
  "no-nested-ternary",
  "no-continue",
  "no-negated-condition",
  // Drawings are made of coordinates; times are named.
  "no-magic-numbers",
  "id-length",
  // What is defined stands in the order in which it is read: what a module offers first.
  "no-use-before-define",
  "one-var",
  "sort-keys",
  "sort-imports",
  "func-style",
  "init-declarations",
  // Comments are prose; TypeScript checks what is undefined.
  "capitalized-comments",
  "no-inline-comments",
  "no-undefined",
  "no-undef",
  "consistent-return",
  // The names in JSON are those of Python.
  "camelcase",
  // One algorithm is one file; a view that shows ten facts has ten conditions.
  "complexity",
  "max-lines",
  "max-lines-per-function",
  "max-statements",
  "max-classes-per-file",
  // Methods of one alphabet that another class gives a body.
  "class-methods-use-this",
  // `this` of a handler is what it was when the handler was made; the rule takes every field for a race.
  "require-atomic-updates",
  // Short destructuring hides where a value comes from.
  "prefer-destructuring",
  "prefer-named-capture-group",
  // The order of nodes and the pixels of a display come as bits.
  "no-bitwise",
];

export default [
  { ignores: [".*/", "node_modules/", "build/", "dist/", "firmware/gnomon_pi/**/bench/"] },
  { ...js.configs.all, languageOptions: { globals: globals.browser } },
  {
    rules: {
      ...Object.fromEntries(off.map((rule) => [rule, "off"])),
      "max-params": ["error", 5],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  {
    // Each is one expression, which Python hands to the browser.
    files: ["tests/web/*.js"],
    rules: { "no-unused-expressions": "off" },
  },
];
