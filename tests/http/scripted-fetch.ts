/** A request as a scripted fetch receives it. */
export interface ScriptedRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string | undefined;
}

/** What a scripted fetch does with a request: it answers, fails, or never answers. */
export type Step = Response | Error | 'never';

/** Returns a fetch that takes one step for each request, and repeats the last one. It keeps the requests. */
export function scriptedFetch(...steps: Step[]): { fetch: typeof fetch; requests: ScriptedRequest[] } {
  const requests: ScriptedRequest[] = [];
  const scripted = async (url: string | URL | Request, init: RequestInit = {}) => {
    const body = init.body as string | undefined;
    requests.push({ url: String(url), method: init.method ?? 'GET', headers: new Headers(init.headers), body });
    const step = steps[Math.min(requests.length, steps.length) - 1];
    if (step instanceof Response) return step.clone();
    if (step instanceof Error) throw step;
    return new Promise<Response>(() => {});
  };
  return { fetch: scripted as typeof fetch, requests };
}

/** A JSON response. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A problem document. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { code, detail: 'Not now.', status, requestId: 'request-1' }, headers);

/** The error of fetch for a fault of the network with this system code. */
export const fault = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
