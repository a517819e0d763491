import { AppError } from '@/lib/platform/errors';
import type { Answer } from './answer';
import { toProblem } from './problem';
import type { ApiRequest } from './request';
import type { PathEntry, Verb } from './table';

/** Headers of every answer under /api: nothing here is a page, nothing may be cached or framed. */
export const API_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** An answer ready to be written by an adapter. */
export interface FinishedAnswer {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  content: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** Serves a request to a path of the table: HEAD as GET without its body, OPTIONS and unknown verbs by the table. */
export async function dispatch(entry: PathEntry, request: ApiRequest): Promise<FinishedAnswer> {
  const verb = request.method === 'HEAD' ? 'GET' : request.method;
  const definition = entry[verb as Verb];
  if (definition !== undefined && Object.hasOwn(entry, verb)) {
    const finished = finish(await definition.serve(request), request.requestId);
    return request.method === 'HEAD' ? { ...finished, content: null } : finished;
  }
  const headers = { Allow: allowed(entry) };
  if (request.method === 'OPTIONS') return finish({ status: 204, headers }, request.requestId);
  const refusal = new AppError('method_not_allowed', `This path answers ${headers.Allow}.`, { headers });
  return finish(toProblem(refusal, request.requestId), request.requestId);
}

/** The answer to a path that is in no table. */
export function dispatchUnknown(requestId: string): FinishedAnswer {
  return finish(toProblem(new AppError('not_found', 'There is nothing at this path.'), requestId), requestId);
}

function allowed(entry: PathEntry): string {
  const verbs = Object.keys(entry);
  return [...verbs, ...(verbs.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/** Adds what every answer carries and turns its body into text. */
export function finish(answer: Answer, requestId: string): FinishedAnswer {
  const content = answer.raw?.content ?? (answer.body === undefined ? null : JSON.stringify(answer.body));
  const contentType = answer.raw?.contentType ?? (answer.body === undefined ? undefined : 'application/json');
  return {
    status: answer.status,
    headers: {
      ...API_HEADERS,
      'X-Request-Id': requestId,
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      ...answer.headers,
    },
    cookies: answer.cookies ?? [],
    content,
  };
}
