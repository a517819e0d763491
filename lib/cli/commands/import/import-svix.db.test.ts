import { describe, expect, it } from 'vitest';
import type { CatalogueType } from '@/lib/events/schema';
import type { Listing } from '@/lib/platform/pagination';
import {
  svixApplication as application,
  svixEndpoint as endpoint,
  SVIX_SECRET,
  SVIX_TOKEN,
  useSvixServer,
} from '@/tests/cli/svix-server';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { useImport } from '@/tests/cli/use-import';

const { projects, eds } = useCli();
const svix = useSvixServer();
const { run, start, spawn, api, customers, endpoints, endpointCalled, secretOf } = useImport({
  eds,
  projects,
  line: () => ['svix', '--url', svix.url()],
  token: { SVIX_TOKEN },
});

describe('eds import svix', () => {
  it('makes customers, and paused endpoints with their secrets, headers, types, channels and rates', async () => {
    svix.eventTypes = [
      {
        name: 'order.paid',
        description: 'An order was paid.',
        groupName: 'Orders',
        schemas: {
          '1': { type: 'string' },
          '2': { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', required: ['id'] },
        },
      },
      { name: 'user.created', deprecated: true },
    ];
    svix.applications = [
      application(
        'app_1',
        [
          endpoint('ep_1', {
            uid: 'billing',
            description: 'Billing',
            eventTypes: ['order.paid', 'order.sent'],
            channels: ['eu', 'us'],
            throttleRate: 5,
            metadata: { team: 'a' },
            headers: { 'X-Key': 'value' },
          }),
          endpoint('ep_2', { disabled: true, secret: SVIX_SECRET.slice(6) }),
        ],
        { uid: 'acme', name: 'Acme', metadata: { plan: 'pro' } },
      ),
      application('app_2', []),
    ];
    const { code, items, of } = await run();
    expect([code, items.map(({ result }) => result)]).toEqual([0, Array.from({ length: 6 }, () => 'made')]);
    expect((await api<Listing<CatalogueType>>('GET', '/event-types')).data).toMatchObject([
      {
        name: 'order.paid',
        description: 'An order was paid.',
        group: 'Orders',
        status: 'ACTIVE',
        schema: { type: 'object', required: ['id'] },
      },
      { name: 'user.created', status: 'DEPRECATED', schema: null },
    ]);
    // Several are made at a time, in any order.
    const made = (await customers()).map(({ uid, name, metadata }) => ({ uid, name, metadata }));
    expect(made.sort((a, b) => String(a.uid).localeCompare(String(b.uid)))).toEqual([
      { uid: 'acme', name: 'Acme', metadata: { plan: 'pro' } },
      { uid: 'app_2', name: 'Name of app_2', metadata: {} },
    ]);
    const billing = await endpointCalled('billing');
    expect(billing).toMatchObject({
      url: 'https://ep-1.example.com/hooks',
      description: 'Billing',
      enabled: false,
      customerUid: 'acme',
      eventTypes: ['order.paid', 'order.sent'],
      filter: {
        any: [
          { path: 'data.channels', op: 'contains', value: 'eu' },
          { path: 'data.channels', op: 'contains', value: 'us' },
        ],
      },
      rateLimit: { requests: 5, seconds: 1 },
      metadata: { team: 'a' },
      headers: { 'X-Key': 'value' },
      signature: { profile: 'SVIX' },
      bodyFormat: 'DATA',
    });
    expect(of('ep_1').notes).toEqual([expect.stringContaining('data.channels')]);
    expect(of('ep_2')).toMatchObject({
      uid: 'ep_2',
      disabledThere: true,
      notes: [expect.stringContaining('leave it paused')],
    });
    expect((await endpointCalled('ep_2'))?.eventTypes).toEqual(['*']);
    const reasonOf = async (uid: string) => (await endpointCalled(uid))?.pauseReason;
    expect([await reasonOf('ep_2'), await reasonOf('billing')]).toEqual(['Disabled at Svix', null]);
    // A run that was killed has made an endpoint and not said so. The next one does, and a dry run does not.
    await api('PATCH', `/endpoints/${of('ep_2').id}`, { pauseReason: null });
    await run(['--dry-run']);
    expect(await reasonOf('ep_2')).toBeNull();
    await run();
    expect([await reasonOf('ep_2'), await reasonOf('billing')]).toEqual(['Disabled at Svix', null]);
    for (const id of [billing?.id, of('ep_2').id]) expect(await secretOf(id)).toBe(SVIX_SECRET);
  });

  it('reads the names that older servers give to event types and rates', async () => {
    svix.applications = [application('app_old', [endpoint('ep_old', { filterTypes: ['a.b'], rateLimit: 3 })])];
    expect((await run()).code).toBe(0);
    expect(await endpointCalled('ep_old')).toMatchObject({ eventTypes: ['a.b'], rateLimit: { requests: 3 } });
  });

  it('changes nothing with --dry-run, and says what it would make', async () => {
    svix.applications = [application('app_dry', [endpoint('ep_dry')])];
    const shown = await start(['--dry-run'], TERMINAL);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/customer +app_dry +- +planned/)]);
    expect(shown.stderr).toContain('Would make 2.');
    expect([await customers(), await endpoints()]).toEqual([[], []]);
  });

  it('takes over only what --only names, by uid or ID, and says what is not there', async () => {
    svix.applications = ['a', 'b', 'c'].map((name) => application(`app_${name}`, [], { uid: `only_${name}` }));
    const { code, items } = await run(['--only', 'only_a,app_b,nobody']);
    expect([code, items.map(({ uid, from, notes }) => [uid, from, notes])]).toEqual([
      1,
      [
        ['only_a', 'app_a', []],
        ['only_b', 'app_b', []],
        [null, 'nobody', ['it is not there']],
      ],
    ]);
  });

  it('changes nothing in a second run, keeps what was changed here since, and names each field that differs', async () => {
    svix.applications = [
      application('app_again', [endpoint('ep_a'), endpoint('ep_b'), endpoint('ep_c', { throttleRate: 2 })]),
    ];
    await run();
    const [a, b] = [await endpointCalled('ep_a'), await endpointCalled('ep_b')];
    await api('PATCH', `/endpoints/${a?.id}`, {
      url: 'https://moved.example.com/',
      enabled: true,
      headers: { 'X-New': 'n' },
    });
    await api('POST', `/endpoints/${b?.id}/rotate-secret`, {});
    await api('PATCH', '/customers/app_again', { name: 'Renamed' });
    const { code, of } = await run();
    expect(code).toBe(0);
    expect(of('app_again')).toMatchObject({ result: 'differs', differs: ['name'] });
    expect(of('ep_a')).toMatchObject({ result: 'differs', differs: ['url', 'headers'], id: a?.id });
    expect(of('ep_b')).toMatchObject({ result: 'differs', differs: ['secret'] });
    expect(of('ep_c')).toMatchObject({ result: 'unchanged', differs: [] });
    expect(await endpointCalled('ep_a')).toMatchObject({ url: 'https://moved.example.com/', enabled: true });
    expect((await start([])).stdout).not.toContain('whsec_');
  });

  it('makes nothing twice when two run at once', async () => {
    const names = Array.from({ length: 6 }, (_, i) => i);
    svix.applications = names.map((i) =>
      application(`app_${i}`, [endpoint(`ep_${i}`, { uid: 'same' })], { uid: `two_${i}` }),
    );
    const [one, two] = await Promise.all([run(), run()]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(await customers()).toHaveLength(6);
    const uids = (await endpoints()).map(({ uid }) => uid);
    expect(uids).toHaveLength(6);
    expect(uids.filter((uid) => uid === 'same')).toHaveLength(1);
    expect(uids.filter((uid) => /^two_\d:same$/.test(uid ?? ''))).toHaveLength(5);
    const third = await run();
    expect(third.items.every(({ result }) => result === 'unchanged')).toBe(true);
  });

  it('gives a uid that collides in the project the one of the customer before it, and finds it again', async () => {
    await api('POST', '/endpoints', { url: 'https://own.example.com/', uid: 'main' });
    svix.applications = [application('app_x', [endpoint('ep_x', { uid: 'main' })], { uid: 'x' })];
    expect((await run(['--dry-run'])).of('ep_x')).toMatchObject({ uid: 'x:main', result: 'made' });
    expect((await run()).of('ep_x')).toMatchObject({ uid: 'x:main', result: 'made' });
    expect((await run()).of('ep_x')).toMatchObject({ uid: 'x:main', result: 'unchanged' });
  });

  it('continues after it was killed: nothing is missing, and nothing is there twice', async () => {
    svix.pageSize = 2;
    svix.applications = Array.from({ length: 8 }, (_, i) =>
      application(`app_k${i}`, [endpoint(`ep_k${i}_1`), endpoint(`ep_k${i}_2`)]),
    );
    let secrets = 0;
    const reached = new Promise<void>((resolve) => {
      svix.fault = (path) => {
        secrets += path.endsWith('/secret') ? 1 : 0;
        // The seventh never gets its answer.
        if (secrets < 7) return false;
        resolve();
        return true;
      };
    });
    const running = spawn();
    await reached;
    running.child.kill('SIGKILL');
    expect((await running.ended).code).toBeNull();
    const before = (await endpoints()).length;
    expect(before).toBeLessThan(16);
    svix.fault = () => false;
    expect((await run()).code).toBe(0);
    const uids = (await endpoints()).map(({ uid }) => uid);
    expect([(await customers()).length, uids.length, new Set(uids).size]).toEqual([8, 16, 16]);
  });

  it('leaves the token out of its output, and takes it from standard input', async () => {
    svix.applications = [application('app_token', [])];
    const piped = await start(['--token', '-'], { env: { SVIX_TOKEN: undefined }, stdin: `${SVIX_TOKEN}\n` });
    expect(piped.code, piped.stderr).toBe(0);
    const wrong = await start(['--token', 'testsk_wrong']);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Svix refused the token.')]);
    expect(`${piped.stdout}${piped.stderr}${wrong.stdout}${wrong.stderr}`).not.toContain('testsk_');
    const none = await start([], { env: { SVIX_TOKEN: undefined } });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Set SVIX_TOKEN')]);
  });
});
