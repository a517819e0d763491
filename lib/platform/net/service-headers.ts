import { VIA_HEADER } from './via';

/** What a delivery adds for its receiver (docs/specification.md#deliveries). A local server that forwards it must forward its hops. */
const OF_DELIVERIES = new Set(['x-eds-source-id', 'x-eds-incoming-event-id', VIA_HEADER]);

/** Whether a header is internal: it passes facts and proofs between parts of the service. @param lower its name in lower case */
export function isInternalHeader(lower: string): boolean {
  return lower.startsWith('x-eds-') && !OF_DELIVERIES.has(lower);
}
