import { beforeAll, describe, expect, it } from 'vitest';
import type { Destination, DestinationSecret, Source } from '@/lib/incoming/schema';
import { newIdAt } from '@/lib/platform/ids';
import type { RunOptions } from '@/tests/cli/eds';
import { useCli } from '@/tests/cli/use-cli';
import { run as runSql } from '@/tests/database/rows';
import { sourceTools } from '@/tests/fixtures/sources';

const { projects, group } = useCli();
const { run, json } = group('destinations');
const { manage, makeSource } = sourceTools(() => projects.mine);

const URL = 'https://shop.example.com/hooks';
let source: Source;
beforeAll(async () => {
  source = await makeSource();
});

const make = (body: object = {}) =>
  manage<Destination>('POST', `/sources/${source.id}/destinations`, { url: URL, ...body });

describe('eds destinations', () => {
  it('create takes each kind of credential from standard input or EDS_SECRET, and shows none', async () => {
    const create = (flags: string[], options: RunOptions) =>
      json<Destination>(['create', source.id, URL, ...flags], options);
    const made = await Promise.all([
      create(['--bearer', '--description', 'the shop', '--paused'], { stdin: 'tok_1\n' }),
      create(['--basic', 'ada', '--retry-seconds', '5,60'], { env: { EDS_SECRET: 'pass_1' } }),
      create(['--header', 'X-Token', '--signing'], { stdin: 'val_1' }),
    ]);
    expect(made).toMatchObject([
      { auth: { type: 'BEARER' }, description: 'the shop', enabled: false },
      { auth: { type: 'BASIC', username: 'ada' }, retrySeconds: [5, 60] },
      { auth: { type: 'HEADER', name: 'X-Token' }, hasSecret: true },
    ]);
    expect(JSON.stringify(made)).not.toMatch(/tok_1|pass_1|val_1/);
    const both = await run(['create', source.id, URL, '--bearer', '--basic', 'ada'], { stdin: 'x' });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('one credential')]);
  });

  it('list and get show them as a table, as plain lines and as JSON', async () => {
    const made = await make({ auth: { type: 'BASIC', username: 'ada', password: 'not shown' } });
    const options: RunOptions = { tty: ['stdout'], columns: 200, env: { NO_COLOR: '1' } };
    const table = await run(['list', 'shop', '--all'], options);
    expect(table.stdout).toMatch(/^ID +URL +STATE +CREDENTIAL +SIGNED +CREATED\n/);
    const row = [made.id, URL, 'enabled', 'basic, ada', 'false', made.createdAt].join('\t');
    expect((await run(['list', source.id])).stdout.split('\n')).toContain(row);
    expect(await json(['get', 'shop', made.id])).toEqual(made);
  });

  it('update changes, replaces and removes', async () => {
    const { id } = await make({ auth: { type: 'BEARER', token: 'old' } });
    const moved = ['update', source.id, id, '--url', 'https://other.example.com/'];
    expect((await run(moved)).stderr).toContain('auth must be given again');
    const changed = await json<Destination>([...moved, '--basic', 'bob', '--pause'], { stdin: 'new' });
    expect(changed).toMatchObject({ url: 'https://other.example.com/', enabled: false, auth: { username: 'bob' } });
    const bare = await json<Destination>(['update', source.id, id, '--no-auth', '--resume']);
    expect(bare).toMatchObject({ auth: null, enabled: true });
    expect((await run(['update', source.id, id])).code).toBe(2);
  });

  it('outages lists when it was down, by the name of its source, with the command that retries what it missed', async () => {
    const { id } = await make();
    expect((await run(['outages', 'shop', id])).stderr).toContain('No outages.');
    const from = new Date(Math.floor(Date.now() / 60_000 - 60) * 60_000);
    await runSql('UPDATE destinations SET failing_since = $1 WHERE id = $2', from, id);
    const eventId = newIdAt(from);
    await runSql(
      `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size) VALUES ($1, $2, $3, 'POST', '[]', '', 0)`,
      eventId,
      projects.mine.id,
      source.id,
    );
    await runSql(
      `INSERT INTO deliveries (id, project_id, incoming_event_id, destination_id, status, attempt_count)
       VALUES ($1, $2, $1, $3, 'FAILED', 1)`,
      eventId,
      projects.mine.id,
      id,
    );
    const shown = await run(['outages', 'shop', id], {
      tty: ['stdout', 'stderr'],
      columns: 200,
      env: { NO_COLOR: '1' },
    });
    expect(shown.stdout).toMatch(/FROM +TO +NOT ARRIVED\n1h ago +- +1\n/);
    const retry = `--destination ${id} --from ${from.toISOString()}`;
    expect(shown.stderr).toContain(`Retry them: eds deliveries retry --all-failed ${retry}`);
  });

  it('pause stops forwards with a reason, and resume starts them', async () => {
    const { id } = await make();
    const paused = await run(['pause', 'shop', id, '--reason', 'Moving']);
    expect(paused.stderr).toContain(`Paused the destination ${id}`);
    const options: RunOptions = { tty: ['stdout'], columns: 200, env: { NO_COLOR: '1' } };
    expect((await run(['get', 'shop', id], options)).stdout).toMatch(/^STATE +paused$[\s\S]*^REASON +Moving$/m);
    expect(await json(['resume', 'shop', id])).toMatchObject({ enabled: true, pauseReason: null });
  });

  it('rotate-secret creates a secret, secret shows it, and delete asks first', async () => {
    const { id } = await make();
    const rotated = await run(['rotate-secret', source.id, id, '--yes']);
    const stored = await manage<DestinationSecret>('GET', `/sources/${source.id}/destinations/${id}/secret`);
    expect([rotated.stdout, rotated.stderr]).toEqual([`${stored.secret}\n`, expect.stringContaining('now signed')]);
    expect((await run(['secret', source.id, id])).stdout).toBe(`${stored.secret}\n`);
    expect((await run(['delete', source.id, id])).code).toBe(2);
    expect(await json(['delete', source.id, id, '--yes'])).toEqual({ id, deleted: true });
  });
});
