import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { Pace } from '@/lib/platform/pace';
import { itOnOneServer } from '@/tests/database/one-server';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { beginToFail, checkAll, incidentsOf, makeAlert, messagesOf, receive, succeed } from '@/tests/fixtures/alerts';
import { insertEndpoint, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { selectIncidents } from './alerts-sql';
import { checkAlerts } from './check-alerts';
import { selectRejectingSources } from './conditions-sql';
import { ALERT_TRIGGERS, type AlertTrigger } from './triggers-policy';

useDatabase();

let project: TestProject;
beforeEach(async () => {
  await run('DELETE FROM alerts');
  project = await makeTestProject();
});

/** Stores endpoints that the service has disabled, and that an alert knows of since some hours. */
async function insertKnown(alert: { id: string }, trigger: AlertTrigger, endpoints: number, hours = 0): Promise<void> {
  await run(
    `WITH made AS (
       INSERT INTO endpoints (id, project_id, url, enabled, disabled_at, disabled_reason)
       SELECT gen_random_uuid(), $1, 'https://r.example/' || n, false, now(), 'gone' FROM generate_series(1, $4::int) n RETURNING id)
     INSERT INTO alert_incidents (id, project_id, alert_id, trigger, subject_id, began_at)
     SELECT gen_random_uuid(), $1, $2, $3::"AlertTrigger", id, now() - make_interval(hours => $5) FROM made`,
    project.id,
    alert.id,
    trigger,
    endpoints,
    hours,
  );
}

async function insertDisabled(url: string): Promise<TestEndpoint> {
  const endpoint = await insertEndpoint({ url, projectId: project.id });
  await beginToFail(endpoint, 1);
  await run(
    `UPDATE endpoints SET enabled = false, disabled_at = now(), disabled_reason = 'gone' WHERE id = $1`,
    endpoint.id,
  );
  return endpoint;
}

/** Stores messages that wait for the digest of an alert. */
const hold = (alert: { id: string }, messages: number) =>
  run(
    `INSERT INTO alert_messages (id, project_id, alert_id, kind, text, data, status)
     SELECT gen_random_uuid(), $1, $2, 'BEGAN', 'Something began.', '{}', 'HELD' FROM generate_series(1, $3::int)`,
    project.id,
    alert.id,
    messages,
  );

const ENABLE = 'UPDATE endpoints SET enabled = true, disabled_at = NULL, disabled_reason = NULL';
const HAS_INCIDENT = 'id IN (SELECT subject_id FROM alert_incidents WHERE alert_id = $1';

describe('of a trigger, an alert', () => {
  it('notices 1,000 subjects at most, and further ones when some have ended', async () => {
    const alert = await makeAlert(project, ['ENDPOINT_DISABLED']);
    await insertKnown(alert, 'ENDPOINT_DISABLED', 999);
    for (const name of ['first', 'second']) await insertDisabled(`https://${name}.example`);
    await checkAll();
    await checkAll();
    expect(await incidentsOf(alert)).toHaveLength(1_000);
    expect(await messagesOf(project, alert)).toHaveLength(1);
    await run(`${ENABLE} WHERE ${HAS_INCIDENT} LIMIT 1)`, alert.id);
    await checkAll();
    expect(await incidentsOf(alert)).toHaveLength(1_000);
    const names = (await messagesOf(project, alert)).map(({ data }) => data.name);
    expect(names.toSorted()).toEqual(['https://first.example/', 'https://second.example/']);
  });

  it('notices as many of another trigger', async () => {
    const alert = await makeAlert(project, ['ENDPOINT_DISABLED', 'ENDPOINT_FAILING']);
    await insertKnown(alert, 'ENDPOINT_DISABLED', 1_000);
    await beginToFail(await insertEndpoint({ url: 'https://failing.example', projectId: project.id }), 31);
    await checkAll();
    expect(await messagesOf(project, alert)).toMatchObject([{ trigger: 'ENDPOINT_FAILING' }]);
  });

  it.each<[AlertTrigger, number]>([
    ['ENDPOINT_DISABLED', 1],
    ['ENDPOINT_RECOVERED', 0],
  ])('forgets the oldest of %s without recent failures when there are more', async (trigger, said) => {
    const alert = await makeAlert(project, [trigger]);
    await insertKnown(alert, trigger, 1, 28);
    const [oldest] = await incidentsOf(alert);
    await insertKnown(alert, trigger, 998, 27);
    const failing = await insertDisabled('https://failing.example');
    await run(
      `INSERT INTO alert_incidents (id, project_id, alert_id, trigger, subject_id, began_at)
       VALUES (gen_random_uuid(), $1, $2, $3::"AlertTrigger", $4, now() - interval '29 hours')`,
      project.id,
      alert.id,
      trigger,
      failing.id,
    );
    const added = await insertDisabled('https://new.example');
    await checkAll();
    await checkAll();
    const known = (await incidentsOf(alert)).map(({ subject_id: id }) => id);
    expect(known).toHaveLength(1_000);
    expect([known.includes(added.id), known.includes(failing.id)]).toEqual([true, true]);
    expect(known).not.toContain(oldest?.subject_id);
    expect(await messagesOf(project, alert)).toHaveLength(said);
  });

  it('that has more than it may have reads a bounded number, and ends those that are over', async () => {
    const alert = await makeAlert(project, ['ENDPOINT_DISABLED']);
    await run(
      `INSERT INTO alert_incidents (id, project_id, alert_id, trigger, subject_id)
       SELECT gen_random_uuid(), $1, $2, 'ENDPOINT_DISABLED', gen_random_uuid() FROM generate_series(1, 10000)`,
      project.id,
      alert.id,
    );
    const path = { project: project.id, alert: alert.id };
    expect(await selectIncidents.all(database(), { ...path, triggers: [...ALERT_TRIGGERS] })).toHaveLength(1_000);
    await insertDisabled('https://new.example');
    for (let check = 0; check < 10; check += 1) await checkAll();
    expect(await incidentsOf(alert)).toHaveLength(1);
    expect(await messagesOf(project, alert)).toMatchObject([{ data: { name: 'https://new.example/' } }]);
  });
});

it('parses no address of an endpoint that an alert has nothing to say of', async () => {
  const alert = await makeAlert(project, ['ENDPOINT_DISABLED', 'ENDPOINT_RECOVERED']);
  await insertKnown(alert, 'ENDPOINT_DISABLED', 1);
  await run(`UPDATE endpoints SET url = 'not an address' WHERE ${HAS_INCIDENT})`, alert.id);
  await insertDisabled('https://new.example');
  await checkAll();
  expect(await messagesOf(project, alert)).toMatchObject([{ data: { name: 'https://new.example/' } }]);
});

it('parses no address of an endpoint that an alert has no room to speak of, and notes that it fired', async () => {
  const alert = await makeAlert(project, ['ENDPOINT_DISABLED']);
  await run('UPDATE alerts SET hour_started_at = now(), hour_count = 60 WHERE id = $1', alert.id);
  await hold(alert, 1_000);
  const { id } = await insertDisabled('https://new.example');
  await run(`UPDATE endpoints SET url = 'not an address' WHERE id = $1`, id);
  await checkAll();
  expect(await incidentsOf(alert)).toMatchObject([{ subject_id: id }]);
  expect(await select('SELECT fired_at FROM alerts WHERE id = $1', alert.id)).toMatchObject([
    { fired_at: { ENDPOINT_DISABLED: expect.any(String) } },
  ]);
});

it('tells of 1,000 subjects, whatever characters their names have', async () => {
  const alert = await makeAlert(project, ['KEY_EXPIRING']);
  await run(
    `INSERT INTO api_keys (id, project_id, name, hint, key_hash, expires_at)
     SELECT gen_random_uuid(), $1, n || repeat('"\\{,} ', 20), 'abcd', decode(md5('held' || n), 'hex'), now() + make_interval(mins => n)
     FROM generate_series(1, 1000) n`,
    project.id,
  );
  await checkAll();
  expect(await count('SELECT FROM alert_messages WHERE alert_id = $1', alert.id)).toBe(1_000);
  const held = await select<{ text: string; name: string }>(
    `SELECT text, data ->> 'name' AS name FROM alert_messages WHERE alert_id = $1 AND status = 'HELD' ORDER BY id`,
    alert.id,
  );
  expect(held).toHaveLength(940);
  expect(held[0]?.name).toBe(`61${'"\\{,} '.repeat(20)} (abcd)`);
});

it('says the recovery of an endpoint with the name that it has then', async () => {
  const alert = await makeAlert(project, ['ENDPOINT_RECOVERED']);
  const endpoint = await insertDisabled('https://before.example');
  await checkAll();
  await run(`${ENABLE}, url = 'https://after.example/hook?token=hidden' WHERE id = $1`, endpoint.id);
  await succeed(endpoint);
  await checkAll();
  expect((await messagesOf(project, alert)).map(({ text }) => text)).toEqual([
    'https://after.example/hook accepts deliveries again.',
  ]);
});

it('at most 1,000 messages of an alert wait for its digest, which then counts at least as many', async () => {
  const alert = await makeAlert(project, ['ENDPOINT_DISABLED']);
  await run('UPDATE alerts SET hour_started_at = now(), hour_count = 60 WHERE id = $1', alert.id);
  await hold(alert, 999);
  for (const name of ['first', 'second', 'third']) await insertDisabled(`https://${name}.example`);
  await checkAll();
  expect(await incidentsOf(alert)).toHaveLength(3);
  const held = `SELECT FROM alert_messages WHERE alert_id = $1 AND status = 'HELD'`;
  expect(await count(held, alert.id)).toBe(1_000);
  await run(`UPDATE alerts SET hour_started_at = now() - interval '1 hour' WHERE id = $1`, alert.id);
  await checkAll();
  expect(await count(held, alert.id)).toBe(0);
  expect(await messagesOf(project, alert)).toMatchObject([
    { kind: 'DIGEST', text: '1,000 or more further messages in the last hour.', data: { count: 1_000 } },
  ]);
});

itOnOneServer('reads no more of a source that has accepted thousands of requests since it refused some', async () => {
  const { id: source } = await sourceTools(() => project).makeSource('GITHUB');
  const pagesOf = async () => {
    const { rows } = await database().query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${selectRejectingSources.text}`,
      [project.id, []],
    );
    return rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? 0;
  };
  await receive(project.id, source, 10, false);
  await receive(project.id, source, 10, true);
  const before = await pagesOf();
  await receive(project.id, source, 2_000, true);
  expect(before).toBeGreaterThan(0);
  expect(await pagesOf()).toBeLessThan(3 * before);
});

describe('an owner whose checks take more than their share', () => {
  const BUSY = '77777777-7777-7777-8777-777777777777';
  const insertAlerts = (owner: string, alerts: number) =>
    run(
      `INSERT INTO alerts (id, project_id, owner_id, name, kind, target_encrypted, triggers)
       SELECT gen_random_uuid(), $1, $2, 'Many', 'SLACK', 'x', '{KEY_EXPIRING}' FROM generate_series(1, $3::int)`,
      project.id,
      owner,
      alerts,
    );
  const dueOf = async (owner: string) =>
    (await select(`SELECT FROM alerts WHERE owner_id = $1 AND next_check_at <= now()`, owner)).length;

  it('rests, while the alerts of others are checked', async () => {
    const pace = new Pace({ perSecond: 1, burst: 0.001, mostOwed: 1 }, () => false);
    const other = '88888888-8888-7888-8888-888888888888';
    await insertAlerts(BUSY, 3);
    expect(await checkAlerts(pace)).toBe(0);
    expect(await dueOf(BUSY), 'a round ends for the owner with the rest').toBe(2);
    await insertAlerts(other, 1);
    await checkAlerts(pace);
    expect([await dueOf(BUSY), await dueOf(other)]).toEqual([2, 0]);
    // What is due of others is found within a second.
    const restMs = await checkAlerts(pace);
    expect(restMs).toBeGreaterThan(0);
    expect(restMs).toBeLessThanOrEqual(1_000);
    await expect.poll(() => checkAlerts(pace).then(() => dueOf(BUSY)), { timeout: 10_000 }).toBe(1);
  });

  it('takes no turn of others while it rests, however many such owners have due alerts', async () => {
    const pace = new Pace({ perSecond: 0.01, burst: 0.01, mostOwed: 1 }, () => false);
    const ids = (end: string) => Array.from('123456789abcdef', (digit) => `${digit}9999999-${end}`);
    const [busy, others] = [ids('9999-7999-8999-999999999999'), ids('aaaa-7999-8999-999999999999')];
    for (const owner of busy) await insertAlerts(owner, 60);
    while ((await checkAlerts(pace)) === 0);
    for (const owner of others) await insertAlerts(owner, 1);
    const dueOfAll = (owners: string[]) =>
      count('SELECT FROM alerts WHERE owner_id = ANY($1) AND next_check_at <= now()', owners);
    const dueBefore = await dueOfAll(busy);
    await checkAlerts(pace);
    expect([await dueOfAll(others), await dueOfAll(busy)]).toEqual([0, dueBefore]);
    expect(dueBefore).toBeGreaterThan(500);
  });
});
