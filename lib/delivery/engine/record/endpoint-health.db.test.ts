import { describe, expect, it } from 'vitest';
import type { Job, Outcome, Target } from '@/lib/delivery/engine/types';
import { database } from '@/lib/platform/db';
import { decrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { FAILURE, failure, makeJobs, success, targetOf } from '@/tests/delivery/outcomes';
import { readDeliveries, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { recordOutcomes } from './record-outcomes';

useDatabase();

const gone = (job: Job, target: Target): Outcome => ({
  job,
  target,
  result: { ...FAILURE, responseStatus: 410 },
  retryMs: null,
});

const readEndpoint = async ({ id }: TestEndpoint) =>
  (await database().query('SELECT * FROM endpoints WHERE id = $1', [id])).rows[0];

const setFailingSince = ({ id }: TestEndpoint, ago: string) =>
  database().query('UPDATE endpoints SET failing_since = now() - $2::interval WHERE id = $1', [id, ago]);

describe('the health of an endpoint', () => {
  it('is failing from its first failure until its next success', async () => {
    const { endpoint, jobs } = await makeJobs(3);
    const target = await targetOf(endpoint);
    const [a, b, c] = jobs as [Job, Job, Job];
    await recordOutcomes([failure(a, target)]);
    const { failing_since } = await readEndpoint(endpoint);
    expect(failing_since).not.toBeNull();
    await recordOutcomes([failure(b, target)]);
    expect((await readEndpoint(endpoint)).failing_since).toEqual(failing_since);
    await recordOutcomes([success(c, await targetOf(endpoint))]);
    expect((await readEndpoint(endpoint)).failing_since).toBeNull();
  });

  it('disables it after 120 hours without a success', async () => {
    const { endpoint, jobs } = await makeJobs(2);
    const [a, b] = jobs as [Job, Job];
    await setFailingSince(endpoint, '119 hours 59 minutes');
    await recordOutcomes([failure(a, await targetOf(endpoint))]);
    expect(await readEndpoint(endpoint)).toMatchObject({ enabled: true });
    await setFailingSince(endpoint, '120 hours 1 minute');
    const { disabled } = await recordOutcomes([failure(b, await targetOf(endpoint))]);
    expect(disabled.map(({ id }) => id)).toEqual([endpoint.id]);
    expect(await readEndpoint(endpoint)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  it('does not disable it if another worker has recorded a success meanwhile', async () => {
    const { endpoint, jobs } = await makeJobs(2);
    const [a, b] = jobs as [Job, Job];
    const unaware = { ...(await targetOf(endpoint)), failingSinceMs: null };
    await setFailingSince(endpoint, '121 hours');
    await recordOutcomes([success(a, unaware)]);
    await recordOutcomes([failure(b, await targetOf(endpoint))]);
    const { enabled, failing_since } = await readEndpoint(endpoint);
    expect(enabled).toBe(true);
    expect(Date.now() - failing_since.getTime()).toBeLessThan(60_000);
  });

  it('disables it at once after 410 Gone, together with the audit entry and the mails to its owners', async () => {
    const { endpoint, jobs } = await makeJobs();
    const [job] = jobs as [Job];
    const owner = newId();
    const { organization_id } = (
      await database().query('SELECT organization_id FROM projects WHERE id = $1', [endpoint.projectId])
    ).rows[0];
    for (const [id, role] of [
      [owner, 'OWNER'],
      [newId(), 'ADMIN'],
    ] as const) {
      await database().query('INSERT INTO users (id, email) VALUES ($1, $2)', [id, `${id}@example.com`]);
      await database().query('INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)', [
        organization_id,
        id,
        role,
      ]);
    }
    await recordOutcomes([gone(job, await targetOf(endpoint))]);
    expect(await readEndpoint(endpoint)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect(await readDeliveries(endpoint.id)).toMatchObject([{ status: 'FAILED', last_response_status: 410 }]);
    const { rows: entries } = await database().query('SELECT * FROM audit_log WHERE target_id = $1', [endpoint.id]);
    expect(entries).toMatchObject([
      { action: 'endpoint.disabled', actor_type: 'SYSTEM', organization_id, details: { reason: 'gone' } },
    ]);
    const { rows: mails } = await database().query(`SELECT * FROM outbox WHERE kind = 'MAIL'`);
    expect(mails).toMatchObject([{ user_id: owner }]);
    const mail = decrypt(mails[0].payload_encrypted, 'mail');
    expect(JSON.parse(mail)).toMatchObject({ to: `${owner}@example.com` });
    expect(mail).toContain('http://receiver.test/hook');
    expect(mail).not.toContain('secret');
    await recordOutcomes([gone({ ...job, attemptNumber: 2, scheduleStep: 1 }, await targetOfAny(endpoint))]);
    expect((await database().query(`SELECT FROM outbox WHERE kind = 'MAIL'`)).rowCount).toBe(1);
  });

  it('is written by two workers at once without a deadlock', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => makeJobs(20)));
    const outcomes = (
      await Promise.all(
        made.map(async ({ endpoint, jobs }) => {
          const target = await targetOf(endpoint);
          return jobs.map((job, index) => failure(job, { ...target, id: endpoint.id }, index));
        }),
      )
    ).flat();
    const half = outcomes.length / 2;
    const [even, odd] = [0, 1].map((rest) => outcomes.filter((_, index) => index % 2 === rest));
    const done = await Promise.all([recordOutcomes(even ?? []), recordOutcomes((odd ?? []).reverse())]);
    expect(done.map(({ counted }) => counted.length)).toEqual([half, half]);
  });
});

/** Reads the target as a worker knows it that has not read the change yet. */
async function targetOfAny(endpoint: TestEndpoint): Promise<Target> {
  await database().query('UPDATE endpoints SET enabled = true WHERE id = $1', [endpoint.id]);
  const target = await targetOf(endpoint);
  await database().query('UPDATE endpoints SET enabled = false WHERE id = $1', [endpoint.id]);
  return target;
}
