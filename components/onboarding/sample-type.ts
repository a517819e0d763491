/** Returns an event type that a subscription's pattern matches, so that the sample event has an endpoint. */
export function sampleType(pattern: string): string {
  if (pattern === '*' || pattern === 'order.*') return 'order.paid';
  return pattern.endsWith('.*') ? `${pattern.slice(0, -1)}created` : pattern;
}
