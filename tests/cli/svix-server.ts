import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** Endpoints and applications as the API of Svix describes them; tests put anything else into them too. */
export interface SvixEndpoint {
  id: string;
  url?: unknown;
  uid?: unknown;
  secret?: unknown;
  headers?: unknown;
  sensitive?: unknown;
  transformation?: object;
  [field: string]: unknown;
}
export interface SvixApplication {
  id: string;
  uid?: unknown;
  name?: unknown;
  metadata?: unknown;
  endpoints: SvixEndpoint[];
  [field: string]: unknown;
}

/** A secret as Svix makes them. */
export const SVIX_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

export function svixEndpoint(id: string, more: Partial<SvixEndpoint> = {}): SvixEndpoint {
  const url = `https://${id.replaceAll('_', '-')}.example.com/hooks`;
  return { id, url, description: '', metadata: {}, secret: SVIX_SECRET, ...more };
}

export function svixApplication(
  id: string,
  endpoints: SvixEndpoint[],
  more: Partial<SvixApplication> = {},
): SvixApplication {
  return { id, name: `Name of ${id}`, metadata: {}, endpoints, ...more };
}

export type Fault = (path: string, response: ServerResponse, message: IncomingMessage) => boolean;

export const SVIX_TOKEN = 'testsk_stand-in.eu';

/** A stand-in for a Svix server, made from the description of its API. */
export interface SvixServer {
  url(): string;
  applications: SvixApplication[];
  eventTypes: { name: string; [field: string]: unknown }[];
  pageSize: number;
  /** Paths of the requests, in order. */
  readonly requests: string[];
  /** Answers in place of the server, if it returns true. */
  fault: Fault;
}

/** Starts it for the tests of a file; each test begins with an empty one. */
export function useSvixServer(): SvixServer {
  let server: Server;
  const stand: SvixServer = {
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    applications: [],
    eventTypes: [],
    pageSize: 250,
    requests: [],
    fault: () => false,
  };
  beforeAll(async () => {
    server = http.createServer((message, response) => {
      const url = new URL(message.url ?? '/', 'http://localhost');
      stand.requests.push(url.pathname + url.search);
      message.resume();
      if (stand.fault(url.pathname, response, message)) return;
      if (message.headers.authorization !== `Bearer ${SVIX_TOKEN}`) return problem(response, 401);
      const body = answerTo(stand, url);
      if (body === null) problem(response, 404);
      else sendJson(response, body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    Object.assign(stand, { applications: [], eventTypes: [], pageSize: 250, fault: () => false });
    stand.requests.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return stand;
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}

function problem(response: ServerResponse, status: number): void {
  sendJson(response, { code: 'error', detail: 'An error of the stand-in' }, status);
}

/** Returns the answer to a request; null for 404. */
function answerTo(stand: SvixServer, url: URL): object | null {
  const [, , , kind, appId, part, endpointId, of] = url.pathname.split('/').map(decodeURIComponent);
  const page = (rows: { id: string }[]) => pageOf(rows, url.searchParams, stand.pageSize);
  if (kind === 'event-type') return page(stand.eventTypes.map((type) => ({ id: type.name, ...type })));
  if (kind !== 'app') return null;
  if (appId === undefined) return page(stand.applications.map(withoutEndpoints));
  const application = stand.applications.find(({ id, uid }) => id === appId || uid === appId);
  if (application === undefined || part === undefined) return application ? withoutEndpoints(application) : null;
  if (endpointId === undefined) return page(application.endpoints.map(withoutSecrets));
  const endpoint = application.endpoints.find(({ id }) => id === endpointId);
  if (endpoint === undefined) return null;
  const { secret, headers = {}, sensitive = [], transformation = null } = endpoint;
  if (of === 'secret') return { key: secret };
  if (of === 'headers') return { headers, sensitive };
  return of === 'transformation' ? transformation : null;
}

const withoutEndpoints = ({ endpoints: _, ...application }: SvixApplication) => application;
const withoutSecrets = ({ secret: _s, headers: _h, sensitive: _n, transformation: _t, ...endpoint }: SvixEndpoint) =>
  endpoint;

function pageOf(rows: { id: string }[], query: URLSearchParams, most: number) {
  const size = Math.min(most, Number(query.get('limit') ?? 50));
  const after = query.get('iterator');
  const start = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1;
  const data = rows.slice(start, start + size);
  return { data, iterator: data.at(-1)?.id ?? null, prevIterator: null, done: start + size >= rows.length };
}
