import { randomUUID } from 'node:crypto';
import { fetchChecked } from './check-response';

/** The URL of the product under test. */
export const BASE_URL = process.env.E2E_BASE_URL ?? '';

/** The password of every test account. */
export const PASSWORD = 'correct horse battery';

/**
 * Calls the API, of the product under test unless told otherwise, and checks the response.
 * @throws Error with the problem document of an error response
 */
export async function callApi<T>(
  method: string,
  path: string,
  options: { token?: string; key?: string; body?: unknown; baseUrl?: string } = {},
): Promise<T> {
  const { token, key, body, baseUrl = BASE_URL } = options;
  const response = await fetchChecked(`${baseUrl}/api/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'X-API-Key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** A person with a project, a key, and an endpoint that gets all events. */
export interface Workspace {
  email: string;
  token: string;
  projectId: string;
  key: string;
  endpointId: string;
}

/** Makes a workspace through the API. */
export async function makeWorkspace(receiverUrl: string, baseUrl = BASE_URL): Promise<Workspace> {
  const email = `grace-${randomUUID()}@example.com`;
  const signedIn = await callApi<{ accessToken: string; organization: { id: string } }>('POST', '/auth/register', {
    baseUrl,
    body: { email, password: PASSWORD, name: 'Grace Hopper' },
  });
  const token = signedIn.accessToken;
  const make = <T>(path: string, body: unknown) => callApi<T>('POST', path, { baseUrl, token, body });
  const project = await make<{ id: string }>(`/orgs/${signedIn.organization.id}/projects`, { name: 'Web shop' });
  const { key } = await make<{ key: string }>(`/projects/${project.id}/api-keys`, { name: 'server' });
  const endpoint = await make<{ id: string }>(`/projects/${project.id}/endpoints`, { url: receiverUrl });
  await make(`/projects/${project.id}/subscriptions`, { endpointId: endpoint.id, eventType: '*' });
  return { email, token, projectId: project.id, key, endpointId: endpoint.id };
}
