import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '@/tests/http/listen';

type Attributes = Record<string, string | number | boolean>;

/** A span that was exported. */
export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  /** 2 for an error. */
  status: { code?: number; message?: string };
  attributes: Attributes;
  /** The attributes of the process that sent it. */
  resource: Attributes;
}

type OtlpAttributes = { key: string; value: Record<string, string | number | boolean> }[];
interface OtlpExport {
  resourceSpans: {
    resource: { attributes: OtlpAttributes };
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes' | 'resource'> & { attributes: OtlpAttributes })[] }[];
  }[];
}

/** A collector of traces: a server of OTLP/HTTP in JSON, as the specification of OpenTelemetry describes it. */
export interface TraceCollector {
  url: string;
  spans: CollectedSpan[];
  /** The headers of the last export. */
  headers(): Record<string, unknown>;
}

/** Starts a collector; it stops after the test. It refuses what is not OTLP in JSON with 415. */
export async function startCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let last: Record<string, unknown> = {};
  const server = createServer(async (request, response) => {
    const isTraces = request.method === 'POST' && request.url === '/v1/traces';
    if (!isTraces || request.headers['content-type'] !== 'application/json') return response.writeHead(415).end();
    last = request.headers;
    const { resourceSpans } = (await json(request)) as OtlpExport;
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({
          ...span,
          attributes: toRecord(span.attributes),
          resource: toRecord(resource.attributes),
        });
      }
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { url: await listen(server), spans, headers: () => last };
}

function toRecord(attributes: OtlpAttributes): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
}
