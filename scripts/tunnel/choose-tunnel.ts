import os from 'node:os';
import { type Dispatcher, fetch, ProxyAgent } from 'undici';
import type { OwnKey } from '@/lib/keys/schema';
import type { Listing } from '@/lib/platform/pagination';
import { chooseProxy } from '@/lib/tunnel/client/proxy/choose-proxy';
import type { Tunnel } from '@/lib/tunnel/schema';

/** Where the API is, and the key that it is called with. */
export interface ApiAccess {
  url: string;
  key: string;
}

/**
 * Finds a tunnel in the project of the key, or the tunnel of this machine, which is created if it is missing.
 * @param tunnelId null for the tunnel of this machine
 * @throws Error with the detail of the problem that the API answered
 */
export async function chooseTunnel(
  api: ApiAccess,
  tunnelId: string | null,
): Promise<{ projectId: string; tunnel: Tunnel }> {
  const { project } = await call<OwnKey>(api, 'GET', '/key');
  const path = `/projects/${project.id}/tunnels`;
  if (tunnelId !== null)
    return { projectId: project.id, tunnel: await call<Tunnel>(api, 'GET', `${path}/${tunnelId}`) };
  const name = os.hostname().slice(0, 100) || 'tunnel';
  const { data } = await call<Listing<Tunnel>>(api, 'GET', `${path}?limit=100`);
  const own = data.find((each) => each.name === name);
  return { projectId: project.id, tunnel: own ?? (await call<Tunnel>(api, 'POST', path, { name })) };
}

async function call<T>({ url, key }: ApiAccess, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    ...through(url),
    method,
    headers: { 'X-API-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as T & { detail?: string };
  if (!response.ok) throw new Error(json.detail ?? `${method} ${path} answered ${response.status}`);
  return json;
}

/** Takes the same proxy as the client of the tunnel. */
function through(url: string): { dispatcher?: Dispatcher } {
  const proxy = chooseProxy(new URL(url), process.env);
  return proxy === null ? {} : { dispatcher: new ProxyAgent(proxy.href) };
}
