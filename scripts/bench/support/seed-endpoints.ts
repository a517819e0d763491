import { makeEndpointSecret, sealEndpointSecret } from '@/lib/delivery/endpoint-secret';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { seedProject } from './seed';

export interface LoadedProject {
  projectId: string;
  key: string;
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
