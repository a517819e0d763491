import type { Pool } from 'undici';
import { makeEndpointSecret, sealEndpointSecret } from '@/lib/delivery/credentials';
import { hintOf, makeKey } from '@/lib/keys/key-format';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';

export interface LoadedProject {
  projectId: string;
  key: string;
}

/** Inserts an organization with a project and an API key with write access. */
export async function seedProject(): Promise<LoadedProject> {
  const projectId = newId();
  const key = makeKey();
  await database().query(
    `WITH o AS (INSERT INTO organizations (id, name, updated_at) VALUES ($1, 'Bench', now()) RETURNING id),
          p AS (INSERT INTO projects (id, organization_id, name, updated_at) SELECT $2::uuid, id, 'Bench', now() FROM o RETURNING id)
     INSERT INTO api_keys (id, project_id, name, key_hash, hint) SELECT $3::uuid, id, 'bench', $4::bytea, $5 FROM p`,
    [newId(), projectId, newId(), sha256(key), hintOf(key)],
  );
  return { projectId, key };
}

/** Creates a project with a key, and for each URL an endpoint that is subscribed to every event type. */
export async function seedTenant(urls: readonly string[]): Promise<LoadedProject> {
  const project = await seedProject();
  const endpointIds = urls.map(newId);
  await database().query(
    `INSERT INTO endpoints (id, project_id, url, secret_encrypted)
     SELECT id, $1, url, secret FROM unnest($2::uuid[], $3::text[], $4::bytea[]) AS e(id, url, secret)`,
    [project.projectId, endpointIds, urls, urls.map(() => sealEndpointSecret(makeEndpointSecret()))],
  );
  await database().query(
    `INSERT INTO subscriptions (id, project_id, endpoint_id, event_type)
     SELECT id, $1, endpoint_id, '*' FROM unnest($2::uuid[], $3::uuid[]) AS s(id, endpoint_id)`,
    [project.projectId, urls.map(newId), endpointIds],
  );
  return project;
}

/** Creates for each local port a project with one endpoint. */
export async function seedTenants(ports: readonly number[]): Promise<LoadedProject[]> {
  const projects: LoadedProject[] = [];
  for (const port of ports) projects.push(await seedTenant([localWebhookUrl(port)]));
  return projects;
}

/** Returns the URL of an endpoint on a local port. */
export function localWebhookUrl(port: number): string {
  return `http://127.0.0.1:${port}/hook`;
}

/** The owner of an organization, with the headers that authorize requests. */
export interface BenchOwner {
  organizationId: string;
  headers: { authorization: string };
}

/** Registers a person with a new organization. */
export async function registerOwner(pool: Pool, email: string): Promise<BenchOwner> {
  const response = await pool.request({
    method: 'POST',
    path: '/api/v1/auth/register',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  });
  const signedIn = (await response.body.json()) as { accessToken: string; organization: { id: string } };
  return { organizationId: signedIn.organization.id, headers: { authorization: `Bearer ${signedIn.accessToken}` } };
}
