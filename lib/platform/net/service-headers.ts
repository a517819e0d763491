/** What a forward of an incoming event adds for its receiver (docs/specification.md#incoming-events). */
const OF_FORWARDS = new Set(['x-eds-source-id', 'x-eds-incoming-event-id', 'x-eds-via']);

/** Whether a header is internal: it passes facts and proofs between parts of the service. @param lower its name in lower case */
export function isInternalHeader(lower: string): boolean {
  return lower.startsWith('x-eds-') && !OF_FORWARDS.has(lower);
}
