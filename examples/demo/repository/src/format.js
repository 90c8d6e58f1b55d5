import { refund } from "./refund.js";

/** An amount as people read it. */
export function format(cents) {
  return `${refund(cents)} EUR`;
}
