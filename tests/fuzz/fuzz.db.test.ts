import { Writable } from 'node:stream';
import { beforeAll, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { makeLogger } from '@/lib/platform/log';
import { useDatabase } from '@/tests/database/use-database';
import { sendThroughNode, useWebServer } from '@/tests/http/adapters';
import { callOver } from '@/tests/http/api-request';
import { ALL_ROUTES, byName } from '@/tests/tenancy/routes';
import type { Tenant } from '@/tests/tenancy/tenants';
import { digestBystander, makeBystander } from './bystander';
import { SECRETS } from './find-fault';
import { fuzzRoute } from './fuzz-route';
import { useIssuer } from './issuer';
import { useNextLane } from './next-lane';

// `npm run fuzz` sets these; the test suite uses a fixed seed.
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_107);
const VARIATIONS = Number(process.env.FUZZ_VARIATIONS ?? 50);
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

let [logged, bystander, digest] = ['', {} as Tenant, {}];

beforeAll(async () => {
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    logged += String(chunk);
    done();
  };
  setOnce('log', makeLogger(new Writable({ write })));
  bystander = await makeBystander();
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
