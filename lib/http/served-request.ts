import type { ClientInfo } from '@/lib/platform/client-info';
import { isId } from '@/lib/platform/ids';
import { observeRequest } from '@/lib/platform/metrics';
import { logRequest } from '@/lib/platform/request-log';
import { readTraceparent, type Span, tracer } from '@/lib/platform/tracing/tracer';
import { VERBS, type Verb } from './table';

/** The part of a request that its metric, its log line and its span tell. */
interface RequestFacts {
  method: string;
  /** A path template. */
  route: string;
  params: Readonly<Record<string, string>>;
  requestId: string;
  client?: ClientInfo;
}

/** A request without a template of its own. A path is never shown: a client could create unlimited series. */
export const OTHER_ROUTE = '(other)';

export const TUNNEL_ROUTE = '/t/{token}';
/** The files of the build. */
export const BUILD_ROUTE = '/_next/{file}';

/** An invented verb must not become a label. */
export function knownVerb(method: string): string {
  return method === 'HEAD' || method === 'OPTIONS' || VERBS.includes(method as Verb) ? method : 'other';
}

/**
 * Begins the span of a request and notes its trace context in `client`. Returns null while tracing is off; the caller's
 * trace context is noted even then.
 */
export function startRequestSpan(facts: RequestFacts, header: (name: string) => string | null): Span | null {
  const parent = readTraceparent(header('traceparent'));
  const span =
    tracer()?.start({
      name: `${knownVerb(facts.method)} ${facts.route}`,
      kind: 'server',
      parent,
      attributes: { 'http.request.method': knownVerb(facts.method), 'http.route': facts.route },
    }) ?? null;
  if (facts.client !== undefined && (parent !== null || span !== null)) {
    facts.client.traceparent = span?.traceparent ?? parent;
  }
  return span;
}

/**
 * Logs a request, counts it, and ends its span.
 *
 * @param startedAt by performance.now()
 * @param hasMetric false for requests whose duration and status are not ours, such as those of tunnels
 */
export function finishRequest(
  facts: RequestFacts,
  status: number,
  startedAt: number,
  span: Span | null,
  hasMetric = true,
): void {
  const { route, requestId } = facts;
  const durationMs = performance.now() - startedAt;
  const method = knownVerb(facts.method);
  if (hasMetric) observeRequest({ method, route, status }, durationMs / 1000);
  const projectId = projectOf(facts);
  // They are most of the requests of a page, and say nothing about it.
  const isLogged = route !== BUILD_ROUTE || status >= 400;
  if (isLogged)
    logRequest({
      method,
      route,
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      requestId,
      ...(projectId === undefined ? {} : { projectId }),
      ...(span === null ? {} : { traceId: span.traceId }),
    });
  span?.end(
    { 'http.response.status_code': status, ...(projectId === undefined ? {} : { 'eds.project.id': projectId }) },
    status >= 500 ? `status ${status}` : undefined,
  );
}

/** What a client wrote instead of an id is not shown. */
function projectOf({ client, params }: RequestFacts): string | undefined {
  if (client?.projectId !== undefined) return client.projectId;
  const { projectId } = params;
  return projectId !== undefined && isId(projectId) ? projectId.toLowerCase() : undefined;
}
