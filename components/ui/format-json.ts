import { measureJson } from '@/lib/platform/json-depth-policy';

const MAX_STRINGIFY_DEPTH = 1_000;
const MAX_INDENTED_DEPTH = 50;
const MAX_INDENTED_CHARS = 1_000_000;
const INDENT = 2;

/**
 * Formats JSON on one line. Describes values whose nesting would overflow the stack in JSON.stringify, so that no sender
 * can break the page of an event.
 */
export function compactJson(value: unknown): string {
  const { depth } = measureJson(value, INDENT);
  return depth > MAX_STRINGIFY_DEPTH ? `(nested ${depth} levels deep, too deep to display)` : JSON.stringify(value);
}

/** Formats JSON with indentation, or on one line when indenting would multiply its size. */
export function prettyJson(value: unknown): string {
  const { depth, indentChars } = measureJson(value, INDENT);
  const isSmall = depth <= MAX_INDENTED_DEPTH && indentChars <= MAX_INDENTED_CHARS;
  return isSmall ? JSON.stringify(value, null, INDENT) : compactJson(value);
}
