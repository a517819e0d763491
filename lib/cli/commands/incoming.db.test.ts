import { beforeAll, describe, expect, it } from 'vitest';
import { continueReplays } from '@/lib/incoming/replays/continue-replays';
import type { IncomingEventReceipt, Replay, Source } from '@/lib/incoming/schema';
import { config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import type { RunOptions } from '@/tests/cli/eds';
import { useCli } from '@/tests/cli/use-cli';
import { startWorker } from '@/tests/delivery/worker';
import { sourceTools } from '@/tests/fixtures/sources';
import { startReceiver, waitFor } from '@/tests/http/receiver';

const { projects, url, eds, group } = useCli();
const { run } = group('incoming');
const { manage, makeSource, makeDestination, post, deliveriesOf } = sourceTools(() => projects.mine);

const JSON_TYPE = { 'content-type': 'application/json' };
let source: Source;
beforeAll(async () => {
  source = await makeSource();
});

/** Posts over a socket: the body may be any bytes. */
const take = async (body: string | Buffer<ArrayBuffer>): Promise<IncomingEventReceipt> => {
  const { pathname } = new URL(source.url ?? '');
  const response = await fetch(`${url()}${pathname}`, { method: 'POST', body });
  expect(response.status).toBe(202);
  return (await response.json()) as IncomingEventReceipt;
};

describe('eds incoming', () => {
  it('list filters by source, type and time, and get shows headers, body and deliveries', async () => {
    const { port } = await startReceiver();
    const own = await makeSource();
    await makeDestination(own, { url: `http://127.0.0.1:${port}/` });
    const { json } = await post(own, '{"id":12345678901234567890,"a":[]}', {
      ...JSON_TYPE,
      'x-note': 'hi',
      'x-event-type': 'made',
    });
    await startWorker();
    await waitFor('the forward', async () => (await deliveriesOf(json.id))[0]?.status === 'SUCCEEDED');
    const [none, other, listed] = await Promise.all([
      run(['list', '--source', own.id, '--event-type', 'other']),
      run(['list', '--source', own.id, '--to', '1h']),
      run(['list', '--source', own.id, '--from', '1h', '--event-type', 'made']),
    ]);
    for (const { stdout, stderr } of [none, other]) expect([stdout, stderr]).toEqual(['', 'No incoming events.\n']);
    expect(listed.stdout).toBe(
      [json.id, own.id, 'made', '', 'application/json', '34', `${json.createdAt}\n`].join('\t'),
    );
    const { stdout } = await run(['get', json.id], { tty: ['stdout'], columns: 200, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('x-note: hi\n');
    expect(stdout).toContain('{\n  "id": 12345678901234567890,\n  "a": []\n}\n');
    expect(stdout).toMatch(/\nDeliveries\nDELIVERY .*\n[0-9a-f-]{36} .* SUCCEEDED +1 +200/);
    const shown = JSON.parse((await run(['get', json.id, '--json'])).stdout);
    expect(shown).toMatchObject({ id: json.id, deliveries: [{ status: 'SUCCEEDED' }] });
  });

  it('body writes the bytes as they are to a pipe, and harmless text to a terminal', async () => {
    const binary = Buffer.from([0, 255, 27, 91, 50, 74]);
    const [{ id }, text] = [await take(binary), await take('\x1b[2Jgone')];
    const [piped, hex, harmless, json] = await Promise.all([
      run(['body', id], { raw: true }),
      run(['body', id], { tty: ['stdout'] }),
      run(['body', text.id], { tty: ['stdout'] }),
      run(['body', id, '--json']),
    ]);
    expect(Buffer.from(piped.stdout, 'latin1')).toEqual(binary);
    expect(hex.stdout).toMatch(/^00000000 {2}00 ff 1b 5b 32 4a +\.\.\.\[2J\n$/);
    expect(harmless.stdout).toBe('\\x1b[2Jgone\n');
    expect(JSON.parse(json.stdout)).toMatchObject({ size: 6, body: null, bodyBase64: binary.toString('base64') });
  });

  it('body writes all of a large one to a pipe, and says on a terminal how to get the rest', async () => {
    setOnce('config', { ...config(), SOURCE_MAX_BODY_BYTES: 1024 * 1024 });
    const large = Buffer.alloc(600 * 1024, 'abc');
    const { id } = await take(large);
    expect((await run(['body', id], { raw: true })).stdout).toBe(large.toString());
    const shown = await run(['body', id], { tty: ['stdout'] });
    expect(shown.stdout).toContain(`… the first 512 KiB. All of it: eds incoming body ${id} > body.bin`);
    expect(JSON.parse((await run(['body', id, '--json'])).stdout)).toMatchObject({
      bodyTruncated: true,
      size: large.length,
    });
  });

  it('replay forwards one again, to all destinations or to one', async () => {
    const own = await makeSource();
    const { json } = await post(own, 'x');
    expect((await run(['replay', json.id])).stderr).toContain('The source has no enabled destinations.');
    const first = await makeDestination(own, { url: 'https://a.example.com/' });
    await makeDestination(own, { url: 'https://b.example.com/' });
    const all = await run(['replay', json.id]);
    const done = `✓ Replayed the incoming event ${json.id}; 2 deliveries are queued.\n`;
    expect([all.code, all.stderr]).toEqual([0, done]);
    const one = JSON.parse((await run(['replay', json.id, '--destination', first.id, '--json'])).stdout);
    expect(one.deliveryIds).toHaveLength(1);
  });

  it('replay of a source asks, shows progress on a terminal, and ends when all are queued', async () => {
    const own = await makeSource();
    await makeDestination(own, { url: 'https://a.example.com/' }, { enabled: false });
    const { received, port } = await startReceiver();
    await makeDestination(own, { url: `http://127.0.0.1:${port}/` });
    for (const body of ['1', '2', '3']) await post(own, body);
    expect((await run(['replay', '--source', own.id, '--from', '1h'])).code).toBe(2);
    await startWorker({ continueReplays });
    const options: RunOptions = { tty: ['stdin', 'stderr'], stdin: 'y\n' };
    const asked = await run(['replay', '--source', own.id, '--from', '1h'], options);
    expect(asked.stderr).toMatch(/Replay 3 incoming events from shop since \S+\? \[y\/N\]/);
    expect(asked.stderr).toContain('Replayed 3 of 3 incoming events.');
    expect(asked.stderr).toMatch(/\r.*Replayed \d of 3 incoming events…/);
    await waitFor('the forwards', () => received.length >= 3);
    const quiet = await run(['replay', '--source', own.id, '--yes', '--json']);
    expect(JSON.parse(quiet.stdout)).toMatchObject({ status: 'COMPLETED', total: 3, replayed: 3 });
    expect(quiet.stderr).toBe('');
  });

  it('replay of a source is canceled by Ctrl-C, and started in the background by --no-wait', async () => {
    const own = await makeSource();
    await makeDestination(own, { url: 'https://a.example.com/' });
    await post(own, 'x');
    const started = await run(['replay', '--source', own.id, '--yes', '--no-wait', '--json']);
    expect(JSON.parse(started.stdout)).toMatchObject({ status: 'RUNNING', total: 1 });
    const env = { EDS_API_KEY: projects.mine.key };
    const running = eds.start(['incoming', 'replay', '--source', own.id, '--yes'], { tty: ['stderr'], env });
    await running.waitFor('Replayed 0 of 1');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining('Canceled. Replayed 0 of 1')]);
    const { data } = await manage<{ data: Replay[] }>('GET', '/incoming-event-replays?limit=1');
    expect(data[0]?.status).toBe('CANCELED');
  });

  it('exits with 2 for unclear arguments', async () => {
    const { id } = await take('x');
    for (const unclear of [['replay'], ['replay', id, '--source', source.id]]) {
      expect((await run(unclear)).code, unclear.join(' ')).toBe(2);
    }
  });
});
