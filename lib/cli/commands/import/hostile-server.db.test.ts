import { describe, expect, it } from 'vitest';
import {
  svixApplication as application,
  svixEndpoint as endpoint,
  SVIX_TOKEN,
  sendJson,
  useSvixServer,
} from '@/tests/cli/svix-server';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { type Item, useImport } from '@/tests/cli/use-import';

const { projects, eds } = useCli();
const svix = useSvixServer();
const { run, start, spawn, api, endpoints, endpointCalled } = useImport({
  eds,
  projects,
  line: () => ['svix', '--url', svix.url()],
  token: { SVIX_TOKEN },
});

/** What a terminal obeys, but for line breaks. */
const UNSAFE = /[^\P{Cc}\n\t]|\u202e/u;

/** Returns output without what the command itself writes to a terminal: colors, and the line of the progress. */
function withoutStyle(text: string): string {
  const escapeCode = String.fromCharCode(27);
  return text.replaceAll(new RegExp(`\r?${escapeCode}\\[(?:\\d+m|2K)`, 'g'), '');
}

it('a token that travels unencrypted is warned of, except on this machine', async () => {
  const remote = spawn(['--url', 'http://192.0.2.1:3000']);
  await remote.waitFor('The connection to Svix isn’t encrypted.');
  remote.child.kill();
  svix.applications = [application('app', [endpoint('ep_good')])];
  expect((await run()).stderr).not.toContain('encrypted');
});

describe('what Svix has and an endpoint cannot have', () => {
  it('is named, and the rest goes on', async () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`X-H${i}`, 'v']));
    svix.applications = [
      application(
        'app_h',
        [
          endpoint('ep_short', { secret: 'whsec_c2hvcnQ=' }),
          endpoint('ep_pair', { secret: `whsk_${Buffer.alloc(32, 1).toString('base64')}` }),
          endpoint('ep_url', { url: 'ftp://example.com' }),
          endpoint('ep_type', { eventTypes: ['*'] }),
          endpoint('ep_types', { eventTypes: ['ok', 'two words'] }),
          endpoint('ep_list', { eventTypes: 'order.paid' }),
          endpoint('ep_header', {
            headers: { 'Content-Type': 'text/plain', 'X-Ok': 'v', 'X-Line': 'a\r\nb', 'X-Number': 4 },
          }),
          endpoint('ep_many', { headers: many }),
          endpoint('ep_hidden', { sensitive: ['Authorization'] }),
          endpoint('ep_js', { transformation: { enabled: true, code: 'function handler(){}' } }),
          endpoint('ep_private', { url: 'http://10.0.0.7/' }),
          endpoint('ep_text', {
            description: 'x'.repeat(501),
            metadata: { a: 'x'.repeat(5000) },
            throttleRate: 65_000,
          }),
          endpoint('ep/../id', {}),
          endpoint('ep_uid', { uid: 'x'.repeat(200) }),
          endpoint('ep_flood', { eventTypes: ['ok', ...Array.from({ length: 5000 }, (_, i) => `bad type ${i}`)] }),
          endpoint('ep_good'),
        ],
        { name: 'N'.repeat(300), throttleRate: 9 },
      ),
    ];
    const [planned, { code, of, items }] = [await run(['--dry-run']), await run()];
    expect(code).toBe(1);
    const skipped = items.filter(({ result }) => result === 'skipped').map(({ from }) => from);
    expect(skipped.sort()).toEqual(['ep/../id', 'ep_list', 'ep_pair', 'ep_short', 'ep_type', 'ep_url']);
    expect(of('ep_short').notes).toEqual(['its secret must be whsec_ and the base64 of 24 to 64 bytes']);
    expect(of('ep_pair').notes).toEqual(['it signs with a pair of keys, not with a secret']);
    expect(of('ep_url').notes).toEqual(['its URL must start with https:// or http://']);
    expect(of('ep_header').notes).toHaveLength(3);
    expect(of('ep_many').notes[0]).toContain('“X-H24” are left out');
    expect(of('ep_hidden')).toMatchObject({
      result: 'made',
      complete: false,
      notes: [expect.stringContaining('Authorization')],
    });
    expect(of('ep_js').notes).toEqual([expect.stringContaining('transformation')]);
    expect(of('ep_private')).toMatchObject({ complete: true, notes: [expect.stringContaining('private')] });
    expect(of('ep_text').notes).toHaveLength(3);
    expect(of('app_h').notes).toHaveLength(2);
    expect(of('ep_flood').notes).toHaveLength(21);
    expect(await endpointCalled('ep_types')).toMatchObject({ eventTypes: ['ok'] });
    expect(await endpointCalled('ep_header')).toMatchObject({ headers: { 'X-Ok': 'v' } });
    expect(Object.keys((await endpointCalled('ep_many'))?.headers ?? {})).toHaveLength(20);
    expect(of('ep_good')).toMatchObject({ result: 'made', complete: true });
    // The rules are those of the server, so a dry run foresees all of it.
    expect(planned.items.map(({ from, result, notes }) => [from, result, notes])).toEqual(
      items.map(({ from, result, notes }) => [from, result, notes]),
    );
    // Once somebody has added the hidden header, nothing is missing.
    await api('PATCH', `/endpoints/${of('ep_hidden').id}`, { headers: { authorization: 'Bearer x' } });
    expect((await run()).of('ep_hidden')).toMatchObject({ result: 'unchanged', complete: true });
  });

  it('includes the 21st endpoint of a customer, and a uid that is a UUID gets a prefix', async () => {
    const uid = '0f8fad5b-d9cb-469f-a165-70867728950e';
    svix.applications = [
      application(
        'app_21',
        Array.from({ length: 21 }, (_, i) => endpoint(`ep_${100 + i}`)),
        { uid },
      ),
      application('app_22', [], { uid: 'a/b' }),
    ];
    const { code, items, of } = await run();
    expect([code, of('app_21').uid, of('app_21').complete]).toEqual([1, `uid:${uid}`, true]);
    expect(of('app_22')).toMatchObject({ uid: 'app_22', result: 'made', complete: false });
    expect(items.filter(({ result }) => result === 'skipped')).toEqual([
      expect.objectContaining({ from: 'ep_120', notes: [expect.stringContaining('CUSTOMER_MAX_ENDPOINTS')] }),
    ]);
  });
});

describe('what narrows an endpoint at Svix', () => {
  it.each([
    { channels: 'vip' },
    { channels: { vip: true } },
    { channels: [123] },
    { channels: [''] },
    { channels: false },
    { eventTypes: ['ok', 7] },
    { filterTypes: 'a.b' },
    { eventTypes: ['a.b'], filterTypes: ['a.c'] },
  ])('is never dropped: with %j the endpoint is named, and not made', async (fields) => {
    svix.applications = [application('app_n', [endpoint('ep_n', fields)])];
    const { code, of } = await run();
    expect([code, of('ep_n').result, of('ep_n').notes.length]).toEqual([1, 'skipped', 1]);
    expect(await endpoints()).toEqual([]);
  });

  it.each([
    [{ channels: null, eventTypes: null }, ['*'], null],
    [{ channels: [], eventTypes: [] }, ['*'], null],
    [{ channels: ['vip'] }, ['*'], { path: 'data.channels', op: 'contains', value: 'vip' }],
    [{ eventTypes: [], filterTypes: ['a.b'] }, ['a.b'], null],
    [{ eventTypes: ['a.b'], filterTypes: [] }, ['a.b'], null],
    [{ eventTypes: ['a.b', 'a.c'], filterTypes: ['a.c', 'a.b'] }, ['a.b', 'a.c'], null],
  ])('counts as it is: %j', async (fields, eventTypes, filter) => {
    svix.applications = [application('app_n', [endpoint('ep_n', fields)])];
    expect((await run()).code).toBe(0);
    expect(await endpointCalled('ep_n')).toMatchObject({ eventTypes, filter });
  });
});

describe('a hostile or failing server', () => {
  it('that sends megabytes as IDs and names takes little memory, and each is named by a part of it', async () => {
    const pages = 60;
    const long = (name: string) => name.padEnd(4 * 1024 * 1024, 'x');
    svix.fault = (path, response, message) => {
      if (path !== '/api/v1/app') return false;
      const page = Number(new URL(message.url ?? '', svix.url()).searchParams.get('iterator') ?? 0);
      const item =
        page % 2 === 0 ? { id: long(`id${page}`), uid: `u${page}` } : { id: `app_${page}`, uid: long('uid') };
      return sendJson(response, { data: [item], iterator: String(page + 1), done: page + 1 === pages });
    };
    const running = spawn(['--dry-run', '--json'], { NODE_OPTIONS: '--max-old-space-size=80' });
    const { code, stdout, stderr } = await running.ended;
    expect(code, stderr).toBe(1);
    const { items } = JSON.parse(stdout) as { items: Item[] };
    expect(items.filter(({ from, notes }) => from.startsWith('id') && notes[0] === 'its ID is too long')).toHaveLength(
      30,
    );
    expect(items.filter(({ from, uid }) => from.startsWith('app_') && uid === from)).toHaveLength(30);
    expect(stdout.length).toBeLessThan(60_000);
  });

  it('that sends an ID that is too long for an endpoint, or a header, gets it named by a part of it', async () => {
    const long = 'y'.repeat(257);
    svix.applications = [
      application('app_l', [endpoint(long, { uid: 'fine' }), endpoint('ep_l', { sensitive: [long] })]),
    ];
    const { code, items, of } = await run();
    const part = `${'y'.repeat(60)}…`;
    expect([code, of(part).result, items.length]).toEqual([1, 'skipped', 3]);
    expect(of('ep_l').notes).toEqual([expect.stringContaining(part)]);
    expect((await endpoints()).map(({ uid }) => uid)).toEqual(['ep_l']);
  });

  it('sends nothing raw to the terminal', async () => {
    const evil = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\r\n\u202eevil';
    svix.eventTypes = [{ name: evil }];
    svix.applications = [
      application(evil, [], { name: evil, metadata: { [evil]: evil } }),
      application(
        'app_evil',
        [
          endpoint(evil),
          endpoint('ep_evil', {
            url: evil,
            description: evil,
            headers: { [evil]: evil },
            sensitive: [evil],
            uid: evil,
          }),
        ],
        { name: evil, uid: evil },
      ),
    ];
    for (const options of [TERMINAL, {}]) {
      for (const more of [[], ['--json']]) {
        const { code, stdout, stderr } = await start(more, options);
        expect(code).toBe(1);
        expect(withoutStyle(`${stdout}${stderr}`)).not.toMatch(UNSAFE);
      }
    }
  });

  it('gets what its answers have in the wrong type named', async () => {
    svix.applications = [
      application(
        'app_types',
        [endpoint('ep_t', { url: 7, secret: {}, eventTypes: [], metadata: [1], headers: 'x' })],
        { name: [], metadata: { a: 1 } },
      ),
    ];
    svix.applications.push(null as never, 'text' as never);
    svix.fault = (path, response) =>
      path === '/api/v1/app' &&
      sendJson(response, { data: [{ id: 'app_types', uid: 5 }, null, 'text', [1]], done: true });
    const { code, items, of } = await run();
    expect([code, of('app_types').result, of('ep_t').result]).toEqual([1, 'made', 'skipped']);
    expect(items.filter(({ from }) => from === '(no ID)')).toHaveLength(3);
  });

  it('that never ends a list is left, and what was read is kept', async () => {
    const row = (id: number) => ({ id: `app_e${id}`, name: 'n', metadata: {} });
    svix.fault = (path, response) =>
      path === '/api/v1/app' && sendJson(response, { data: [row(1)], iterator: 'always', done: false });
    const same = await start();
    expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('the same page again and again')]);
    expect(same.stdout).toContain('app_e1');
  });

  it('is waited for when it limits the rate, and asked again after 500', async () => {
    svix.applications = [application('app_r', [endpoint('ep_r')])];
    const failed = new Set<string>();
    svix.fault = (path, response) => {
      if (failed.has(path)) return false;
      failed.add(path);
      const status = path.endsWith('/app') ? 429 : 500;
      return sendJson(response, { code: 'x', detail: 'x' }, status, status === 429 ? { 'retry-after': '1' } : {});
    };
    const began = performance.now();
    const { code, items } = await run();
    expect([code, items.map(({ result }) => result)]).toEqual([0, ['made', 'made']]);
    expect(performance.now() - began).toBeGreaterThan(1000);
  });

  it('that asks to wait for long is left, and the next run continues', async () => {
    svix.applications = [application('app_w', [endpoint('ep_w1'), endpoint('ep_w2')])];
    svix.fault = (path, response) =>
      path.includes('ep_w2') && sendJson(response, { code: 'x', detail: 'x' }, 429, { 'retry-after': '3600' });
    const limited = await start();
    expect([limited.code, limited.stderr]).toEqual([1, expect.stringMatching(/limits the rate.*in 3600 s/s)]);
    expect(limited.stdout).toContain('ep_w1');
    svix.fault = (path, response) =>
      path.includes('ep_w2') && sendJson(response, { code: 'x', detail: 'x' }, 429, { 'retry-after': '99999999' });
    expect((await start()).stderr).toContain('Run the command again later');
    svix.fault = () => false;
    expect((await run()).items.map(({ result }) => result)).toEqual(['unchanged', 'unchanged', 'made']);
  });

  it('gets its token at no other address: redirects are not followed', async () => {
    svix.fault = (path, response) => {
      if (path !== '/api/v1/app') return false;
      response.writeHead(302, { location: `${svix.url()}/api/v1/elsewhere` }).end();
      return true;
    };
    const { code, stderr } = await start();
    expect([code, stderr]).toEqual([1, expect.stringContaining('redirects to another URL')]);
    expect(svix.requests.filter((path) => path.includes('elsewhere'))).toEqual([]);
  });

  it('gets an answer of more than 8 MiB and one that is no JSON named', async () => {
    svix.applications = [application('app_big', [endpoint('ep_big'), endpoint('ep_html'), endpoint('ep_fine')])];
    svix.fault = (path, response) => {
      if (!/ep_(big|html)\/headers$/.test(path)) return false;
      response
        .writeHead(200)
        .end(path.includes('big') ? `{"headers":{"a":"${'x'.repeat(9 * 1024 * 1024)}"}}` : '<html>');
      return true;
    };
    const { code, of } = await run();
    expect([code, of('ep_big').result, of('ep_html').result, of('ep_fine').result]).toEqual([
      1,
      'skipped',
      'skipped',
      'made',
    ]);
    expect(of('ep_big').notes[0]).toContain('8 MiB');
  });

  it('whose pages change while they are read makes nothing twice', async () => {
    svix.applications = [application('app_p', [endpoint('ep_p')])];
    svix.fault = (path, response, message) => {
      if (path !== '/api/v1/app') return false;
      const isFirst = !message.url?.includes('iterator');
      const data = [{ id: 'app_p', name: 'n', metadata: {} }];
      return sendJson(response, { data, iterator: isFirst ? 'app_p' : 'app_q', done: !isFirst });
    };
    const { items } = await run();
    expect(items.map(({ from }) => from)).toEqual(['app_p', 'ep_p']);
  });
});
