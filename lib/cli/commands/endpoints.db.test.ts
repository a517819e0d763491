import { describe, expect, it } from 'vitest';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { rollUpStats } from '@/lib/stats/roll-up';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { insertAttempt } from '@/tests/fixtures/stats';
import { call } from '@/tests/http/api-request';
import { respondWith, startReceiver } from '@/tests/http/receiver';

const { projects, base, asOwner, makeEndpoint, group } = useCli();
const { run } = group('endpoints');
const get = async (id: string) => (await call<Endpoint>('GET', `${base()}/endpoints/${id}`, asOwner())).json;

describe('eds endpoints', () => {
  it('creates an endpoint with its subscriptions, and shows no secret', async () => {
    const args = [
      'create',
      'https://a.example.com/hooks',
      '-e',
      'order.*',
      '-e',
      'user.created',
      '--description',
      'shop',
    ];
    const created = await run([...args, '--retry-seconds', '5, 60']);
    const id = /endpoint (\S+) for https:\/\/a\.example\.com\/hooks/.exec(created.stderr)?.[1] ?? '';
    expect([created.code, created.stdout]).toEqual([0, '']);
    expect(created.stderr).toContain('It receives order.*, user.created.');
    expect(await get(id)).toMatchObject({ description: 'shop', retrySeconds: [5, 60], enabled: true });
    const json = await run(['create', 'https://b.example.com/', '--event', '*', '--paused', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ enabled: false, subscriptions: [{ eventType: '*' }] });
    const listed = await run(['create', 'https://d.example.com/', '--event-types', 'a.b,c.*', '-e', 'a.b', '--json']);
    expect(JSON.parse(listed.stdout).subscriptions).toMatchObject([{ eventType: 'a.b' }, { eventType: 'c.*' }]);
    const alone = await run(['create', 'https://c.example.com/']);
    expect(alone.stderr).toContain('It receives no events yet.');
    expect(created.stderr + json.stdout + alone.stderr).not.toContain('whsec_');
  });

  it('creates nothing when a subscription cannot be created', async () => {
    const refused = await run(['create', 'https://half.example.com/', '-e', 'order.paid', '-e', 'not a type']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('eventTypes.1 must be')]);
    const { json } = await call<Listing<Endpoint>>('GET', `${base()}/endpoints?limit=100`, asOwner());
    expect(json.data.filter(({ url }) => url === 'https://half.example.com/')).toEqual([]);
    const subscriptions = await call<Listing<Subscription>>('GET', `${base()}/subscriptions?limit=100`, asOwner());
    expect(subscriptions.json.data.filter(({ eventType }) => eventType === 'order.paid')).toEqual([]);
  });

  it('lists endpoints with their state, and shows one with subscriptions and last deliveries', async () => {
    const { id } = await makeEndpoint(projects.mine, { url: 'https://failing.example.com/' });
    await call('POST', `${base()}/subscriptions`, { ...asOwner(), body: { endpointId: id, eventType: 'order.*' } });
    await database().query(`UPDATE endpoints SET failing_since = now() - interval '3 hours' WHERE id = $1`, [id]);
    const table = await run(['list'], TERMINAL);
    expect(table.stdout).toMatch(/^ID +STATE +SINCE +URL +SUCCESS +P95 +DESCRIPTION +LAST EVENT +EVENTS$/m);
    expect(table.stdout).toMatch(
      new RegExp(`^${id}  failing +3h ago +(?:https://)?failing.example.com/ +- +- +- +- +order\\.\\*$`, 'm'),
    );
    expect(JSON.parse((await run(['list', '--json'])).stdout)).toContainEqual(expect.objectContaining({ id }));
    await database().query(
      `UPDATE endpoints SET enabled = false, disabled_reason = 'gone', disabled_at = now(), failing_since = NULL WHERE id = $1`,
      [id],
    );
    const shown = await run(['get', id], TERMINAL);
    expect(shown.stdout).toMatch(/^STATE +disabled\nSINCE .*\nREASON +The receiver answered 410 Gone\.\nURL/);
    expect(shown.stdout).toMatch(/^SUBSCRIPTIONS\nID +EVENT TYPE +STATE\n\S+ +order\.\* +enabled$/m);
    expect(shown.stderr).toContain(`eds endpoints resume ${id}`);
    const lines = (await run(['get', id])).stdout;
    expect(lines).toMatch(/^url\thttps:\/\/failing\.example\.com\/$/m);
    expect(lines).toMatch(/^subscription\t\S+\torder\.\*\tenabled$/m);
    const json = JSON.parse((await run(['get', id, '--json'])).stdout);
    expect(json).toMatchObject({ id, subscriptions: [{ eventType: 'order.*' }], recentDeliveries: [] });
  });

  it('lists the success rate and the duration of attempts, which it can sort by; as JSON what the API returns', async () => {
    const { id } = await makeEndpoint();
    const target = { id, projectId: projects.mine.id };
    for (const status of [200, 200, 500]) await insertAttempt(target, { status, durationMs: 1_000 });
    while (await rollUpStats());
    const [line] = (await run(['list', '--text', id], TERMINAL)).stdout.split('\n').slice(1);
    expect(line).toMatch(new RegExp(`^${id} +enabled +.* 66\\.6% +\\d{3} ms `));
    const [json] = JSON.parse((await run(['list', '--text', id, '--json'])).stdout);
    expect(json).not.toHaveProperty('health');
  });

  it('finds endpoints by text and state, in a chosen order', async () => {
    const { id: last } = await makeEndpoint(projects.mine, { url: 'https://zzz.sorted.example.com/' });
    const { id: first } = await makeEndpoint(projects.mine, { url: 'https://aaa.sorted.example.com/' });
    const ids = async (...args: string[]) =>
      JSON.parse((await run(['list', '--text', 'SORTED', '--json', ...args])).stdout).map(({ id }: Endpoint) => id);
    expect(await ids('--sort', 'host')).toEqual([first, last]);
    expect(await ids('--sort', '-host', '--state', 'enabled')).toEqual([last, first]);
    expect(await ids('--state', 'failing')).toEqual([]);
  });

  it('changes, pauses, resumes and deletes an endpoint', async () => {
    const { id } = await makeEndpoint();
    const updated = await run(['update', id, '--url', 'https://new.example.com/', '--description', 'x', '--json']);
    expect(JSON.parse(updated.stdout)).toMatchObject({ url: 'https://new.example.com/', description: 'x' });
    expect((await run(['update', id, '--description', ''])).code).toBe(0);
    expect((await run(['pause', id])).stderr).toContain(`Paused the endpoint ${id}`);
    expect(await get(id)).toMatchObject({ enabled: false, description: null, pauseReason: null });
    expect((await run(['pause', id, '--reason', 'Moving'])).code).toBe(0);
    expect((await run(['get', id], TERMINAL)).stdout).toMatch(/^STATE +paused\nSINCE .*\nREASON +Moving$/m);
    expect((await run(['resume', id])).code).toBe(0);
    expect(await get(id)).toMatchObject({ enabled: true, pauseReason: null });
    expect((await run(['delete', id])).stderr).toContain('Add --yes.');
    expect((await get(id)).id).toBe(id);
    expect(JSON.parse((await run(['delete', id, '--yes', '--json'])).stdout)).toEqual({ id, deleted: true });
    expect((await run(['get', id])).code).toBe(3);
  });

  it('takes the old words of scripts for pausing and resuming, and does not show them', async () => {
    const { id } = await makeEndpoint();
    for (const args of [
      ['disable', id],
      ['update', id, '--disable'],
    ]) {
      expect((await run(args)).code).toBe(0);
      expect(await get(id)).toMatchObject({ enabled: false });
      await run(['resume', id]);
    }
    for (const args of [
      ['enable', id],
      ['update', id, '--enable'],
      ['update', id, '--resume'],
    ]) {
      await run(['update', id, '--pause']);
      expect((await run(args)).code).toBe(0);
      expect(await get(id)).toMatchObject({ enabled: true });
    }
    expect((await run(['update', id, '--pause', '--enable'])).stderr).toContain('Give --pause or --resume, not both.');
    for (const args of [['--help'], ['update', '--help'], ['create', '--help']]) {
      expect((await run(args)).stdout).not.toMatch(/^ +(?:--)?(?:en|dis)able\b/m);
    }
  });

  it('finds an endpoint by its uid, wherever an ID can be given', async () => {
    const { id } = await makeEndpoint();
    expect((await run(['update', id, '--uid', 'acme-billing'])).code).toBe(0);
    expect(JSON.parse((await run(['get', 'acme-billing', '--json'])).stdout)).toMatchObject({ id });
    expect((await run(['update', 'acme-billing', '--description', 'Billing'])).code).toBe(0);
    expect(await get(id)).toMatchObject({ description: 'Billing' });
    expect((await run(['secret', 'acme-billing'])).stdout).toMatch(/^whsec_/);
    const listed = await group('subscriptions').run(['list', '--endpoint', 'acme-billing']);
    expect(listed.code).toBe(0);
    const unknown = await run(['get', 'acme-other']);
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringContaining('No endpoint has the uid “acme-other”.'),
    ]);
  });

  it('says which value of an event a filter does not match', async () => {
    const filter = ['--filter', '{"path": "data.amount", "op": "gte", "value": 1000}', '--type', 'paid'];
    const below = await run(['test-filter', ...filter, '--data', '{"amount": 999.99}']);
    expect([below.code, below.stdout]).toEqual([0, 'matches\tno\nbecause\tdata.amount is 999.99\n']);
    const above = await run(['test-filter', ...filter, '--data', '{"amount": 1000}']);
    expect([above.code, above.stdout]).toEqual([0, 'matches\tyes\nbecause\t\n']);
  });

  it('tests an endpoint, and exits with 1 when the test fails', async () => {
    const receiver = await startReceiver((response, index, request) =>
      respondWith(index === 0 ? 200 : 500, index === 0 ? 'got it' : '{"fault":"\u009b2J"}')(response, index, request),
    );
    const { id } = await makeEndpoint(projects.mine, { url: receiver.url });
    const good = await run(['test', id]);
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^result\tdelivered\nstatus\t200\nduration\t\S+ \w+\ntiming\tconnect .*\nremote address\t127\.0\.0\.1:\d+\nheader\tdate: .*\nresponse\tgot it\n$/,
      ),
    ]);
    const bad = await run(['test', id], TERMINAL);
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('The test failed.')]);
    expect(bad.stdout).toMatch(/^RESULT +failed\nSTATUS +500\n[\s\S]*\nRESPONSE\n\{"fault":"\\x9b2J"\}\n$/);
    const json = await run(['test', id, '--json', '--type', 'order.paid', '-d', '{"orderId":42}']);
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { succeeded: false, responseStatus: 500 }]);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
      type: 'order.paid',
      data: { orderId: 42 },
    });
  });

  it('shows the secret alone, and replaces it without showing it', async () => {
    const { id } = await makeEndpoint();
    const shown = await run(['secret', id]);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)]);
    expect((await run(['rotate-secret', id])).code).toBe(2);
    const rotated = await run(['rotate-secret', id, '--yes', '--json']);
    expect(JSON.parse(rotated.stdout)).toEqual({ id, previousSecretExpiresAt: expect.stringMatching(/Z$/) });
    const next = JSON.parse((await run(['secret', id, '--json'])).stdout);
    expect(`${next.secret}\n`).not.toBe(shown.stdout);
  });

  it('exits with 2 for wrong options', async () => {
    const { id } = await makeEndpoint();
    expect((await run(['update', id])).code).toBe(2);
    expect((await run(['update', id, '--retry-seconds', 'soon'])).code).toBe(2);
  });
});
