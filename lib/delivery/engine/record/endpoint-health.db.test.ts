import { describe, expect, it } from 'vitest';
import type { Job, Outcome, Target } from '@/lib/delivery/engine/types';
import { HOUR_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction, type Sql } from '@/lib/platform/db';
import { decrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { FAILURE, failure, makeJobs, success, targetOf } from '@/tests/delivery/outcomes';
import { insertEndpoint, readDeliveries, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { recordOutcomes } from './record-outcomes';
import { updateHealth } from './target-health';

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

  it('judges at most 20 such endpoints in one record, and the others with their next failures', async () => {
    const made = await Promise.all(Array.from({ length: 21 }, () => makeJobs(2)));
    for (const { endpoint } of made) await setFailingSince(endpoint, '121 hours');
    const targets = await Promise.all(made.map(({ endpoint }) => targetOf(endpoint)));
    const failWith = (nth: number) =>
      recordOutcomes(made.map(({ jobs }, i) => failure(jobs[nth] as Job, targets[i] as Target)));
    expect((await failWith(0)).disabled).toHaveLength(20);
    expect((await failWith(1)).disabled).toHaveLength(1);
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

  it('looks for such a success among its newest deliveries only, however many it has', async () => {
    const { endpoint, jobs } = await makeJobs(2);
    const [a, b] = jobs as [Job, Job];
    await recordOutcomes([success(a, await targetOf(endpoint))]);
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status)
       SELECT id, $1, $2, $3, 'FAILED' FROM unnest($4::uuid[]) AS newer(id)`,
      [endpoint.projectId, b.source.eventId, endpoint.id, Array.from({ length: 1000 }, newId)],
    );
    await setFailingSince(endpoint, '121 hours');
    await recordOutcomes([failure(b, await targetOf(endpoint))]);
    expect(await readEndpoint(endpoint)).toMatchObject({ enabled: false });
  });

  it('disables it at once after 410 Gone, together with the audit entry and the mail to its owners', async () => {
    const { endpoint, jobs } = await makeJobs();
    const [job] = jobs as [Job];
    const owner = await addOwner(endpoint);
    await addOwner(endpoint, { role: 'ADMIN' });
    await addOwner(endpoint, { isVerified: false });
    await recordOutcomes([gone(job, await targetOf(endpoint))]);
    expect(await readEndpoint(endpoint)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect(await readDeliveries(endpoint.id)).toMatchObject([{ status: 'FAILED', last_response_status: 410 }]);
    const { rows: entries } = await database().query('SELECT * FROM audit_log WHERE target_id = $1', [endpoint.id]);
    const organization_id = await organizationOf(endpoint);
    expect(entries).toMatchObject([
      { action: 'endpoint.disabled', actor_type: 'SYSTEM', organization_id, details: { reason: 'gone' } },
    ]);
    const [mail, ...others] = await readMails(await organizationOf(endpoint));
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: `${owner}@example.com`, userId: owner });
    expect(mail?.text).toContain('http://receiver.test/hook');
    expect(mail?.text).not.toContain('secret');
    await recordOutcomes([gone({ ...job, attemptNumber: 2, scheduleStep: 1 }, await targetOfAny(endpoint))]);
    expect(await readMails(await organizationOf(endpoint))).toHaveLength(1);
  });

  it('stays enabled when its former URL answers 410 after it has another one', async () => {
    const { endpoint, jobs } = await makeJobs(2);
    const [a, b] = jobs as [Job, Job];
    const former = await targetOf(endpoint);
    await database().query(`UPDATE endpoints SET url = 'http://receiver.test/new' WHERE id = $1`, [endpoint.id]);
    await recordOutcomes([gone(a, former)]);
    expect(await readEndpoint(endpoint)).toMatchObject({ enabled: true });
    await recordOutcomes([gone(b, await targetOf(endpoint))]);
    expect(await readEndpoint(endpoint)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  });

  it('disables any number with a few statements, and tells an owner of all in one mail', async () => {
    const { endpoint, jobs } = await makeJobs();
    const [job] = jobs as [Job];
    const { projectId } = endpoint;
    await addOwner(endpoint);
    const more = await Promise.all(
      Array.from({ length: 11 }, () => insertEndpoint({ projectId, url: 'http://receiver.test/hook' })),
    );
    const outcomes = await Promise.all([endpoint, ...more].map(async (each) => gone(job, await targetOf(each))));
    let statements = 0;
    const { disabled } = await inSqlTransaction((tx) => {
      const query = (...args: unknown[]) => {
        statements++;
        return tx.query(...(args as [string]));
      };
      return updateHealth({ query } as Sql, outcomes);
    });
    expect(disabled).toHaveLength(12);
    expect(statements).toBeLessThan(12);
    const [mail, ...others] = await readMails(await organizationOf(endpoint));
    expect(others).toEqual([]);
    expect(mail?.subject).toMatch(/^12 endpoints in .* were disabled$/);
    expect(mail?.text).toContain('And 2 more.');
  });

  it('does not mail an owner whom an alert tells of it, unless that is muted', async () => {
    const { endpoint, jobs } = await makeJobs(2);
    const [told, muted] = [await addOwner(endpoint), await addOwner(endpoint)];
    for (const userId of [told, muted]) {
      await database().query(
        `INSERT INTO alerts (id, project_id, owner_id, name, kind, user_id, triggers, muted_until)
         VALUES ($1, $2, $2, 'On call', 'EMAIL', $3, '{ENDPOINT_DISABLED}', $4)`,
        [newId(), endpoint.projectId, userId, userId === muted ? new Date(Date.now() + HOUR_MS) : null],
      );
    }
    await recordOutcomes([gone(jobs[0] as Job, await targetOf(endpoint))]);
    expect((await readMails(await organizationOf(endpoint))).map(({ userId }) => userId)).toEqual([muted]);
  });

  it('tells owners at most five times an hour, however often it answers 410', async () => {
    const { endpoint, jobs } = await makeJobs(7);
    await addOwner(endpoint);
    const target = await targetOf(endpoint);
    for (const job of jobs) {
      await database().query('UPDATE endpoints SET enabled = true WHERE id = $1', [endpoint.id]);
      await recordOutcomes([gone(job, target)]);
    }
    expect(await readEndpoint(endpoint)).toMatchObject({ enabled: false });
    expect(await readMails(await organizationOf(endpoint))).toHaveLength(5);
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

async function organizationOf({ projectId }: TestEndpoint): Promise<string> {
  return (await database().query('SELECT organization_id FROM projects WHERE id = $1', [projectId])).rows[0]
    .organization_id;
}

/** Adds a person to the organization of an endpoint. @returns the id, which the address begins with */
async function addOwner(endpoint: TestEndpoint, { role = 'OWNER', isVerified = true } = {}): Promise<string> {
  const id = newId();
  const verifiedAt = isVerified ? new Date() : null;
  const person = [id, `${id}@example.com`, verifiedAt];
  await database().query('INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, $3)', person);
  const member = [await organizationOf(endpoint), id, role];
  await database().query('INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)', member);
  return id;
}

async function readMails(
  organizationId: string,
): Promise<{ to: string; userId: string; subject: string; text: string }[]> {
  const { rows } = await database().query(
    `SELECT o.* FROM mails o JOIN memberships m USING (user_id) WHERE organization_id = $1`,
    [organizationId],
  );
  return rows.map(({ user_id: userId, payload_encrypted: sealed }) => ({
    ...JSON.parse(decrypt(sealed, 'mail')),
    userId,
  }));
}
