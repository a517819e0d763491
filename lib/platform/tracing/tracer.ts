import { once, setOnce } from '@/lib/platform/globals';

type SpanKind = 'server' | 'client' | 'producer' | 'consumer';
/** Names as in OpenTelemetry's semantic conventions. No value may be a secret, an address, or a raw URL. */
type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanStart {
  /** With a bounded number of values: it has templates, never ids. */
  name: string;
  kind: SpanKind;
  /** The traceparent of the span that caused this one; null starts a trace. */
  parent: string | null;
  attributes?: SpanAttributes;
}

export interface Span {
  /** The W3C trace context of this span, for what it causes. */
  readonly traceparent: string;
  readonly traceId: string;
  /** Ends the span. @param error marks it as failed */
  end(attributes?: SpanAttributes, error?: string): void;
}

export interface Tracer {
  start(span: SpanStart): Span;
}

/** Returns the tracer of this process; null while tracing is off. Callers then do nothing at all. */
export function tracer(): Tracer | null {
  return once<Tracer | null>('tracer', () => null);
}

/** Sets the tracer that both copies of lib/ use; undefined turns tracing off. */
export function setTracer(made: Tracer | undefined): void {
  setOnce('tracer', made);
}

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

/**
 * Adds a span for the time until a row is stored: it waits for its batch, and then for the commit. Returns `stored` itself while
 * tracing is off.
 *
 * @param name such as `store event`
 * @param parent the trace context of the request
 */
export function traceStoring<T>(
  name: string,
  parent: string | null,
  attributes: SpanAttributes,
  stored: Promise<T>,
): Promise<T> {
  const span = tracer()?.start({ name, kind: 'producer', parent, attributes });
  return span === undefined ? stored : stored.finally(() => span.end());
}
