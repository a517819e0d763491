import { beforeEach, describe, expect, it } from 'vitest';
import type { Alert, AlertMessage, CreatedAlert } from '@/lib/alerts/schema';
import type { EndpointSecret } from '@/lib/delivery/schema';
import type { Listing } from '@/lib/platform/pagination';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { makeAlert } from '@/tests/fixtures/alerts';
import { queuedMails } from '@/tests/fixtures/mails';
import { asPerson, registerMember, registerPerson } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

let project: TestProject;
beforeEach(async () => {
  project = await makeTestProject();
});

const URL = 'https://example.com/alerts?token=hidden';
const WEBHOOK = { kind: 'WEBHOOK', target: URL };
const as = (body?: unknown) => asPerson(project.owner, body);
const pathOf = (alert?: { id: string }, tail = '') =>
  `/api/v1/projects/${project.id}/alerts${alert === undefined ? '' : `/${alert.id}`}${tail}`;

describe('an alert', () => {
  it('is created, shown, changed and deleted', async () => {
    const made = await makeAlert(project, ['KEY_EXPIRING', 'BACKLOG'], WEBHOOK);
    const { secret, ...alert } = made;
    expect(secret).toMatch(/^whsec_/);
    expect(alert).toEqual({
      id: expect.any(String),
      name: 'On call',
      kind: 'WEBHOOK',
      target: URL,
      triggers: ['BACKLOG', 'KEY_EXPIRING'],
      enabled: true,
      disabledReason: null,
      mutedUntil: null,
      lastSentAt: null,
      lastFired: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await call<Listing<Alert>>('GET', pathOf(), as())).json).toEqual({ data: [alert], nextCursor: null });
    const change = { name: 'Pager', triggers: ['BACKLOG'], mutedUntil: '2036-01-31T09:30:00.000Z', enabled: false };
    const changed = await call<Alert>('PATCH', pathOf(alert), as(change));
    expect(changed.json).toEqual({ ...alert, ...change, updatedAt: expect.any(String) });
    expect((await call('DELETE', pathOf(alert), as())).status).toBe(204);
    expect((await call('GET', pathOf(alert), as())).status).toBe(404);
  });

  it('takes the address of a member in any case, and follows it', async () => {
    const { owner } = project;
    const alert = await makeAlert(project, ['BACKLOG'], { target: ` ${owner.email.toUpperCase()}` });
    expect(alert).toMatchObject({ kind: 'EMAIL', target: owner.email });
    expect(alert).not.toHaveProperty('secret');
  });

  const stranger = async () => (await registerPerson()).email;
  it.each<[string, () => Promise<object> | object]>([
    ['the address of somebody else', async () => ({ kind: 'EMAIL', target: await stranger() })],
    ['an email to a URL', () => ({ kind: 'EMAIL', target: URL })],
    ['a webhook to an address', () => ({ kind: 'WEBHOOK', target: project.owner.email })],
    ['Slack at a URL with a password', () => ({ kind: 'SLACK', target: 'https://a:b@chat.example' })],
    ['a webhook to this service', () => ({ kind: 'WEBHOOK', target: `${process.env.APP_BASE_URL}/api/v1/events` })],
  ])('refuses %s', async (_what, fields) => {
    const body = { name: 'On call', triggers: ['BACKLOG'], ...(await fields()) };
    const refused = await call('POST', pathOf(), as(body));
    expect([refused.status, refused.json]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'target' })] }),
    ]);
  });

  it.each([[[]], [['BACKLOG', 'BACKLOG']], [['NEWS']]])('refuses the triggers %j', async (triggers) => {
    const { status } = await call('POST', pathOf(), as({ name: 'On call', ...WEBHOOK, triggers }));
    expect(status).toBe(400);
  });

  it('is written by admins and read by developers; viewers do not see its target, and keys nothing', async () => {
    const alert = await makeAlert(project, ['BACKLOG'], WEBHOOK);
    const email = await makeAlert(project, ['BACKLOG']);
    const { organizationId } = project.owner;
    const read = async (role: 'VIEWER' | 'DEVELOPER' | 'ADMIN') => {
      const person = await registerMember(organizationId, role);
      const { json } = await call<Listing<Alert>>('GET', pathOf(), asPerson(person));
      const { status } = await call('PATCH', pathOf(alert), asPerson(person, { name: role }));
      const { status: secret } = await call('GET', pathOf(alert, '/secret'), asPerson(person));
      return [json.data.map(({ target }) => target), status, secret];
    };
    expect(await read('VIEWER')).toEqual([['[redacted]', '[redacted]'], 403, 403]);
    expect(await read('DEVELOPER')).toEqual([[email.target, URL], 403, 403]);
    expect(await read('ADMIN')).toEqual([[email.target, URL], 200, 200]);
    const withKey = await call('GET', pathOf(alert), { apiKey: project.key });
    expect([withKey.status, withKey.json]).toEqual([403, expect.objectContaining({ code: 'person_required' })]);
  });

  it('keeps its secret readable, and rotates it', async () => {
    const alert: CreatedAlert = await makeAlert(project, ['BACKLOG'], WEBHOOK);
    const read = async () => (await call<EndpointSecret>('GET', pathOf(alert, '/secret'), as())).json;
    expect(await read()).toEqual({ secret: alert.secret, previousSecretExpiresAt: null });
    const rotated = await call<EndpointSecret>('POST', pathOf(alert, '/rotate-secret'), as());
    expect(rotated.json.secret).not.toBe(alert.secret);
    expect(await read()).toEqual(rotated.json);
    expect(rotated.json.previousSecretExpiresAt).not.toBeNull();
    const other = await makeAlert(project, ['BACKLOG']);
    expect((await call('GET', pathOf(other, '/secret'), as())).status).toBe(404);
    expect((await call('POST', pathOf(other, '/rotate-secret'), as())).status).toBe(404);
  });
});

describe('a test', () => {
  it('is sent to an email at once, and shows what arrived', async () => {
    const alert = await makeAlert(project, ['BACKLOG'], { enabled: false });
    const made = await call<AlertMessage>('POST', pathOf(alert, '/test'), as());
    expect([made.status, made.json]).toEqual([
      202,
      {
        id: expect.any(String),
        kind: 'TEST',
        trigger: null,
        text: 'This is a test of the alert “On call”. Nothing has happened.',
        data: expect.objectContaining({ alertId: alert.id, projectId: project.id }),
        status: 'SENT',
        attempts: 1,
        responseStatus: null,
        error: null,
        createdAt: expect.any(String),
        sentAt: expect.any(String),
      },
    ]);
    const listed = await call<Listing<AlertMessage>>('GET', pathOf(alert, '/messages'), as());
    expect(listed.json.data).toEqual([made.json]);
    const mail = (await queuedMails(project.owner.email)).at(-1);
    expect(mail).toMatchObject({ subject: 'Test of an alert in Shop' });
    expect(mail?.text).toContain(made.json.text);
    expect((await call<Alert>('GET', pathOf(alert), as())).json.lastSentAt).toBe(made.json.sentAt);
  });

  it('counts to the messages of the hour', async () => {
    const alert = await makeAlert(project, ['BACKLOG'], WEBHOOK);
    await run('UPDATE alerts SET hour_started_at = now(), hour_count = 59 WHERE id = $1', alert.id);
    expect((await call('POST', pathOf(alert, '/test'), as())).status).toBe(202);
    const refused = await call('POST', pathOf(alert, '/test'), as());
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    await run(`UPDATE alerts SET hour_started_at = now() - interval '1 hour' WHERE id = $1`, alert.id);
    expect((await call('POST', pathOf(alert, '/test'), as())).status).toBe(202);
  });
});
