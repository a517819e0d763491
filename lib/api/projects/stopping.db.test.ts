import { beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '@/lib/delivery/schema';
import { lockLiveProject } from '@/lib/orgs/orgs-sql';
import { inSqlTransaction } from '@/lib/platform/db';
import { countLockWaits } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';

useDatabase();

const IN_FLIGHT = 30;
const URL = 'http://127.0.0.1:9/hook';

let project: TestProject;
let source: MadeSource;
const { send, manage, makeSource, makeDestination } = sourceTools(() => project);

beforeEach(async () => {
  project = await makeTestProject();
  source = await makeSource();
  await makeDestination(source, { url: URL });
});

const eraseProject = () => call('DELETE', `/api/v1/projects/${project.id}`, { bearer: project.owner.accessToken });
const eraseOrganization = () =>
  call('DELETE', `/api/v1/orgs/${project.owner.organizationId}`, { bearer: project.owner.accessToken });

describe('while requests to a source are being stored, its', () => {
  it.each([
    ['pause', () => send('PATCH', `/sources/${source.id}`, { enabled: false }), 200],
    ['rotation of the URL', () => send('POST', `/sources/${source.id}/rotate-url`, { gracePeriodHours: 0 }), 200],
    ['deletion', () => send('DELETE', `/sources/${source.id}`), 204],
    ['erasure with its project', eraseProject, 204],
  ])('%s waits for none of them', async (_, stop, status) => {
    await inSqlTransaction(async (tx) => {
      await tx.query('SELECT FROM sources WHERE id = $1 FOR KEY SHARE', [source.id]);
      expect((await stop()).status).toBe(status);
    });
  });
});

describe('while deliveries are being stored, their', () => {
  let endpoint: Endpoint;
  beforeEach(async () => {
    endpoint = await manage<Endpoint>('POST', '/endpoints', { url: URL });
  });

  it.each([
    ['endpoint’s pause', () => send('PATCH', `/endpoints/${endpoint.id}`, { enabled: false }), 200],
    ['endpoint’s deletion', () => send('DELETE', `/endpoints/${endpoint.id}`), 204],
    ['project’s erasure', eraseProject, 204],
    ['organization’s erasure', eraseOrganization, 204],
  ])('%s waits for none of them', async (_, stop, status) => {
    await inSqlTransaction(async (tx) => {
      await tx.query('SELECT FROM endpoints WHERE id = $1 FOR KEY SHARE', [endpoint.id]);
      await tx.query('SELECT FROM projects WHERE id = $1 FOR KEY SHARE', [project.id]);
      expect((await stop()).status).toBe(status);
    });
  });
});

describe('while thirty requests replay incoming events', () => {
  /** Starts replays while another one holds the project, and stops the project or its source. */
  async function stopAmongReplays(stop: () => Promise<{ status: number }>) {
    const eventIds = await insertIncomingEvents({ id: source.id, projectId: project.id }, IN_FLIGHT);
    const begun = await inSqlTransaction(async (tx) => {
      await lockLiveProject.run(tx, project.id);
      const replays = eventIds.map((id) => send('POST', `/incoming-events/${id}/replay`));
      await waitFor('the first replay', async () => (await countLockWaits()) === 1);
      const stopped = stop();
      await waitFor('the stop', async () => (await countLockWaits()) === 2);
      // The other replays wait in the process, without a connection.
      return { stopped, replays };
    });
    const [stopped, ...replays] = await Promise.all([begun.stopped, ...begun.replays]);
    return { status: stopped.status, replayed: replays.filter(({ status }) => status === 202).length };
  }

  it.each([
    ['deletion of the source', () => send('DELETE', `/sources/${source.id}`)],
    ['erasure of the project', eraseProject],
  ])('the %s waits for a few of them at most', async (_, stop) => {
    const { status, replayed } = await stopAmongReplays(stop);
    expect(status).toBe(204);
    // A replay that begins just as another one ends may overtake it.
    expect(replayed).toBeLessThanOrEqual(5);
  });
});

describe('while what a replay or bulk retry matches is counted', () => {
  it.each([
    ['a replay', '/incoming-event-replays', 'incoming_events', () => ({ sourceId: source.id })],
    ['a bulk retry', '/bulk-retries', 'deliveries', () => ({})],
  ])('for %s, the project can be erased', async (_, path, table, body) => {
    const begun = await inSqlTransaction(async (tx) => {
      await tx.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const started = send('POST', path, body());
      await waitFor('the count', async () => (await countLockWaits()) === 1);
      expect((await eraseProject()).status).toBe(204);
      return { started };
    });
    expect((await begun.started).status).toBe(404);
  });
});

it('refuses the 52nd change of one secret at once, and lets the others wait for their turn without a connection', async () => {
  const { id } = await manage<Endpoint>('POST', '/endpoints', { url: URL });
  const rotate = () => send('POST', `/endpoints/${id}/rotate-secret`);
  const begun = await inSqlTransaction(async (tx) => {
    await tx.query('SELECT FROM endpoints WHERE id = $1 FOR UPDATE', [id]);
    const rotations = Array.from({ length: 52 }, rotate);
    expect((await Promise.race(rotations)).json).toMatchObject({ status: 429, code: 'rate_limited' });
    await waitFor('the first rotation', async () => (await countLockWaits()) === 1);
    return { rotations };
  });
  const statuses = (await Promise.all(begun.rotations)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(51).fill(200), 429]);
});
