/** A W3C trace context: version 00, trace id, id of the parent span, flags. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** A version that is newer than 00 may have more fields, which are dropped. */
const NEWER = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})(?:-|$)/;

/**
 * Reads the header `traceparent` (https://www.w3.org/TR/trace-context). Returns it in version 00; null when it is missing or
 * invalid, as if it had not been sent.
 */
export function readTraceparent(header: string | null): string | null {
  if (header === null) return null;
  if (TRACEPARENT.test(header)) return header;
  const newer = NEWER.exec(header);
  const asKnown = newer === null ? null : `00-${newer[1]}`;
  return asKnown !== null && TRACEPARENT.test(asKnown) ? asKnown : null;
}
