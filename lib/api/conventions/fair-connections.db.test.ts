import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Source } from '@/lib/incoming/schema';
import { countLockWaits } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { changeRole, removeMember } from '@/tests/fixtures/members';
import { asPerson, makeProject, registerMember, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { makeKey, useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';

const { url } = useDatabase();
const projects = useProjects();

/** Runs SQL in a transaction that holds its locks until the test ends, or `release` is called. */
async function hold(sql: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query(`BEGIN; ${sql}`);
  let isOver = false;
  const release = async () => {
    if (!isOver) await holder.end();
    isOver = true;
  };
  onTestFinished(release);
  return release;
}

/** What another tenant does meanwhile, in less time than the first one's statements take. */
async function expectOthersServed(): Promise<void> {
  const { id, owner, key, readOnlyKey } = projects.foreign;
  const startedAt = performance.now();
  const [subscriptions, event, search, signedIn] = await Promise.all([
    call('GET', `/api/v1/projects/${id}/subscriptions`, { apiKey: readOnlyKey }),
    call('POST', '/api/v1/events', { apiKey: key, body: { type: 'order.paid', data: {} } }),
    call('GET', `/api/v1/orgs/${owner.organizationId}/search?q=Shop`, asPerson(owner)),
    signInAgain(owner),
  ]);
  expect([subscriptions.status, event.status, search.status]).toEqual([200, 202, 200]);
  expect(signedIn.accessToken).not.toBe('');
  expect((await call('PATCH', `/api/v1/projects/${id}`, asPerson(owner, { name: 'Store' }))).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(3_500);
}

/** Makes another organization of the same person, with a project and a key. */
async function makeSecondOrganization(owner: TestPerson): Promise<{ id: string; key: string }> {
  const made = await call<{ id: string }>('POST', '/api/v1/orgs', asPerson(owner, { name: 'B' }));
  expect(made.status).toBe(201);
  const { id } = await makeProject({ ...owner, organizationId: made.json.id });
  return { id, key: (await makeKey(id, owner, { name: 'second' })).key };
}

describe('while the statements of one owner are slow', () => {
  it('others read, search, sign in, write and send events, though the owner reads with several keys, projects and organizations', async () => {
    const { id, owner, key, readOnlyKey } = projects.mine;
    const second = await makeSecondOrganization(owner);
    const release = await hold('LOCK TABLE deliveries');
    const reads = [
      [id, { apiKey: key }],
      [id, { apiKey: readOnlyKey }],
      [id, asPerson(owner)],
      [second.id, { apiKey: second.key }],
    ] as const;
    const answers = Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const [projectId, credential] = reads[index % reads.length] ?? reads[0];
        return call('GET', `/api/v1/projects/${projectId}/deliveries`, credential);
      }),
    );
    await expectOthersServed();
    const statuses = (await answers).map(({ status, json }) => `${status} ${json.code}`);
    expect(new Set(statuses)).toEqual(new Set(['503 unavailable', '429 rate_limited']));
    // Two at once, each for two seconds, until the others have waited for three.
    expect(statuses.filter((each) => each === '503 unavailable')).toHaveLength(4);
    await release();
    expect((await call('GET', `/api/v1/projects/${id}/deliveries`, { apiKey: key })).status).toBe(200);
  });

  it('its members who are removed or lose their role meanwhile get no secrets when their turn comes', async () => {
    const { id, owner, key } = projects.mine;
    const [removed, demoted, stays] = await Promise.all(
      Array.from({ length: 3 }, () => registerMember(owner.organizationId, 'DEVELOPER')),
    );
    const path = `/api/v1/projects/${id}/sources`;
    const made = await call<Source>('POST', path, { apiKey: key, body: { name: 'shop' } });
    const read = (person = owner) => call<Source>('GET', `${path}/${made.json.id}`, asPerson(person));
    const release = await hold('LOCK TABLE deliveries');
    const busy = [1, 2].map(() => call('GET', `/api/v1/projects/${id}/deliveries`, { apiKey: key }));
    await waitFor('both connections', async () => (await countLockWaits()) === 2);
    const reads = [removed, demoted, stays].map((person) => read(person));
    await sleep(150);
    expect((await removeMember(owner, owner.organizationId, removed as TestPerson)).status).toBe(204);
    expect((await changeRole(owner, owner.organizationId, demoted as TestPerson, 'VIEWER')).status).toBe(200);
    await release();
    await Promise.all(busy);
    const [ofRemoved, ofDemoted, ofStaying] = await Promise.all(reads);
    expect([ofRemoved?.status, ofDemoted?.status, ofStaying?.status]).toEqual([404, 200, 200]);
    expect([ofDemoted?.json.url, ofStaying?.json.url]).toEqual([null, made.json.url]);
  });
});

it('searches of one owner run one at a time, across organizations', async () => {
  const { owner } = projects.mine;
  const made = await call<{ id: string }>('POST', '/api/v1/orgs', asPerson(owner, { name: 'C' }));
  const release = await hold('LOCK TABLE endpoints');
  const searches = [owner.organizationId, made.json.id, owner.organizationId].map((id) =>
    call('GET', `/api/v1/orgs/${id}/search?q=hook`, asPerson(owner)),
  );
  await expect.poll(countLockWaits).toBe(1);
  await sleep(100);
  expect(await countLockWaits()).toBe(1);
  await release();
  expect((await Promise.all(searches)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

it('a read that takes too long answers how to read less', async () => {
  const { id, key } = projects.mine;
  await hold('LOCK TABLE deliveries');
  const answer = await call('GET', `/api/v1/projects/${id}/deliveries?responseStatus=299`, { apiKey: key });
  expect(answer.status).toBe(503);
  expect(answer.json.detail).toContain('Narrow the time range or the filter');
});

it('a page of Prisma is refused with 429 like any other read', async () => {
  const { id, key } = projects.mine;
  await hold('LOCK TABLE endpoints');
  const read = () => call('GET', `/api/v1/projects/${id}/endpoints`, { apiKey: key });
  const codes = (await Promise.all(Array.from({ length: 8 }, read))).map(({ json }) => json.code);
  expect(
    codes.filter((code) => code === 'rate_limited'),
    `${codes}`,
  ).toHaveLength(4);
});
