import { HOP_BY_HOP_HEADERS, isSetByProxies } from '@/lib/platform/net/header-pairs';

/*
 * A custom header must not change the framing or the host of a request, nor what the service itself says about it. A
 * hop-by-hop header would also be consumed by a proxy in front of the receiver.
 */
const RESERVED_HEADERS = [
  ...HOP_BY_HOP_HEADERS,
  'host',
  'content-length',
  'expect',
  'content-type',
  'content-encoding',
  'accept-encoding',
  'cookie',
  'set-cookie',
  'via',
  'date',
  // An event keeps the trace of its sender, and a forward continues it: it would replace the credential.
  'traceparent',
  'tracestate',
];
const RESERVED_PREFIXES = ['webhook-', 'x-eds-', 'sec-', 'proxy-'];

/** Whether a destination may not set a header of this name. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    RESERVED_HEADERS.includes(lower) ||
    RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix)) ||
    isSetByProxies(name)
  );
}
