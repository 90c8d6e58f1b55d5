/** The names of what can be swapped. A policy may use them whether or not this version has built them all. */

export const KNOWN_PHASES = ["select", "red", "fix", "direct"] as const;
export const KNOWN_STRATEGIES = ["red_green", "direct_execute"] as const;
export const KNOWN_GUARDS = [
  "syntax",
  "shadowing",
  "undefined_names",
  "existing_tests",
  "weakened_tests",
  "acceptance_criteria",
] as const;
export const KNOWN_RUNNERS = [
  "auto",
  "vitest",
  "jest",
  "mocha",
  "node-test",
  "pytest",
  "unittest",
  "go-test",
  "cargo-test",
  "rspec",
  "phpunit",
  "junit",
] as const;
