import { type SpanAttributes, tracer } from './tracer';

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
