import { Writable } from 'node:stream';
import { beforeAll, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { makeLogger } from '@/lib/platform/log';
import { useDatabase } from '@/tests/database/use-database';
import { listProjectTables } from '@/tests/fixtures/full-project';
import { sendThroughNode, useWebServer } from '@/tests/http/adapters';
import { callOver } from '@/tests/http/api-request';
import { ALL_ROUTES, byName } from '@/tests/tenancy/routes';
import { makeTeam, makeTenant, type Tenant } from '@/tests/tenancy/tenants';
import { SECRETS } from './find-fault';
import { fuzzRoute } from './fuzz-route';
import { useIssuer, useNextLane } from './servers';

// `npm run fuzz` sets these; the test suite uses a fixed seed.
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_107);
const VARIATIONS = Number(process.env.FUZZ_VARIATIONS ?? 25);
const INDEX = process.env.FUZZ_INDEX === undefined ? undefined : Number(process.env.FUZZ_INDEX);
const ROUTES = ALL_ROUTES.filter(({ name }) => name.includes(process.env.FUZZ_ONLY ?? ''));

/** A run may be long; the time limit applies to each response. */
const TIMEOUT_MS = 120_000 + VARIATIONS * 500;
const AMPLE = '1000000';

useDatabase({
  ...SECRETS,
  LOG_LEVEL: 'error',
  IDP_OAUTH_CLIENT_ID: 'client-1',
  AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: AMPLE,
  AUTH_RATE_LIMIT_REGISTER_PER_MINUTE: AMPLE,
  PROJECT_ENDPOINT_TESTS_PER_MINUTE: '10000',
  USER_MAX_ORGANIZATIONS: AMPLE,
  ORGANIZATION_MAX_PROJECTS: AMPLE,
  ORGANIZATION_MAX_MEMBERS: AMPLE,
  PROJECT_MAX_ENDPOINTS: AMPLE,
  PROJECT_MAX_SUBSCRIPTIONS: AMPLE,
  PROJECT_MAX_TUNNELS: AMPLE,
  PROJECT_MAX_API_KEYS: AMPLE,
});
useIssuer();
const server = useWebServer();
const nextLane = useNextLane();

let logged = '';
let bystander = {} as Tenant;
let digest = {};

beforeAll(async () => {
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    logged += String(chunk);
    done();
  };
  setOnce('log', makeLogger(new Writable({ write })));
  // No hostile request has its ids and credentials.
  bystander = await makeTenant(await makeTeam(), 'Bystander');
  digest = await digestBystander(bystander);
});

it.each(byName(ROUTES))(
  `%s answers ${VARIATIONS} hostile requests without a server fault`,
  async (_, route) => {
    logged = '';
    const report = await fuzzRoute(route, {
      ports: [server.port(), nextLane.port()],
      seed: SEED,
      variations: VARIATIONS,
      ...(INDEX === undefined ? {} : { index: INDEX }),
    });
    expect(report.faults.join('\n\n')).toBe('');
    expect(logged, 'errors in the log').toBe('');
    if (INDEX !== undefined) return;
    expect(report.sent).toBe(VARIATIONS);
    // Fewer are faults alone.
    if (VARIATIONS < 200) return;
    const isServed = (status: string) => /^[23]/.test(status) || Number(status) === route.definition.response.status;
    const served = Object.keys(report.statuses).filter(isServed);
    expect(served, `no request was served: ${JSON.stringify(report.statuses)}`).not.toEqual([]);
  },
  TIMEOUT_MS,
);

it('serves a plain request after all hostile ones, and the data of an uninvolved tenant is unchanged', async () => {
  const call = callOver(sendThroughNode(server.port));
  const path = `/api/v1/projects/${bystander.ids.projectId}/events/${bystander.ids.eventId}`;
  const answer = await call<{ data: unknown }>('GET', path, { bearer: bystander.team.OWNER.accessToken });
  expect([answer.status, answer.json.data]).toEqual([200, { from: 'Bystander' }]);
  expect(await digestBystander(bystander)).toEqual(digest);
});

/** Returns a checksum of the tenant's rows by table. */
async function digestBystander({ ids }: Tenant): Promise<Record<string, string>> {
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
