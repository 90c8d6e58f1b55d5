import { total } from "./total.js";

/** An amount as people read it. */
export function format(cents) {
  return `${total(cents)} EUR`;
}
