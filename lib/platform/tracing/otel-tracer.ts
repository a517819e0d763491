import type { Context, Span as OtelSpan } from '@opentelemetry/api';
import { MINUTE_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import manifest from '@/package.json' with { type: 'json' };
import type { Span, SpanStart, Tracer } from './tracer';

/*
 * The only module that loads OpenTelemetry, with `await import`: a bundle would load what `import` names at its start. The tracer
 * is not registered as the global one: Next would add spans with raw URLs.
 */

type Api = typeof import('@opentelemetry/api');

interface OtelTracer extends Tracer {
  /** Sends the spans that are still in memory. */
  close(): Promise<void>;
}

/**
 * Makes a tracer that sends its spans as OTLP/HTTP JSON, in batches of bounded size. The SDK reads the variables OTEL_*: where to
 * send, which share to sample, and the attributes of the resource.
 *
 * @param part the process, for its default service.name
 */
export async function makeOtelTracer(part: string): Promise<OtelTracer> {
  const [api, { OTLPTraceExporter }, resources, { BasicTracerProvider, BatchSpanProcessor }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  logFaults(api);
  const own = { 'service.name': `event-delivery-${part}`, 'service.version': manifest.version, 'eds.part': part };
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes(own))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new BasicTracerProvider({ resource, spanProcessors });
  const otel = provider.getTracer('event-delivery-service', manifest.version);
  return {
    start: ({ name, kind, parent, attributes = {} }) =>
      toSpan(api, otel.startSpan(name, { kind: kindOf(api, kind), attributes }, contextOf(api, parent))),
    close: () => provider.shutdown(),
  };
}

function kindOf({ SpanKind }: Api, kind: SpanStart['kind']) {
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    producer: SpanKind.PRODUCER,
    consumer: SpanKind.CONSUMER,
  };
  return kinds[kind];
}

function toSpan({ SpanStatusCode }: Api, span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    traceId,
    end: (attributes = {}, error) => {
      span.setAttributes(attributes);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end();
    },
  };
}

/** @param traceparent a valid one */
function contextOf({ ROOT_CONTEXT, trace }: Api, traceparent: string | null): Context {
  if (traceparent === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const isSampled = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, isRemote: true, traceFlags: isSampled });
}

/** Logs faults of the SDK, such as an unreachable collector, at most once a minute: each failed batch is one. */
function logFaults({ diag, DiagLogLevel }: Api): void {
  let nextAt = 0;
  const warn = (reason: string) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + MINUTE_MS;
    log().warn({ reason: reason.slice(0, 500) }, 'spans could not be exported; they are lost');
  };
  const nothing = () => undefined;
  diag.setLogger({ error: warn, warn, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.WARN);
}
