import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '@/lib/keys/key-format';
import { atPace } from './pace.mjs';

/** What an attacker has: an account with an organization, and strangers' access to everything public. */
export interface Attacker {
  port: number;
  bearer: string;
  organizationId: string;
  projectId: string;
  /** A key that may write, and one that may only read. */
  key: string;
  readKey: string;
  /** Paths of sources, such as `/api/v1/ingress/…`. */
  ingressPaths: string[];
  /** A source with hundreds of destinations, and an incoming event of it. */
  fanOutEventId: string;
  /** Paths of resources that show as much as they may. */
  largeIncomingEvents: string[];
  largeAttempts: string[];
  largeEvents: string[];
  endpointId: string;
  tunnelIds: string[];
  tunnelPaths: string[];
  /** Accounts of their own. */
  others: OtherOwner[];
}

/** A reader of a project whose resources are as large as they may be. */
export interface OtherOwner {
  projectId: string;
  readKey: string;
  sourceId: string;
}

export type Count = (status: number | string) => void;
export type Attack = (attacker: Attacker, end: number, count: Count) => Promise<unknown>;

/** Attackers are in another network than the bystander. */
const ADDRESS = '198.51.100.7';
export const FROM = `X-Forwarded-For: ${ADDRESS}`;

type Credential = 'bearer' | 'readKey' | 'key' | 'invented' | 'none';
type Body = string | Uint8Array<ArrayBuffer>;

/** The requests of an attack: its `index`th has the `index`th path, in turn, see `pathOf`. */
export interface Requests {
  credential: Credential;
  paths: string | readonly string[];
  /** Without one, the requests are reads. */
  body?: Body | ((index: number) => Body) | undefined;
  headersOf?: ((index: number) => Record<string, string>) | undefined;
}

/** Fills a template of a path: names in braces stand for ids of the attacker, and for its sources and tunnels in turn. */
export function pathOf(template: string, attacker: Attacker, index: number): string {
  const { projectId, organizationId, fanOutEventId, endpointId, ingressPaths, tunnelPaths } = attacker;
  const inTurn = (paths: readonly string[]) => paths[index % paths.length];
  const values: Record<string, string | undefined> = {
    projectId,
    organizationId,
    fanOutEventId,
    endpointId,
    ingressPath: inTurn(ingressPaths),
    tunnelPath: inTurn(tunnelPaths),
    largeIncomingEvent: inTurn(attacker.largeIncomingEvents),
    largeAttempt: inTurn(attacker.largeAttempts),
    largeEvent: inTurn(attacker.largeEvents),
  };
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/** Keeps a number of requests under way. */
export function inFlight(
  count: number,
  credential: Credential,
  paths: string | readonly string[],
  body?: Requests['body'],
  headersOf?: Requests['headersOf'],
): Attack {
  return (attacker, end, note) => {
    let index = 0;
    const requests = { credential, paths, body, headersOf };
    return repeat(count, end, () => request(attacker, requests, index++, note));
  };
}

/** Keeps a number of reads under way, for each of the other owners, of paths in their projects. Ids of their sources replace `{sourceId}`. */
export function readByOthers(count: number, ...paths: string[]): Attack {
  return (attacker, end, note) =>
    Promise.all(
      attacker.others.map(({ projectId, readKey, sourceId }) => {
        const ofOwner = paths.map((path) => `/api/v1/projects/{projectId}/${path.replace('{sourceId}', sourceId)}`);
        return inFlight(count, 'readKey', ofOwner)({ ...attacker, projectId, readKey }, end, note);
      }),
    );
}

/** Starts requests at a fixed rate. */
export function paced(perSecond: number, credential: Credential, paths: string, body?: string): Attack {
  return (attacker, end, count) =>
    atPace(perSecond, end - performance.now(), (index) => request(attacker, { credential, paths, body }, index, count));
}

/** Lets so many workers repeat work until the end. */
export async function repeat(workers: number, end: number, work: () => Promise<void>): Promise<void> {
  const run = async () => {
    while (performance.now() < end) await work();
  };
  await Promise.all(Array.from({ length: workers }, run));
}

/** Makes a request and counts its status. */
export async function request(
  attacker: Attacker,
  { credential, paths, body: bodyOf, headersOf }: Requests,
  index: number,
  count: Count,
  timeoutMs = 30_000,
): Promise<void> {
  const template = typeof paths === 'string' ? paths : (paths[index % paths.length] ?? '');
  const url = `http://127.0.0.1:${attacker.port}${pathOf(template, attacker, index)}`;
  const body = typeof bodyOf === 'function' ? bodyOf(index) : bodyOf;
  const headers: Record<string, string> = { 'X-Forwarded-For': ADDRESS, ...headersOf?.(index) };
  if (credential === 'bearer') headers.Authorization = `Bearer ${attacker.bearer}`;
  else if (credential === 'invented') headers['X-API-Key'] = makeKey();
  else if (credential !== 'none') headers['X-API-Key'] = attacker[credential];
  if (body !== undefined && body !== '') headers['Content-Type'] = 'application/json';
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))),
    });
    await response.arrayBuffer();
    count(response.status);
    // A client that is told to wait waits at least a little.
    if (response.status >= 400) await sleep(50);
  } catch {
    count('failed');
    await sleep(50);
  }
}
