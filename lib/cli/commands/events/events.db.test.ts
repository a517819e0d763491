import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { RunOptions } from '@/tests/cli/eds';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';
import { startWorker } from '@/tests/delivery/worker';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { respondWith, startReceiver } from '@/tests/http/receiver';

const { projects, url, eds } = useCli();
const withKey = (key = projects.mine.key) => ({ EDS_API_KEY: key, NO_COLOR: '1' });
const run = (args: string[], options: RunOptions = {}) => eds.run(args, { env: withKey(), ...options });
const terminal = (): RunOptions => ({ tty: ['stdout', 'stderr'], env: withKey(), columns: 140 });
const ID = /^[0-9a-f-]{36}$/;

describe('eds events send', () => {
  it('sends data of the command line, a file or standard input, and writes the ID', async () => {
    const sent = await run(['send', 'order.paid', '-d', '{"orderId": 42}']);
    expect([sent.code, sent.stdout.trim(), sent.stderr]).toEqual([0, expect.stringMatching(ID), '']);
    const piped = await run(['events', 'send', 'order.paid', '-d', '-', '--json'], { stdin: '{"from": "stdin"}' });
    const { id, type } = JSON.parse(piped.stdout);
    expect(type).toBe('order.paid');
    expect(JSON.parse((await run(['events', 'get', id, '--json'])).stdout)).toMatchObject({ data: { from: 'stdin' } });
    const shown = await run(['send', 'order.paid'], terminal());
    expect([shown.stdout, shown.stderr]).toEqual(['', expect.stringMatching(/^✓ Sent order\.paid \(\S+\)\.\n/)]);
  });

  it('sends data as it was written: numbers of any length keep their digits', async () => {
    const data = '{"id":12345678901234567890,"amount":1.10}';
    const one = await run(['send', 'order.paid', '--data', data]);
    const many = await run(['send', '--stdin', '--json'], { stdin: `{"type":"order.paid","data":${data}}\n` });
    for (const id of [one.stdout.trim(), JSON.parse(many.stdout).id]) {
      const { rows } = await database().query('SELECT payload FROM events WHERE id = $1', [id]);
      expect(rows).toEqual([{ payload: data }]);
    }
  });

  it('stores one event for an idempotency key', async () => {
    const args = ['send', 'order.paid', '-d', '{"n": 1}', '--idempotency-key', 'k-1'];
    const first = await run(args);
    const second = await run(args);
    expect(second.stdout).toBe(first.stdout);
    const other = await run(['send', 'order.paid', '-d', '{"n": 2}', '--idempotency-key', 'k-1', '--json']);
    expect([other.code, JSON.parse(other.stderr).error.code]).toEqual([1, 'idempotency_conflict']);
  });

  it('exits with 2 for wrong input, 4 without a key, and 5 with a session or a key that only reads', async () => {
    for (const wrong of [[], ['a', '-d', '{'], ['a', '-d', '[1]'], ['a', '-d', '@none'], ['a', '--stdin']]) {
      expect((await run(['send', ...wrong])).code, wrong.join(' ')).toBe(2);
    }
    expect((await run(['send', 'a'], { env: {} })).code).toBe(4);
    expect((await run(['send', 'a'], { env: withKey(projects.mine.readOnlyKey) })).code).toBe(5);
    await signIn(eds, url(), projects.mine.owner);
    const asPerson = await run(['send', 'a'], { env: {} });
    expect([asPerson.code, asPerson.stderr]).toEqual([5, expect.stringContaining('eds keys create my-machine --save')]);
    expect((await run(['send', 'a', '--project', 'Another shop'])).code).toBe(3);
    expect((await run(['send', 'a', '--project', projects.foreign.id])).code).toBe(3);
    expect((await run(['send', 'a', '--project', projects.mine.id])).code).toBe(0);
  });
});

describe('eds events send --wait', () => {
  it('shows the deliveries once they have ended, and exits with 1 when one failed', async () => {
    const good = await startReceiver();
    const bad = await startReceiver(respondWith(500));
    const { id: projectId } = projects.mine;
    await insertEndpoint({ url: good.url, projectId, eventTypes: ['waited.*'] });
    await startWorker();
    const delivered = await run(['send', 'waited.good', '--wait'], terminal());
    expect([delivered.code, delivered.stdout]).toEqual([0, expect.stringMatching(/^DELIVERIES\nID +STATUS +RESULT/m)]);
    expect(delivered.stdout).toMatch(new RegExp(`^\\S+  SUCCEEDED +200 +1 +- +${good.url}$`, 'm'));
    await insertEndpoint({ url: bad.url, projectId, eventTypes: ['waited.bad'], retrySeconds: [1] });
    const failed = await run(['send', 'waited.bad', '--wait', '--json']);
    const { deliveries } = JSON.parse(failed.stdout);
    expect(deliveries.map(({ status }: { status: string }) => status).sort()).toEqual(['FAILED', 'SUCCEEDED']);
    expect([failed.code, JSON.parse(failed.stderr).error.message]).toEqual([1, '1 of 2 deliveries failed.']);
    const none = await run(['send', 'unheard', '--wait']);
    expect([none.code, none.stderr]).toEqual([
      0,
      expect.stringMatching(/^No delivery\. See why: eds events explain \S+\n$/),
    ]);
  });

  it('says that deliveries have not ended in time', async () => {
    const late = await run(['send', 'nobody.works', '--wait', '--timeout', '1s', '--json']);
    expect([late.code, JSON.parse(late.stdout).fanOutStatus]).toEqual([1, 'PENDING']);
    expect(JSON.parse(late.stderr).error.code).toBe('timeout');
  });
});

describe('eds events explain', () => {
  it('shows where an event went, and where not and why: reasons on a terminal whole, for programs as lines and JSON', async () => {
    const { id: projectId } = projects.mine;
    await database().query(
      'DELETE FROM endpoints WHERE project_id = $1 AND id NOT IN (SELECT endpoint_id FROM deliveries)',
      [projectId],
    );
    const endpoint = await insertEndpoint({
      url: 'https://explained.example/hooks',
      projectId,
      eventTypes: ['explained.*'],
    });
    const id = (await run(['send', 'unexplained'])).stdout.trim();
    const reason = 'It is subscribed to explained.*, not to unexplained. Subscribe it to unexplained for later events.';
    const json = JSON.parse((await run(['events', 'explain', id, '--json'])).stdout);
    expect(json[0]).toMatchObject({ endpointId: endpoint.id, outcome: 'NOT_SUBSCRIBED', deliveryId: null });
    const lines = await run(['events', 'explain', id, '--all']);
    expect(lines.stdout).toContain(
      `NOT_SUBSCRIBED\thttps://explained.example/hooks\t${reason} Send this event to it.\t${endpoint.id}\t\n`,
    );
    const shown = await run(['events', 'explain', id], terminal());
    expect(shown.stdout).toContain(
      `NOT_SUBSCRIBED  https://explained.example/hooks  ${endpoint.id}\n  ${reason} Send this event to it.\n`,
    );
    expect(shown.stderr).toContain(`eds events send-to ${id} ${endpoint.id}`);
    expect((await run(['events', 'explain', newId()])).code).toBe(3);
  });

  it('sends an event to an endpoint that it did not go to, once', async () => {
    const receiver = await startReceiver();
    const { id: projectId } = projects.mine;
    const endpoint = await insertEndpoint({ url: receiver.url, projectId, eventTypes: ['other'] });
    const id = (await run(['send', 'by.hand'])).stdout.trim();
    const sent = await run(['events', 'send-to', id, endpoint.id]);
    expect([sent.code, sent.stderr]).toEqual([0, expect.stringContaining(`Sending the event to ${receiver.url}`)]);
    const again = await run(['events', 'send-to', id, endpoint.id, '--json']);
    expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([1, 'conflict']);
  });
});

describe('eds events list and get', () => {
  const ids: string[] = [];

  it('lists events by type, pattern and time, as a table, as lines and as JSON', async () => {
    for (const type of ['list.a', 'list.b', 'list', 'listing']) ids.push((await run(['send', type])).stdout.trim());
    const types = async (...args: string[]) =>
      JSON.parse((await run(['events', 'list', '--json', ...args])).stdout).map(({ type }: { type: string }) => type);
    expect(await types('--type', 'list.a')).toEqual(['list.a']);
    expect(await types('--type', 'list.*')).toEqual(['list.b', 'list.a']);
    expect(await types('--type', 'list.*', '--limit', '1', '--from', '1h')).toEqual(['list.b']);
    expect(await types('--type', 'list.*', '--to', '1h')).toEqual([]);
    expect(await types('--type', 'list.*', '--status', 'succeeded')).toEqual([]);
    expect(await types('--type', 'list.*', '--endpoint', ids[0] ?? '')).toEqual([]);
    expect(await types('--type', 'waited.*', '--status', 'succeeded')).toContain('waited.good');
    const table = await run(['events', 'list', '--type', 'list.a'], terminal());
    expect(table.stdout).toMatch(/^ID +TYPE +CREATED +DELIVERIES +SUCCEEDED +FAILED +RETRYING +QUEUED$/m);
    expect(table.stdout).toMatch(new RegExp(`^${ids[0]}  list\\.a +\\S+( ago)? +QUEUED +0 +0 +0 +0$`, 'm'));
    const lines = await run(['events', 'list', '--type', 'list.a']);
    expect(lines.stdout).toMatch(new RegExp(`^${ids[0]}\tlist\\.a\t\\S+Z\tQUEUED\t0\t0\t0\t0\t\n$`));
  });

  it('shows which piece of the data a search found', async () => {
    const id = (await run(['send', 'searched', '-d', '{"orderId": "42f1", "amount": 7}'])).stdout.trim();
    const found = await run(['events', 'list', '--text', '"orderId":"42f1"']);
    expect(found.stdout).toMatch(new RegExp(`^${id}\tsearched\t.*\t\\{"orderId": ?"42f1", ?"amount": ?7\\}\n$`));
  });

  it('shows an event with its data, indented on a terminal and made safe', async () => {
    const { stdout } = await run(['send', 'shown', '-d', '{"name": "a\u009b2Jb", "items": [1]}']);
    const shown = await run(['events', 'get', stdout.trim()], terminal());
    expect(shown.stdout).toMatch(
      /^TYPE +shown\nID +\S+\nCREATED .*\nKEY +\S+\nSENT FROM +127\.0\.0\.1\nIDEMPOTENCY KEY +\S+\n\nDELIVERIES\n\nDATA\n\{\n {2}"name": "a\\x9b2Jb",\n/,
    );
    const lines = await run(['events', 'get', stdout.trim()]);
    expect(lines.stdout).toMatch(/^type\tshown\n(.*\n)*data\t\{"name":"a\\x9b2Jb","items":\[1\]\}\n$/);
    expect((await run(['events', 'get', newId()])).code).toBe(3);
    expect((await run(['events', 'get', stdout.trim()], { env: withKey(projects.foreign.key) })).code).toBe(3);
  });

  it('shows with which key, from where and with which idempotency key an event was sent, and when it was attempted', async () => {
    const receiver = await startReceiver();
    await insertEndpoint({ url: receiver.url, projectId: projects.mine.id, eventTypes: ['attempted'] });
    await startWorker();
    const sent = await run(['send', 'attempted', '--idempotency-key', 'k-42', '--wait', '--json']);
    const { id } = JSON.parse(sent.stdout);
    const shown = (await run(['events', 'get', id])).stdout;
    expect(shown).toContain(`\nkey\t${projects.mine.keyId}\nsent from\t127.0.0.1\nidempotency key\tk-42\n`);
    expect(shown).toMatch(new RegExp(`\nattempt\t\\d{4}-\\S+Z\t200\t\\d+\t1\t${receiver.url}\n`));
    await signIn(eds, url(), projects.mine.owner);
    const asPerson = await run(['events', 'get', id, '--project', projects.mine.id], { env: {} });
    expect(asPerson.stdout).toContain(`\nkey\tserver (${projects.mine.keyId})\n`);
  });

  it('writes the data as its sender wrote it: large integers, 1.0 and escapes', async () => {
    const data = '{ "id": 12345678901234567890, "price": 1.0,\n\t"e": 1E400, "text": "\\u00e9 , 1.0", "none": {} }';
    const compact = '{"id":12345678901234567890,"price":1.0,"e":1E400,"text":"\\u00e9 , 1.0","none":{}}';
    const sent = await fetch(`${url()}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': projects.mine.key },
      body: `{"type": "exact", "data": ${data}}`,
    });
    const { id } = (await sent.json()) as { id: string };
    expect((await run(['events', 'get', id])).stdout).toContain(`\ndata\t${compact}\n`);
    expect((await run(['events', 'get', id, '--json'])).stdout).toContain(`"data":${compact}}\n`);
    const shown = await run(['events', 'get', id], terminal());
    expect(shown.stdout).toContain('\nDATA\n{\n  "id": 12345678901234567890,\n  "price": 1.0,\n  "e": 1E400,\n');
    expect((await run(['events', 'get', id, '--json'], terminal())).stdout).toContain('\n    "price": 1.0,\n');
    const tail = ['events', 'tail', '--type', 'exact', '--from', '1h', '--with-data'];
    for (const args of [tail, [...tail, '--json']]) {
      const running = eds.start(args, { env: withKey() });
      await running.waitFor(compact);
      running.child.kill('SIGINT');
      expect((await running.ended).stdout.trim().split('\n')).toHaveLength(1);
    }
  });
});
