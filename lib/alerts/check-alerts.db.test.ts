import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { count, earlier, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import {
  beginToFail,
  checkAll,
  exhaust,
  incidentsOf,
  insertDue,
  makeAlert,
  messagesOf,
  mismatch,
  receive,
  succeed,
} from '@/tests/fixtures/alerts';
import { insertEndpoint, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { queuedMails } from '@/tests/fixtures/mails';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeKey, makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { checkAlerts } from './check-alerts';
import type { CreatedAlert } from './schema';
import type { AlertTrigger } from './triggers-policy';

useDatabase();

const URL = 'https://receiver.example/hook';
let project: TestProject;
let endpoint: TestEndpoint;
beforeEach(async () => {
  await run('DELETE FROM alerts');
  project = await makeTestProject();
  endpoint = await insertEndpoint({ url: `${URL}?token=hidden`, projectId: project.id });
});

const disable = (reason: string | null) =>
  run(
    'UPDATE endpoints SET enabled = false, disabled_at = now(), disabled_reason = $2 WHERE id = $1',
    endpoint.id,
    reason,
  );
const enable = () =>
  run(
    'UPDATE endpoints SET enabled = true, disabled_at = NULL, disabled_reason = NULL, failing_since = NULL WHERE id = $1',
    endpoint.id,
  );
const forget = () => run(`UPDATE stats SET ${earlier('starts_at', '3 hours')} WHERE subject_id = $1`, endpoint.id);

async function makeSource(): Promise<string> {
  const body = { name: 'Stripe', provider: 'GITHUB', secret: 'a secret of the provider' };
  const made = await call<{ id: string }>(
    'POST',
    `/api/v1/projects/${project.id}/sources`,
    asPerson(project.owner, body),
  );
  expect(made.status, made.text).toBe(201);
  return made.json.id;
}

async function defineType(name = 'order.paid'): Promise<void> {
  const body = { name, schema: { required: ['amount'] } };
  const path = `/api/v1/projects/${project.id}/event-types`;
  expect((await call('POST', path, asPerson(project.owner, body))).status).toBe(201);
  await run(`UPDATE event_types SET ${earlier('updated_at', '1 minute')} WHERE project_id = $1`, project.id);
  await setPolicy('REPORT');
}
const setPolicy = (policy: string) =>
  run('UPDATE projects SET event_type_policy = $2::"EventTypePolicy" WHERE id = $1', project.id, policy);
const changeType = (fields: object) =>
  call('PATCH', `/api/v1/projects/${project.id}/event-types/order.paid`, asPerson(project.owner, fields));

/** How to begin and how to end what a trigger tells of, and what it says then. */
interface Scenario {
  trigger: AlertTrigger;
  begin: () => Promise<unknown>;
  end: () => Promise<unknown>;
  said: string[];
}

let sourceId: string;
let keyId: string;
const SCENARIOS: Scenario[] = [
  {
    trigger: 'ENDPOINT_FAILING',
    begin: () => beginToFail(endpoint, 31),
    end: () => succeed(endpoint),
    said: [`Every attempt to ${URL} has failed since`],
  },
  {
    trigger: 'ENDPOINT_DISABLED',
    begin: async () => {
      await beginToFail(endpoint, 1);
      await disable('gone');
    },
    end: enable,
    said: [`We stopped sending to ${URL}: it answered 410 Gone.`],
  },
  {
    trigger: 'ENDPOINT_RECOVERED',
    begin: () => beginToFail(endpoint, 31),
    end: () => succeed(endpoint),
    said: [`${URL} accepts deliveries again.`],
  },
  {
    trigger: 'DELIVERIES_EXHAUSTED',
    begin: () => exhaust(endpoint),
    end: forget,
    said: [`A delivery to ${URL} has failed for good: it has no more retries.`],
  },
  {
    trigger: 'BACKLOG',
    begin: () => insertDue(endpoint, 6),
    end: () => run('DELETE FROM deliveries WHERE endpoint_id = $1', endpoint.id),
    said: [`Deliveries to ${URL} wait: the oldest has been due since`, `Deliveries to ${URL} have caught up.`],
  },
  {
    trigger: 'SOURCE_REJECTING',
    begin: async () => {
      sourceId = await makeSource();
      await receive(project.id, sourceId, 10, false);
    },
    end: () => receive(project.id, sourceId, 1, true),
    said: ['The source Stripe refuses requests', 'The source Stripe accepts requests again.'],
  },
  {
    trigger: 'SCHEMA_MISMATCH',
    begin: async () => {
      await run('DELETE FROM event_types WHERE project_id = $1', project.id);
      await defineType();
      await mismatch(project.id, 'order.paid', 0);
    },
    end: () => mismatch(project.id, 'order.paid', 61),
    said: ['Events of type order.paid differ from its schema: the last one at 20'],
  },
  {
    trigger: 'KEY_EXPIRING',
    begin: async () => {
      const expiresAt = new Date(Date.now() + 6 * 24 * 60 * 60 * 1000).toISOString();
      keyId = (await makeKey(project.id, project.owner, { name: 'old', expiresAt })).id;
    },
    end: () => run('UPDATE api_keys SET revoked_at = now() WHERE id = $1', keyId),
    said: ['The API key old ('],
  },
];

describe('an alert', () => {
  it.each(SCENARIOS)('says $trigger once, forgets it when it is over, and says it again', async (scenario) => {
    const { trigger, begin, end, said } = scenario;
    const alert = await makeAlert(project, [trigger]);
    await checkAll();
    expect(await messagesOf(project, alert)).toEqual([]);
    for (const turn of [1, 2]) {
      await begin();
      await checkAll();
      await checkAll();
      expect(await incidentsOf(alert)).toHaveLength(1);
      await end();
      await checkAll();
      await checkAll();
      expect(await incidentsOf(alert)).toEqual([]);
      const texts = (await messagesOf(project, alert)).map(({ text }) => text);
      expect(texts).toHaveLength(turn * said.length);
      for (const [index, start] of said.entries()) expect(texts.at(index - said.length)).toContain(start);
      if (trigger === 'SOURCE_REJECTING') await run('DELETE FROM incoming_events WHERE source_id = $1', sourceId);
    }
    expect((await queuedMails(project.owner.email)).filter(({ text }) => text.includes('On call'))).toHaveLength(
      2 * said.length,
    );
  });

  const near: [AlertTrigger, string, () => Promise<unknown>][] = [
    ['ENDPOINT_FAILING', 'fails for 29 minutes', () => beginToFail(endpoint, 29)],
    [
      'ENDPOINT_FAILING',
      'has succeeded meanwhile, which another worker has not noted',
      async () => {
        await succeed(endpoint);
        await beginToFail(endpoint, 31);
        await run(
          `UPDATE deliveries SET completed_at = now() - interval '5 minutes' WHERE endpoint_id = $1`,
          endpoint.id,
        );
      },
    ],
    ['ENDPOINT_DISABLED', 'is paused by a person', () => beginToFail(endpoint, 1).then(() => disable(null))],
    [
      'ENDPOINT_RECOVERED',
      'was failing and is deleted',
      async () => {
        await beginToFail(endpoint, 31);
        await checkAll();
        await run('UPDATE endpoints SET deleted_at = now(), enabled = false WHERE id = $1', endpoint.id);
      },
    ],
    ['BACKLOG', 'has had a delivery due for 4 minutes', () => insertDue(endpoint, 4)],
    ['DELIVERIES_EXHAUSTED', 'fails and retries', () => beginToFail(endpoint, 120)],
    [
      'SOURCE_REJECTING',
      'has a source that refused 10 requests and accepted one',
      async () => {
        const source = await makeSource();
        await receive(project.id, source, 10, false);
        await receive(project.id, source, 1, true);
      },
    ],
    [
      'SCHEMA_MISMATCH',
      'has had no event that differs for 11 minutes',
      () => defineType().then(() => mismatch(project.id, 'order.paid', 11)),
    ],
    [
      'SCHEMA_MISMATCH',
      'no longer reports events that differ',
      async () => {
        await defineType();
        await mismatch(project.id, 'order.paid', 0);
        await setPolicy('OPEN');
      },
    ],
    [
      'KEY_EXPIRING',
      'has a key that expires in 8 days',
      async () => {
        const expiresAt = new Date(Date.now() + 8 * 24 * 60 * 60 * 1000).toISOString();
        await makeKey(project.id, project.owner, { name: 'old', expiresAt });
      },
    ],
  ];
  it.each(near)('does not say %s for one that %s', async (trigger, _what, begin) => {
    const alert = await makeAlert(project, [trigger]);
    await begin();
    await checkAll();
    expect(await messagesOf(project, alert)).toEqual([]);
  });

  it('says a thing once when two workers check at once', async () => {
    const alert = await makeAlert(project, ['ENDPOINT_FAILING']);
    await beginToFail(endpoint, 31);
    await run('UPDATE alerts SET next_check_at = now()');
    await Promise.all([checkAlerts(), checkAlerts(), checkAlerts()]);
    expect(await messagesOf(project, alert)).toHaveLength(1);
  });

  it('of another project says nothing', async () => {
    const other = await makeTestProject();
    const alert = await makeAlert(other, ['ENDPOINT_FAILING', 'DELIVERIES_EXHAUSTED', 'BACKLOG']);
    await beginToFail(endpoint, 31);
    await exhaust(endpoint);
    await insertDue(endpoint, 6);
    await checkAll();
    expect(await messagesOf(other, alert)).toEqual([]);
  });

  it('names ids, the last error and the event type, and never a payload or the query of a URL', async () => {
    const alert = await makeAlert(project, ['DELIVERIES_EXHAUSTED']);
    await exhaust(endpoint, '{"card":"a hidden payload"}');
    await checkAll();
    const [message] = await messagesOf(project, alert);
    expect(message?.data).toMatchObject({
      alertId: alert.id,
      projectId: project.id,
      trigger: 'DELIVERIES_EXHAUSTED',
      endpointId: endpoint.id,
      name: URL,
      customerId: null,
      eventType: 'order.paid',
      lastError: 'Answered with status 500',
      link: expect.stringContaining(`/projects/${project.id}/endpoints/${endpoint.id}`),
    });
    const [mail] = (await queuedMails(project.owner.email)).slice(-1);
    expect(mail?.text).toContain('Last error: Answered with status 500');
    expect(JSON.stringify([message, mail])).not.toContain('hidden');
  });

  it('names the type whose events differ with its id and page, and never a payload', async () => {
    const alert = await makeAlert(project, ['SCHEMA_MISMATCH']);
    await defineType();
    const body = { type: 'order.paid', data: { card: 'a hidden payload' } };
    expect((await call('POST', '/api/v1/events', { apiKey: project.key, body })).status).toBe(202);
    const counted = () =>
      select<{ id: string }>('SELECT id FROM event_types WHERE project_id = $1 AND mismatch_count = 1', project.id);
    await expect.poll(async () => (await counted()).length, { timeout: 5_000 }).toBe(1);
    await checkAll();
    const [message] = await messagesOf(project, alert);
    const [{ id } = { id: '' }] = await counted();
    expect(message?.data).toEqual({
      alertId: alert.id,
      alertName: 'On call',
      projectId: project.id,
      projectName: 'Shop',
      trigger: 'SCHEMA_MISMATCH',
      state: 'BEGAN',
      eventTypeId: id,
      name: 'order.paid',
      eventType: 'order.paid',
      lastAt: expect.stringMatching(/^20.*Z$/),
      link: expect.stringMatching(`/projects/${project.id}/event-types/order.paid$`),
    });
    const [mail] = (await queuedMails(project.owner.email)).slice(-1);
    expect(mail?.text).not.toContain('Event type:');
    expect(JSON.stringify([message, mail])).not.toContain('hidden');
  });

  it('says each type whose events differ once, while any event does within an hour, whatever else changes', async () => {
    const alert = await makeAlert(project, ['SCHEMA_MISMATCH']);
    await defineType();
    await defineType('order.sent');
    await mismatch(project.id, 'order.paid', 0);
    await mismatch(project.id, 'order.sent', 0);
    await checkAll();
    await mismatch(project.id, 'order.paid', 59);
    await changeType({ description: 'An order was paid.' });
    await checkAll();
    await mismatch(project.id, 'order.paid', 0);
    await checkAll();
    expect((await messagesOf(project, alert)).map(({ data }) => data.name).toSorted()).toEqual([
      'order.paid',
      'order.sent',
    ]);
  });

  it('says nothing of a type whose schema was corrected, nor of what another process counts by the one before', async () => {
    const alert = await makeAlert(project, ['SCHEMA_MISMATCH']);
    await defineType();
    await mismatch(project.id, 'order.paid', 0);
    await checkAll();
    await changeType({ schema: {} });
    await checkAll();
    expect(await incidentsOf(alert)).toEqual([]);
    await mismatch(project.id, 'order.paid', 0);
    await checkAll();
    expect(await messagesOf(project, alert)).toHaveLength(1);
    await run(`UPDATE event_types SET ${earlier('updated_at', '11 seconds')} WHERE project_id = $1`, project.id);
    await checkAll();
    expect(await messagesOf(project, alert)).toHaveLength(2);
  });

  it('says nothing while it is muted, and then what still goes on', async () => {
    const alert = await makeAlert(project, ['BACKLOG'], { mutedUntil: new Date(Date.now() + 60_000).toISOString() });
    await insertDue(endpoint, 6);
    await checkAll();
    expect(await messagesOf(project, alert)).toEqual([]);
    await run('UPDATE alerts SET muted_until = now() WHERE id = $1', alert.id);
    await checkAll();
    expect(await messagesOf(project, alert)).toHaveLength(1);
  });

  it('shows when each trigger last fired', async () => {
    const alert = await makeAlert(project, ['BACKLOG', 'ENDPOINT_FAILING']);
    await insertDue(endpoint, 6);
    await checkAll();
    const path = `/api/v1/projects/${project.id}/alerts/${alert.id}`;
    const { json } = await call<CreatedAlert>('GET', path, asPerson(project.owner));
    expect(json.lastFired).toEqual([{ trigger: 'BACKLOG', firedAt: json.lastSentAt }]);
  });
});

describe('in an hour, an alert', () => {
  const insertMany = async (count: number) => {
    for (let nth = 0; nth < count; nth += 1) {
      await insertDue(await insertEndpoint({ url: `https://r.example/${nth}`, projectId: project.id }), 6);
    }
  };

  beforeEach(() => run('UPDATE users SET email_verified_at = now() WHERE id = $1', project.owner.userId));

  it('sends 60 messages, holds the others, and sends one digest of them at its end', async () => {
    const alert = await makeAlert(project, ['BACKLOG']);
    await insertMany(63);
    await checkAll();
    const countOf = async (status: string) =>
      (await messagesOf(project, alert)).filter((message) => message.status === status).length;
    expect([await countOf('SENT'), await countOf('HELD')]).toEqual([60, 3]);
    await checkAll();
    expect([await countOf('SENT'), await countOf('HELD')]).toEqual([60, 3]);
    await run(`UPDATE alerts SET hour_started_at = now() - interval '1 hour' WHERE id = $1`, alert.id);
    await checkAll();
    const digest = (await messagesOf(project, alert)).at(-1);
    expect(digest).toMatchObject({ kind: 'DIGEST', status: 'SENT', text: '3 more messages in the last hour.' });
    expect(digest?.data.messages).toHaveLength(3);
    expect([await countOf('SENT'), await countOf('HELD')]).toEqual([61, 0]);
    await checkAll();
    expect(await countOf('SENT')).toBe(61);
  });

  it('has its digest also when a test begins the next hour', async () => {
    const alert = await makeAlert(project, ['BACKLOG']);
    await insertMany(61);
    await checkAll();
    await run(`UPDATE alerts SET hour_started_at = now() - interval '1 hour' WHERE id = $1`, alert.id);
    const path = `/api/v1/projects/${project.id}/alerts/${alert.id}/test`;
    expect((await call('POST', path, asPerson(project.owner))).status).toBe(202);
    await checkAll();
    expect((await messagesOf(project, alert)).slice(-2)).toMatchObject([
      { kind: 'TEST' },
      { kind: 'DIGEST', text: '1 more message in the last hour.' },
    ]);
  });
});

describe('an owner with many due alerts', () => {
  it.each([
    ['before', '00000000-0000-7000-8000-000000000001'],
    ['after', 'ffffffff-ffff-7fff-bfff-ffffffffffff'],
  ])('takes turns with another one, whose id is %s its own', async (_where, ownerId) => {
    const other = await makeTestProject();
    await run(
      `INSERT INTO alerts (id, project_id, owner_id, name, kind, target_encrypted, triggers, next_check_at)
       SELECT gen_random_uuid(), $1, '77777777-7777-7777-8777-777777777777', 'Many', 'SLACK', 'x', '{KEY_EXPIRING}', now() - interval '1 hour'
       FROM generate_series(1, 1000)`,
      project.id,
    );
    const alert = await makeAlert(other, ['KEY_EXPIRING']);
    await run('UPDATE alerts SET owner_id = $2 WHERE id = $1', alert.id, ownerId);
    const isDue = `SELECT FROM alerts WHERE id = $1 AND next_check_at <= now()`;
    for (let check = 0; check < 3; check += 1) await checkAlerts();
    expect(await count(isDue, alert.id)).toBe(0);
  });
});

describe('an email', () => {
  it('to a member who leaves ends, says why, and starts again with another target', async () => {
    const member = await registerMember(project.owner.organizationId, 'DEVELOPER');
    const alert = await makeAlert(project, ['BACKLOG'], { target: member.email });
    const path = `/api/v1/projects/${project.id}/alerts/${alert.id}`;
    const read = async () => (await call<CreatedAlert>('GET', path, asPerson(project.owner))).json;
    expect(await read()).toMatchObject({ target: member.email, enabled: true, disabledReason: null });
    const orgPath = `/api/v1/orgs/${project.owner.organizationId}/members/${member.userId}`;
    expect((await call('DELETE', orgPath, asPerson(project.owner))).status).toBe(204);
    expect(await read()).toMatchObject({ target: null, enabled: false, disabledReason: 'member_left' });
    await insertDue(endpoint, 6);
    await checkAll();
    expect(await messagesOf(project, alert)).toEqual([]);
    expect((await call('PATCH', path, asPerson(project.owner, { enabled: true }))).status).toBe(409);
    const body = { enabled: true, target: project.owner.email };
    expect((await call('PATCH', path, asPerson(project.owner, body))).status).toBe(200);
    await checkAll();
    expect(await messagesOf(project, alert)).toHaveLength(1);
  });

  it('is sent ten times an hour at most to an address that nobody has verified, whatever sends it', async () => {
    const alerts = [await makeAlert(project, ['BACKLOG']), await makeAlert(project, ['DELIVERIES_EXHAUSTED'])];
    for (let nth = 0; nth < 9; nth += 1) {
      await insertDue(await insertEndpoint({ url: `https://r.example/${nth}`, projectId: project.id }), 6);
    }
    await exhaust(endpoint);
    await exhaust(await insertEndpoint({ url: 'https://r.example/10', projectId: project.id }));
    await checkAll();
    const messages = (await Promise.all(alerts.map((alert) => messagesOf(project, alert)))).flat();
    const refused = messages.filter(({ status }) => status === 'FAILED');
    expect([messages.length, refused.map(({ error }) => error)]).toEqual([
      11,
      ['Too many emails of alerts in an hour, to this address or in all'],
    ]);
    expect((await queuedMails(project.owner.email)).filter(({ text }) => text.includes('On call'))).toHaveLength(10);
  });

  it('is one of 1,000 an hour at most of all alerts of an owner, and takes none from another owner', async () => {
    await makeAlert(project, ['BACKLOG']);
    await insertDue(endpoint, 6);
    await checkAll();
    await run(`UPDATE rate_limits SET points = 1000 WHERE key LIKE 'alert-mail-owner:%'`);
    const full = await makeAlert(project, ['BACKLOG']);
    const other = await makeTestProject();
    const others = await makeAlert(other, ['BACKLOG']);
    await insertDue(await insertEndpoint({ url: 'https://r.example', projectId: other.id }), 6);
    await checkAll();
    expect(await messagesOf(project, full)).toMatchObject([{ status: 'FAILED' }]);
    expect(await messagesOf(other, others)).toMatchObject([{ status: 'SENT' }]);
  });

  it('is not sent to somebody who is not a member when the alert is due', async () => {
    const alert = await makeAlert(project, ['BACKLOG']);
    await insertDue(endpoint, 6);
    await database().query('DELETE FROM memberships WHERE user_id = $1', [project.owner.userId]);
    await checkAll();
    expect((await queuedMails(project.owner.email)).filter(({ text }) => text.includes('On call'))).toEqual([]);
    expect((await database().query('SELECT disabled_reason FROM alerts WHERE id = $1', [alert.id])).rows).toEqual([
      { disabled_reason: 'member_left' },
    ]);
  });
});

it('of all messages to URLs of an owner at most 1,000 wait; further ones fail and say so, and take none from another owner', async () => {
  const target = { kind: 'WEBHOOK', target: 'https://hangs.example/hook' } as const;
  const full = await makeAlert(project, ['BACKLOG'], target);
  await run(
    `INSERT INTO alert_messages (id, project_id, alert_id, owner_id, kind, text, data, status, available_at)
     SELECT gen_random_uuid(), $1, $2, $3, 'TEST', 'A test', '{}', 'PENDING', now() + interval '1 hour' FROM generate_series(1, 999)`,
    project.id,
    full.id,
    project.owner.userId,
  );
  await insertDue(endpoint, 6);
  const [second, other] = [await makeAlert(project, ['BACKLOG'], target), await makeTestProject()];
  const others = await makeAlert(other, ['BACKLOG'], target);
  await insertDue(await insertEndpoint({ url: 'https://r.example', projectId: other.id }), 6);
  await checkAll();
  const said = await select(
    `SELECT status::text, error FROM alert_messages WHERE alert_id = ANY($1) AND kind = 'BEGAN' ORDER BY 1`,
    [full.id, second.id],
  );
  expect(said).toEqual([
    { status: 'FAILED', error: 'Too many messages of alerts wait' },
    { status: 'PENDING', error: null },
  ]);
  expect(await messagesOf(other, others)).toMatchObject([{ status: 'PENDING' }]);
});
