import { database } from '@/lib/platform/db';
import { listProjectTables } from '@/tests/fixtures/full-project';
import { makeTeam, makeTenant, type Tenant } from '@/tests/tenancy/tenants';

/** Creates a tenant whose ids and credentials no hostile request has. */
export function makeBystander(): Promise<Tenant> {
  return makeTeam().then((team) => makeTenant(team, 'Bystander'));
}

/** Returns a checksum of the tenant's rows by table. */
export async function digestBystander({ ids }: Tenant): Promise<Record<string, string>> {
  const own = [
    ['organizations', 'id = $1::uuid'],
    ['memberships', 'organization_id = $1::uuid'],
    ['projects', 'organization_id = $1::uuid'],
    ...(await listProjectTables()).map((table) => [table, 'project_id = $2::uuid']),
  ];
  const digests = own.map(
    ([table, condition]) => `SELECT '${table}' AS name,
      count(*) || ':' || coalesce(sum(hashtextextended(to_jsonb(t)::text, 0)), 0) AS digest
      FROM ${table} t WHERE $1::uuid <> $2::uuid AND ${condition}`,
  );
  const { rows } = await database().query<{ name: string; digest: string }>(digests.join(' UNION ALL '), [
    ids.orgId,
    ids.projectId,
  ]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
