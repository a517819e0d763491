import http, { type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { sendJson } from './svix-server';

type Fields = Record<string, unknown>;

export const CONVOY_KEY = 'CO.stand-in';
export const CONVOY_PROJECT = '01HXPROJECT';
export const CONVOY_SECRET = 'a-secret-of-convoy';

/** A stand-in for a project of a Convoy server, made from the description of its API. */
export interface ConvoyServer {
  url(): string;
  project: Fields;
  endpoints: Fields[];
  subscriptions: Fields[];
  links: Fields[];
  eventTypes: Fields[];
  /** Filters by subscription; without any, the server knows no such call. */
  filters: Record<string, Fields[]> | null;
  pageSize: number;
  /** Answers in place of the server, if it returns true. */
  fault(path: string, response: ServerResponse): boolean;
}

/** Starts it for the tests of a file; each test begins with an empty one. */
export function useConvoyServer(): ConvoyServer {
  let server: Server;
  const empty = () => ({
    project: { uid: CONVOY_PROJECT, type: 'outgoing', config: null },
    endpoints: [],
    subscriptions: [],
    links: [],
    eventTypes: [],
    filters: null,
    pageSize: 100,
    fault: () => false,
  });
  const stand: ConvoyServer = {
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...empty(),
  };
  beforeAll(async () => {
    server = http.createServer((message, response) => {
      const url = new URL(message.url ?? '/', 'http://localhost');
      message.resume();
      if (stand.fault(url.pathname, response)) return;
      if (message.headers.authorization !== `Bearer ${CONVOY_KEY}`)
        return void sendJson(response, { status: false }, 401);
      const data = answerTo(stand, url);
      sendJson(response, { status: data !== undefined, message: '', data }, data === undefined ? 404 : 200);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => void Object.assign(stand, empty()));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return stand;
}

export function convoyEndpoint(uid: string, more: Fields = {}): Fields {
  const secrets = [
    { uid: 'old', value: 'older-secret-of-it', created_at: '2024-01-01T00:00:00Z', expires_at: '2024-02-01T00:00:00Z' },
  ];
  secrets.push({ uid: 'new', value: CONVOY_SECRET, created_at: '2024-01-15T00:00:00Z', expires_at: null as never });
  return {
    uid,
    url: `https://${uid.toLowerCase()}.example.com/`,
    name: uid,
    status: 'active',
    owner_id: 'acme',
    advanced_signatures: true,
    secrets,
    ...more,
  };
}

export function convoySubscription(
  endpoint: string,
  eventTypes: string[],
  filter: Fields = {},
  more: Fields = {},
): Fields {
  const uid = `sub_${endpoint}_${eventTypes.join('_')}`;
  return {
    uid,
    type: 'api',
    endpoint_metadata: { uid: endpoint },
    filter_config: { event_types: eventTypes, filter },
    ...more,
  };
}

function answerTo(stand: ConvoyServer, url: URL): unknown {
  const [, , , , project, kind, id, of] = url.pathname.split('/');
  if (project !== CONVOY_PROJECT) return undefined;
  if (kind === undefined) return stand.project;
  if (kind === 'event-types') return stand.eventTypes;
  if (kind === 'subscriptions' && of === 'filters')
    return stand.filters === null ? undefined : (stand.filters[id ?? ''] ?? []);
  const lists: Record<string, Fields[]> = {
    endpoints: stand.endpoints,
    subscriptions: stand.subscriptions,
    'portal-links': stand.links,
  };
  const rows = lists[kind];
  return rows === undefined || id !== undefined ? undefined : pageOf(rows, url.searchParams, stand.pageSize);
}

function pageOf(rows: Fields[], query: URLSearchParams, most: number) {
  const start = Number(query.get('next_page_cursor') ?? 0);
  const end = start + Math.min(most, Number(query.get('perPage') ?? 20));
  const pagination = { per_page: most, has_next_page: end < rows.length, next_page_cursor: String(end) };
  return { content: rows.slice(start, end), pagination };
}
