import { once, setOnce } from '@/lib/platform/globals';

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';
/** Names as in OpenTelemetry's semantic conventions. No value may be a secret, an address, or a raw URL. */
export type SpanAttributes = Record<string, string | number | boolean>;

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
