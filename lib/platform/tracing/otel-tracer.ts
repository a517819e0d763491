import {
  type Context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { MINUTE_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import manifest from '@/package.json' with { type: 'json' };
import type { Span, Tracer } from './tracer';

/*
 * The only module that loads OpenTelemetry; start-tracing.ts imports it when tracing is on. The tracer is not registered as the
 * global one: Next would add spans with raw URLs.
 */

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

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
export function makeOtelTracer(part: string): OtelTracer {
  logFaults();
  const own = resourceFromAttributes({
    'service.name': `event-delivery-${part}`,
    'service.version': manifest.version,
    'eds.part': part,
  });
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new BasicTracerProvider({ resource, spanProcessors });
  const otel = provider.getTracer('event-delivery-service', manifest.version);
  return {
    start: ({ name, kind, parent, attributes = {}, startedAtMs }) => {
      const options = {
        kind: KINDS[kind],
        attributes,
        ...(startedAtMs === undefined ? {} : { startTime: startedAtMs }),
      };
      return toSpan(otel.startSpan(name, options, contextOf(parent)));
    },
    close: () => provider.shutdown(),
  };
}

function toSpan(span: OtelSpan): Span {
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
function contextOf(traceparent: string | null): Context {
  if (traceparent === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...{ traceId, spanId, isRemote: true },
    traceFlags: Number.parseInt(flags, 16) & 1,
  });
}

/** Logs faults of the SDK, such as an unreachable collector, at most once a minute: each failed batch is one. */
function logFaults(): void {
  let nextAt = 0;
  const warn = (reason: string) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + MINUTE_MS;
    log().warn({ reason: reason.slice(0, 500) }, 'spans could not be exported; they are lost');
  };
  const nothing = () => undefined;
  diag.setLogger({ error: warn, warn, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.WARN);
}
