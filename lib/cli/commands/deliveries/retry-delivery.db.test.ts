import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import { database } from '@/lib/platform/db';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { startWorker } from '@/tests/delivery/worker';
import { insertFailedDelivery } from '@/tests/fixtures/failed-delivery';
import { call } from '@/tests/http/api-request';
import { respondWith, startReceiver } from '@/tests/http/receiver';

const { projects, makeEndpoint, eds, group } = useCli();
const { run } = group('deliveries');

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

async function sendEvent(): Promise<string> {
  const body = { type: 'order.paid', data: {} };
  return (await call<{ id: string }>('POST', '/api/v1/events', { apiKey: projects.mine.key, body })).json.id;
}

describe('eds deliveries retry', () => {
  const made = { projectId: '', endpointId: '', eventId: '' };
  beforeAll(async () => {
    made.projectId = projects.mine.id;
    made.endpointId = (await makeEndpoint(projects.mine, { url: 'https://receiver.example.com/hooks' })).id;
  });
  beforeEach(async () => {
    await database().query('DELETE FROM deliveries');
    made.eventId = await sendEvent();
  });

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
    expect([queued.code, queued.stderr]).toEqual([0, expect.stringContaining(`Queued the delivery ${id}`)]);
  });

  it('says that an attempt has not ended in time', async () => {
    const id = await insertFailedDelivery(made);
    const waited = await run(['retry', id, '--wait', '--timeout', '1s', '--json']);
    expect([waited.code, JSON.parse(waited.stdout).status]).toEqual([1, 'PENDING']);
    expect(JSON.parse(waited.stderr).error.code).toBe('timeout');
  });

  it('retries all failed deliveries that the filters choose, after a confirmation', async () => {
    const other = await makeEndpoint(projects.mine);
    const ids = [await insertFailedDelivery(made), await insertFailedDelivery(made), await insertFailedDelivery(made)];
    const untouched = await insertFailedDelivery({ ...made, endpointId: other.id });
    const statuses = async () => {
      const { rows } = await database().query<{ id: string; status: string }>('SELECT id, status FROM deliveries');
      return new Map(rows.map(({ id, status }) => [id, status]));
    };
    const all = ['retry', '--all-failed', '--endpoint', made.endpointId];
    expect((await run(all)).stderr).toContain('Retry 3 failed deliveries? There’s no terminal to ask on.');
    expect([...(await statuses()).values()]).toEqual(Array(4).fill('FAILED'));
    const retried = await withWorker(run([...all, '--yes', '--json']));
    expect(JSON.parse(retried.stdout)).toMatchObject({ status: 'COMPLETED', total: 3, retried: 3 });
    const after = await statuses();
    expect(ids.map((id) => after.get(id))).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(after.get(untouched)).toBe('FAILED');
    const none = await run([...all, '--yes']);
    expect([none.code, none.stderr]).toEqual([0, 'No failed deliveries match.\n']);
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
    expect(retried.stderr).toContain('Skipped 1: the endpoint or destination is disabled.');
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
