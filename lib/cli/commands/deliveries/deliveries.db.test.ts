import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { startWorker } from '@/tests/delivery/worker';
import { insertFailedDelivery } from '@/tests/fixtures/failed-delivery';
import { call } from '@/tests/http/api-request';
import { respondWith, startReceiver } from '@/tests/http/receiver';

const { projects, makeEndpoint, eds, group } = useCli();
const { run } = group('deliveries');

async function sendEvent(): Promise<string> {
  const body = { type: 'order.paid', data: {} };
  return (await call<{ id: string }>('POST', '/api/v1/events', { apiKey: projects.mine.key, body })).json.id;
}

const made = { projectId: '', endpointId: '', eventId: '' };
beforeAll(async () => {
  made.projectId = projects.mine.id;
  made.endpointId = (await makeEndpoint(projects.mine, { url: 'https://receiver.example.com/hooks' })).id;
});
beforeEach(async () => {
  await database().query('DELETE FROM deliveries');
  made.eventId = await sendEvent();
});

/** Does the work of a worker until the command has ended. */
async function withWorker<T>(pending: Promise<T>): Promise<T> {
  let isDone = false;
  const work = (async () => {
    while (!isDone) await continueBulkRetries();
  })();
  return await pending.finally(async () => {
    isDone = true;
    await work;
  });
}

describe('eds deliveries', () => {
  it('lists deliveries with the URL they go to, filtered, as a table, as lines and as JSON', async () => {
    const id = await insertFailedDelivery(made);
    const table = await run(['list', '--status', 'failed', '--endpoint', made.endpointId], TERMINAL);
    expect(table.stdout).toMatch(/^ID +STATUS +RESULT +ATTEMPTS +EVENT +CREATED +TARGET$/m);
    const target = 'https://receiver.example.com/hooks';
    expect(table.stdout).toMatch(new RegExp(`^${id}  FAILED  503 +2 +order.paid +\\S+( ago)? +${target}$`, 'm'));
    const lines = await run(['list', '--event', made.eventId, '--from', '1h']);
    expect(lines.stdout.split('\t')).toMatchObject([id, 'FAILED', '503', '2', 'order.paid', /Z$/, `${target}\n`]);
    const json = await run(['list', '--json', '--limit', '1']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ id, endpointId: made.endpointId, lastResponseStatus: 503 }]);
    const matching = await run(['list', '--type', 'order.*', '--response-status', '5xx']);
    expect(matching.stdout).toContain(id);
    for (const none of [
      ['--status', 'pending'],
      ['--to', '1h'],
      ['--endpoint', newId()],
      ['--type', 'invoice.*'],
      ['--response-status', '4xx'],
    ]) {
      const empty = await run(['list', ...none]);
      expect([empty.stdout, empty.stderr], none.join(' ')).toEqual([
        '',
        expect.stringContaining('No deliveries match.'),
      ]);
    }
  });

  it('shows the status and the error first, and each attempt with its response made safe', async () => {
    const id = await insertFailedDelivery(made);
    const shown = await run(['get', id], TERMINAL);
    expect(shown.stdout).toMatch(/^STATUS +FAILED\nERROR +Answered with status 503\nTARGET +https:\/\/receiver/);
    expect(shown.stdout).toMatch(/^#2 +503 {2}\S+( ago)?, took 480 ms$/m);
    expect(shown.stdout).toMatch(/^ +"reason": "maintenance \\x9b2J"$/m);
    expect(shown.stdout).toMatch(/^#1 +Connection refused {2}\S+( ago)?, took 5.0 s$/m);
    expect(shown.stdout).toMatch(
      /^ +203\.0\.113\.7:443, DNS 12 ms, connect 20 ms, TLS 31 ms, response after 470 ms\n +server: a\\x9b$/m,
    );
    expect(shown.stdout).not.toContain('\u009b');
    expect(shown.stderr).toContain(`eds deliveries retry ${id}`);
    const lines = (await run(['get', id])).stdout.split('\n');
    expect(lines[0]).toBe('status\tFAILED');
    expect(lines).toContainEqual(expect.stringMatching(/^attempt\t1\t\S+Z\t5000\t\tConnection refused\t{4}$/));
    const json = JSON.parse((await run(['get', id, '--json'])).stdout);
    expect(json).toMatchObject({ id, attempts: [{ attemptNumber: 2 }, { attemptNumber: 1 }] });
  });

  it('exits with 2 for wrong options, and 3 for a project that the key does not belong to', async () => {
    const id = await insertFailedDelivery(made);
    for (const wrong of [[], [id, '--all-failed'], [id, '--from', '1h'], ['--all-failed', '--wait']]) {
      expect((await run(['retry', ...wrong])).code, wrong.join(' ')).toBe(2);
    }
    expect((await run(['list', '--project', 'Another shop'])).code).toBe(3);
  });
});

describe('eds deliveries retry', () => {
  it('retries a delivery, and waits for the attempt and its result', async () => {
    const receiver = await startReceiver((response, index, request) =>
      respondWith(index === 0 ? 500 : 200, 'seen')(response, index, request),
    );
    const { id: endpointId } = await makeEndpoint(projects.mine, { url: receiver.url, retrySeconds: [600] });
    const id = await insertFailedDelivery({ ...made, endpointId });
    await startWorker();
    const failed = await run(['retry', id, '--wait']);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('Attempt 3: Answered with status 500')]);
    const delivered = await run(['retry', id, '--wait', '--json']);
    expect([delivered.code, JSON.parse(delivered.stdout).status]).toEqual([0, 'SUCCEEDED']);
    const queued = await run(['retry', id]);
    expect([queued.code, queued.stderr]).toEqual([0, expect.stringContaining(`Retrying the delivery ${id}`)]);
  });

  it('says that an attempt has not ended in time', async () => {
    const id = await insertFailedDelivery(made);
    const waited = await run(['retry', id, '--wait', '--timeout', '1s', '--json']);
    expect([waited.code, JSON.parse(waited.stdout).status]).toEqual([1, 'PENDING']);
    expect(JSON.parse(waited.stderr).error.code).toBe('timeout');
  });

  it('retries all deliveries that the filters choose and that failed or wait for another attempt, after a confirmation', async () => {
    const other = await makeEndpoint(projects.mine);
    const ids = [await insertFailedDelivery(made), await insertFailedDelivery(made), await insertFailedDelivery(made)];
    const untouched = await insertFailedDelivery({ ...made, endpointId: other.id });
    const later = `UPDATE deliveries SET status = 'PENDING', completed_at = NULL, next_attempt_at = now() + interval '1 hour' WHERE id = $1`;
    await database().query(later, [ids[0]]);
    const statuses = async () => {
      const { rows } = await database().query<{ id: string; status: string }>('SELECT id, status FROM deliveries');
      return new Map(rows.map(({ id, status }) => [id, status]));
    };
    const all = ['retry', '--all-failed', '--endpoint', made.endpointId];
    expect((await run(all)).stderr).toContain(
      'Retry 3 deliveries that failed or wait for another attempt? There’s no terminal to ask on.',
    );
    expect((await statuses()).get(ids[1] ?? '')).toBe('FAILED');
    const retried = await withWorker(run([...all, '--yes', '--json']));
    expect(JSON.parse(retried.stdout)).toMatchObject({ status: 'COMPLETED', total: 3, retried: 3 });
    const after = await statuses();
    expect(ids.map((id) => after.get(id))).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(after.get(untouched)).toBe('FAILED');
    const none = await run([...all, '--yes', '--to', '2001-01-01']);
    expect([none.code, none.stderr]).toEqual([0, 'No failed or waiting deliveries match.\n']);
  });

  it('exits with 1 when one of all cannot be retried, and retries the others', async () => {
    const disabled = await makeEndpoint(projects.mine, { enabled: false });
    await insertFailedDelivery(made);
    await insertFailedDelivery({ ...made, endpointId: disabled.id });
    const retried = await withWorker(
      run(['retry', '--all-failed'], { ...TERMINAL, tty: ['stdin', 'stdout', 'stderr'], stdin: 'y\n' }),
    );
    expect(retried.code).toBe(1);
    expect(retried.stderr).toContain('Retried 1 of 2 deliveries.');
    expect(retried.stderr).toContain('Skipped 1: the endpoint or destination is paused or disabled.');
  });

  it('cancels the retry of all on Ctrl-C', async () => {
    await insertFailedDelivery(made);
    const running = eds.start(['deliveries', 'retry', '--all-failed', '--yes'], {
      ...TERMINAL,
      env: { EDS_API_KEY: projects.mine.key },
    });
    await running.waitFor('Retried 0 of 1');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    const { rows } = await database().query('SELECT status FROM bulk_retries ORDER BY id DESC LIMIT 1');
    expect([code, rows[0].status]).toEqual([130, 'CANCELED']);
    expect(stderr).toContain('Canceled. Retried 0 of 1 delivery. Those are still sent.');
  });
});
