import { describe, expect, it } from 'vitest';
import type { Source, SourceSecret } from '@/lib/incoming/schema';
import { useCli } from '@/tests/cli/use-cli';
import { sourceTools } from '@/tests/fixtures/sources';

const { projects, group } = useCli();
const { run, json } = group('sources');
const { manage } = sourceTools(() => projects.mine);

const secretOf = async ({ id }: Pick<Source, 'id'>) =>
  (await manage<SourceSecret>('GET', `/sources/${id}/secret`)).secret;
const make = (name: string, body: object = {}) => manage<Source>('POST', '/sources', { name, ...body });

describe('eds sources', () => {
  it('create writes the URL, and says what the secret needs', async () => {
    const plain = await run(['create', 'plain']);
    expect([plain.code, plain.stdout]).toEqual([0, expect.stringMatching(/^http\S+\/api\/v1\/ingress\/\S+\n$/)]);
    expect(plain.stderr).toMatch(/^✓ Created the source plain \([0-9a-f-]{36}\)\.\n$/);
    const stripe = await run(['create', 'pay', '--provider', 'stripe']);
    expect(stripe.stderr).toMatch(/can’t verify requests until .* eds sources update \S+ --with-secret/);
    const hmac = ['--provider', 'GENERIC_HMAC', '--signature-header', 'X-Sig', '--signature-encoding', 'base64'];
    const made = await json<Source>(['create', 'own', ...hmac, '--with-secret', '--disabled'], {
      stdin: 'top secret\n',
    });
    expect(made).toMatchObject({
      signatureHeader: 'X-Sig',
      signatureEncoding: 'base64',
      enabled: false,
      hasSecret: true,
    });
    expect(await secretOf(made)).toBe('top secret');
  });

  it('list and get show tables on a terminal, plain lines in a pipe, and JSON', async () => {
    const source = await make('shop');
    const { stdout } = await run(['list', '--all'], { tty: ['stdout'], columns: 250, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/ID +NAME +PROVIDER +STATE +URL +CREATED/);
    const row = [source.id, 'shop', 'NONE', 'enabled', source.url, source.createdAt].join('\t');
    expect((await run(['list'])).stdout.split('\n')).toContain(row);
    expect(await json<Source[]>(['list'])).toContainEqual(source);
    expect((await run(['get', 'SHOP'])).stdout).toContain(`url\t${source.url}\n`);
    expect(await json(['get', source.id])).toEqual(source);
  });

  it('update changes what is named, with the secret from EDS_SECRET or standard input', async () => {
    const { id } = await make('before', { provider: 'STRIPE' });
    const env = { EDS_SECRET: 'from the variable' };
    const changed = await json<Source>(['update', id, '--name', 'after', '--disable', '--with-secret'], { env });
    expect(changed).toMatchObject({ name: 'after', enabled: false, hasSecret: true });
    expect(await secretOf(changed)).toBe('from the variable');
    const again = await run(['update', 'after', '--enable', '--with-secret'], { stdin: 'from standard input' });
    expect([again.code, again.stderr]).toEqual([0, '✓ Changed the source after.\n']);
    expect(await secretOf({ id })).toBe('from standard input');
    const refused = [
      run(['update', id]),
      run(['update', id, '--enable', '--disable']),
      run(['update', id, '--with-secret'], { stdin: '' }),
    ];
    expect((await Promise.all(refused)).map(({ code }) => code)).toEqual([2, 2, 2]);
  });

  it('rotate-secret shows a generated secret, and stores the one of a provider', async () => {
    const github = await make('ci', { provider: 'GITHUB', secret: 'the old one' });
    const rotated = await run(['rotate-secret', github.id, '--yes']);
    expect(rotated.stderr).toMatch(/The old one is valid until \d{4}-/);
    expect((await run(['secret', github.id])).stdout).toBe(rotated.stdout);
    const slack = await make('chat', { provider: 'SLACK' });
    expect((await run(['rotate-secret', slack.id, '--yes'])).stderr).toContain('secret is required');
    const stored = await run(['rotate-secret', slack.id, '--yes', '--with-secret'], { stdin: 'of slack' });
    expect([stored.code, stored.stdout, await secretOf(slack)]).toEqual([0, '', 'of slack']);
  });

  it('rotate-url and delete ask first: on a terminal, elsewhere by --yes', async () => {
    const source = await make('asked');
    const unasked = ['rotate-url', 'delete', 'rotate-secret'].map((verb) => run([verb, source.id]));
    expect((await Promise.all(unasked)).map(({ code }) => code)).toEqual([2, 2, 2]);
    const no = await run(['delete', source.id], { tty: ['stdin', 'stderr'], stdin: 'n\n' });
    expect([no.code, no.stderr]).toEqual([
      1,
      expect.stringContaining('Delete the source asked with its destinations?'),
    ]);
    const rotated = await json<Source>(['rotate-url', source.id, '--grace-period', '0h', '--yes']);
    expect(rotated).toMatchObject({ previousUrlExpiresAt: null });
    expect(rotated.url).not.toBe(source.url);
    const again = await json<Source>(['rotate-url', source.id, '--grace-period', '1h', '--yes']);
    expect(again.previousUrlExpiresAt).not.toBeNull();
    expect(await json(['delete', source.id, '--yes'])).toEqual({ id: source.id, deleted: true });
  });

  it('never take a secret by flag', async () => {
    const { code, stderr } = await run(['create', 'x', '--secret', 'hunter2hunter2']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('hunter2');
  });
});
