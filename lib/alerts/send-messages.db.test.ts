import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keysOfEndpoint, signWebhook } from '@/lib/delivery/credentials';
import { makeDeliveryPools } from '@/lib/delivery/engine/send-once';
import { count, run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { checkAll, exhaust, insertDue, makeAlert, messagesOf } from '@/tests/fixtures/alerts';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { asPerson } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { respondWith, startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';
import { AlertWorker } from './alert-worker';
import type { AlertMessage, CreatedAlert } from './schema';

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: url }));

let project: TestProject;
beforeEach(async () => {
  await run('DELETE FROM alerts');
  project = await makeTestProject();
});

/** Starts what sends messages; it stops after the test. */
function startAlerts(): AlertWorker {
  const worker = new AlertWorker({ pools: makeDeliveryPools() });
  onTestFinished(() => worker.stop(3_000));
  worker.start();
  return worker;
}

const test = (alert: CreatedAlert) =>
  call<AlertMessage>('POST', `/api/v1/projects/${project.id}/alerts/${alert.id}/test`, asPerson(project.owner));
const lastOf = async (alert: CreatedAlert) => (await messagesOf(project, alert)).at(-1);
const isStatus = (alert: CreatedAlert, status: string) => async () => (await lastOf(alert))?.status === status;

describe('a webhook', () => {
  it('gets a signed message without a payload, and its result is shown', async () => {
    const receiver = await startReceiver(respondWith(204));
    const alert = await makeAlert(project, ['DELIVERIES_EXHAUSTED'], { kind: 'WEBHOOK', target: receiver.url });
    const endpoint = await insertEndpoint({ url: 'https://receiver.example/hook', projectId: project.id });
    await exhaust(endpoint, '{"card":"a hidden payload"}');
    startAlerts();
    await waitFor('the message', isStatus(alert, 'SENT'));
    const [request, ...others] = receiver.received;
    expect(others).toEqual([]);
    const message = await lastOf(alert);
    const { key } = keysOfEndpoint(alert.secret ?? '');
    const timestamp = Number(request?.headers['webhook-timestamp']);
    expect(request?.headers['webhook-signature']).toBe(
      signWebhook([key], message?.id ?? '', timestamp, Buffer.from(request?.body ?? '')),
    );
    expect(request?.headers['webhook-id']).toBe(message?.id);
    expect(JSON.parse(request?.body ?? '')).toEqual({
      type: 'alert.deliveries_exhausted',
      timestamp: message?.createdAt,
      data: { ...message?.data, text: message?.text },
    });
    expect(request?.body).not.toContain('hidden');
    expect(message).toMatchObject({ responseStatus: 204, attempts: 1, error: null, sentAt: expect.any(String) });
  });

  it('that fails gets the message again, with the same id', async () => {
    const receiver = await startReceiver((response, index) => response.writeHead(index === 0 ? 500 : 200).end());
    const alert = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: receiver.url });
    expect((await test(alert)).json).toMatchObject({ kind: 'TEST', status: 'PENDING' });
    startAlerts();
    await waitFor('the first attempt', async () => (await lastOf(alert))?.error === 'Answered with status 500');
    await run('UPDATE alert_messages SET available_at = now() WHERE alert_id = $1', alert.id);
    await waitFor('the second attempt', isStatus(alert, 'SENT'));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await lastOf(alert)).toMatchObject({ attempts: 2, error: null });
  });

  it('that always fails is given up after five attempts, and says why', async () => {
    const receiver = await startReceiver(respondWith(500));
    const alert = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: receiver.url });
    await test(alert);
    startAlerts();
    await waitFor('the end', async () => {
      // A recorded failure has an error. An attempt that is under way has none, and is not repeated beside itself.
      await run(
        "UPDATE alert_messages SET available_at = now(), error = NULL WHERE alert_id = $1 AND status = 'PENDING' AND error <> ''",
        alert.id,
      );
      return isStatus(alert, 'FAILED')();
    });
    expect(await lastOf(alert)).toMatchObject({ attempts: 5, error: 'Answered with status 500', sentAt: null });
    expect(receiver.received).toHaveLength(5);
  });

  it('with an address that deliveries may not connect to gets nothing', async () => {
    const alert = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: 'http://169.254.169.254/' });
    await test(alert);
    startAlerts();
    await waitFor('the refusal', async () => ((await lastOf(alert))?.error ?? '') !== '');
    expect((await lastOf(alert))?.error).toBe('Address is not public');
  });

  it('that hangs delays no delivery, and no message of another owner', async () => {
    const hanging = await startReceiver(() => undefined);
    const target = hanging.url;
    const alerts: CreatedAlert[] = [];
    for (let nth = 0; nth < 12; nth += 1) {
      alerts.push(await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target }));
    }
    for (const alert of alerts) await test(alert);
    startAlerts();
    await waitFor('the hanging messages', () => hanging.received.length === 2);
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url, projectId: project.id });
    await startWorker();
    await insertEvents(project.id, 20);
    await waitFor('the deliveries', isSettled(endpoint.id, 20), 5_000);
    const other = await makeTestProject();
    const quick = await makeAlert(other, ['BACKLOG'], { kind: 'WEBHOOK', target: receiver.url });
    await call('POST', `/api/v1/projects/${other.id}/alerts/${quick.id}/test`, asPerson(other.owner));
    await waitFor('the other message', () => receiver.received.length === 21, 5_000);
    expect(hanging.received).toHaveLength(2);
  });
});

/** Stores so many due messages of an owner to a URL. */
async function insertMessages(target: string, messages: number): Promise<void> {
  const other = await makeTestProject();
  const alert = await makeAlert(other, ['BACKLOG'], { kind: 'WEBHOOK', target });
  await run(
    `INSERT INTO alert_messages (id, project_id, alert_id, owner_id, kind, text, data, status, available_at)
     SELECT gen_random_uuid(), project_id, id, owner_id, 'TEST', 'x', '{}', 'PENDING', now() - interval '1 minute'
     FROM alerts, generate_series(1, $2::int) WHERE id = $1`,
    alert.id,
    messages,
  );
}

describe('slow targets of many owners', () => {
  it('delay no message of an owner whose target is quick, however many of theirs wait', {
    timeout: 90_000,
  }, async () => {
    const slow = await startReceiver((response) => setTimeout(() => response.end(), 1_500));
    for (let nth = 0; nth < 25; nth += 1) await insertMessages(slow.url, 8);
    startAlerts();
    await waitFor('the second round', () => slow.received.length > 40);
    const receiver = await startReceiver();
    const quick = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: receiver.url });
    await test(quick);
    await waitFor('the quick message', () => receiver.received.length === 1, 4_000);
    expect(slow.received.length).toBeLessThan(150);
  });

  it('have half of the places, also when they answer quickly in between', { timeout: 60_000 }, async () => {
    const hanging: (() => void)[] = [];
    const answers = new Map<string, number>();
    for (let nth = 0; nth < 20; nth += 1) {
      const slow = await startReceiver((response) => {
        const answer = answers.get(slow.url) ?? 0;
        answers.set(slow.url, answer + 1);
        // The first is quick; then one hangs, one is quick, and all others hang.
        if (answer === 0 || answer === 2) response.end();
        else hanging.push(() => response.end());
      });
      await insertMessages(slow.url, 8);
    }
    const receiver = await startReceiver();
    const quick = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: receiver.url });
    startAlerts();
    for (const round of [1, 2]) {
      await waitFor('what hangs', () => hanging.length >= 20);
      await test(quick);
      await waitFor('the quick message', () => receiver.received.length === round, 5_000);
      // One of each owner, and a second one of those that came before 20 places were taken.
      expect(hanging.length).toBeLessThanOrEqual(30);
      for (const end of hanging.splice(0)) end();
    }
  });
});

describe('a message', () => {
  it('waits while its alert is muted, and is sent when it no longer is', async () => {
    const receiver = await startReceiver();
    const alert = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: receiver.url });
    await insertDue(await insertEndpoint({ url: 'https://r.example', projectId: project.id }), 6);
    await checkAll();
    const mute = (until: Date | null) =>
      call(
        'PATCH',
        `/api/v1/projects/${project.id}/alerts/${alert.id}`,
        asPerson(project.owner, { mutedUntil: until?.toISOString() ?? null }),
      );
    await mute(new Date(Date.now() + 600_000));
    startAlerts();
    const later = `SELECT FROM alert_messages WHERE alert_id = $1 AND available_at > now() + interval '5 minutes'`;
    await waitFor('the wait', async () => (await count(later, alert.id)) === 1);
    await mute(null);
    await waitFor('the message', isStatus(alert, 'SENT'), 5_000);
    expect(await lastOf(alert)).toMatchObject({ attempts: 1 });
  });

  it.each([
    ['project', 'UPDATE projects SET deleted_at = now() WHERE id = $1'],
    [
      'organization',
      'UPDATE organizations SET deleted_at = now() WHERE id = (SELECT organization_id FROM projects WHERE id = $1)',
    ],
  ])('of a deleted %s is not sent, and that of another project is', async (_name, deletion) => {
    const receiver = await startReceiver(respondWith(204));
    const target = { kind: 'WEBHOOK', target: receiver.url } as const;
    const other = await makeTestProject();
    const alert = await makeAlert(project, ['BACKLOG'], target);
    const kept = await makeAlert(other, ['BACKLOG'], target);
    await test(alert);
    await run(deletion, project.id);
    await call('POST', `/api/v1/projects/${other.id}/alerts/${kept.id}/test`, asPerson(other.owner));
    startAlerts();
    await waitFor('the other message', async () => (await messagesOf(other, kept)).at(-1)?.status === 'SENT');
    expect(receiver.received).toHaveLength(1);
    expect(await count('SELECT FROM alert_messages WHERE alert_id = $1 AND attempts = 0', alert.id)).toBe(1);
  });

  it('to Slack has the text in its format, without markup of others', async () => {
    const receiver = await startReceiver();
    const alert = await makeAlert(project, ['BACKLOG'], { name: '<!channel>', kind: 'SLACK', target: receiver.url });
    await test(alert);
    startAlerts();
    await waitFor('the message', isStatus(alert, 'SENT'));
    const { text, ...others } = JSON.parse(receiver.received[0]?.body ?? '');
    expect(others).toEqual({});
    expect(text).toContain('*Test of an alert in Shop*\nThis is a test of the alert “&lt;!channel&gt;”.');
    expect(text).toContain(`/projects/${project.id}/alerts|View details>`);
  });

  it('is sent once by two workers', async () => {
    const receiver = await startReceiver();
    const alert = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: receiver.url });
    const endpoints = await Promise.all(
      [1, 2, 3].map(() => insertEndpoint({ url: 'https://r.example', projectId: project.id })),
    );
    for (const endpoint of endpoints) await insertDue(endpoint, 6);
    startAlerts();
    startAlerts();
    const sent = `SELECT FROM alert_messages WHERE alert_id = $1 AND status = 'SENT'`;
    await waitFor('the messages', async () => (await count(sent, alert.id)) === 3);
    await run('UPDATE alerts SET next_check_at = now()');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(receiver.received).toHaveLength(3);
  });

  it('is not lost when the worker is killed after it was decided', { timeout: 60_000 }, async () => {
    const hanging = await startReceiver(() => undefined);
    const alert = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: hanging.url });
    await insertDue(await insertEndpoint({ url: 'https://r.example', projectId: project.id }), 6);
    await checkAll();
    const killed = await startWorkerProcess();
    await waitFor('the attempt', () => hanging.received.length === 1);
    await endProcess(killed, 'SIGKILL');
    const receiver = await startReceiver();
    await call(
      'PATCH',
      `/api/v1/projects/${project.id}/alerts/${alert.id}`,
      asPerson(project.owner, { target: receiver.url }),
    );
    await run('UPDATE alert_messages SET available_at = now() WHERE alert_id = $1', alert.id);
    startAlerts();
    await waitFor('the message', isStatus(alert, 'SENT'));
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      hanging.received[0]?.headers['webhook-id'],
    ]);
  });

  it('is returned by a worker that stops, and sent by the next one', async () => {
    let isHanging = true;
    const receiver = await startReceiver((response) => {
      if (!isHanging) response.end();
    });
    const alert = await makeAlert(project, ['BACKLOG'], { kind: 'WEBHOOK', target: receiver.url });
    await test(alert);
    const first = new AlertWorker({ pools: makeDeliveryPools() });
    first.start();
    await waitFor('the attempt', () => receiver.received.length === 1);
    await first.stop(3_000);
    isHanging = false;
    startAlerts();
    await waitFor('the message', isStatus(alert, 'SENT'), 5_000);
    expect(await lastOf(alert)).toMatchObject({ attempts: 1 });
  });
});
