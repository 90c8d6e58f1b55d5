export { type BriefItem, openingMessages, sectionsOf } from "./brief.ts";
