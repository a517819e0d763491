import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { signWebhook } from '@/lib/delivery/credentials';
import type { Endpoint, EndpointSecret, SignatureCheck } from '@/lib/delivery/schema';
import { hmacOf, signingKey } from '@/lib/delivery/signature-schemes-policy';
import type { IncomingEvent } from '@/lib/incoming/schema';
import type { RunOptions } from '@/tests/cli/eds';
import { useCli } from '@/tests/cli/use-cli';
import { SECRET, sourceTools } from '@/tests/fixtures/sources';

const { projects, eds } = useCli();
const { manage, makeSource, post } = sourceTools(() => projects.mine);

const BODY = '{"type":"order.paid","data":{"total":1.0}}';
const WHSEC = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const headersOf = (secret: string, ageSeconds = 0) => {
  const seconds = Math.floor(Date.now() / 1000) - ageSeconds;
  const signature = signWebhook([signingKey(secret)], 'msg_1', seconds, Buffer.from(BODY));
  return `webhook-id: msg_1\nwebhook-timestamp: ${seconds}\nwebhook-signature: ${signature}\n`;
};
const fileOf = (name: string, content: string | Buffer) => {
  const file = path.join(eds.folder, name);
  writeFileSync(file, content);
  return file;
};
const verify = (args: string[], options: RunOptions = {}) =>
  eds.run(['verify', ...args], { ...options, env: { NO_COLOR: '1', EDS_API_KEY: undefined, ...options.env } });
/** Nothing answers there. */
const OFFLINE = { EDS_API_URL: 'http://127.0.0.1:9' };

describe('eds verify', () => {
  it('checks with a secret of a file, of EDS_SECRET or of standard input, without a server', async () => {
    const request = [`@${fileOf('body.json', BODY)}`, '-H', `@${fileOf('headers.txt', headersOf(WHSEC))}`];
    const secretFile = ['--secret-file', fileOf('secret.txt', `${WHSEC}\n`)];
    const verified = await verify([...request, ...secretFile], { env: OFFLINE });
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    expect(verified.stdout).toMatch(/^result\tverified\nsigned with\tthe current secret\nsigned at\t\S+Z\n$/);
    expect((await verify(request, { env: { ...OFFLINE, EDS_SECRET: WHSEC } })).code).toBe(0);
    expect((await verify(request, { env: OFFLINE, stdin: `${WHSEC}\n` })).code).toBe(0);
    const spaced = await verify(request, { env: { ...OFFLINE, EDS_SECRET: ` ${WHSEC}` } });
    expect([spaced.code, spaced.stdout]).toEqual([1, expect.stringContaining('reason\tsecret_whitespace\n')]);
    for (const { stdout, stderr } of [verified, spaced]) expect(stdout + stderr).not.toContain(WHSEC);
  });

  it('names what is wrong, shows where the body differs, and exits with 1', async () => {
    const options = { env: { ...OFFLINE, EDS_SECRET: WHSEC } };
    const given = ['-H', headersOf(WHSEC, 7_265)];
    const lines = await verify([`${BODY}\n`, ...given], options);
    expect(lines.code).toBe(1);
    expect(lines.stdout).toContain(`reason\tbody_whitespace\n`);
    expect(lines.stdout).toContain(`differs after\tbyte ${BODY.length}\n`);
    expect(lines.stdout).toMatch(/signed body\t(.*)\nreceived body\t\1\\n\n/);
    expect(lines.stderr).toContain('Error: The signature doesn’t verify.\n');
    expect(lines.stderr).toContain('White space was added around the body');
    expect(lines.stderr).toContain('2 h 1 min too old');
    const json = JSON.parse((await verify([BODY, ...given, '--json'], options)).stdout) as SignatureCheck;
    expect(json).toMatchObject({ verified: false, reason: 'timestamp_too_old', signedWith: 'current' });
    expect((await verify([BODY, ...given, '--received-at', '2h'], options)).code).toBe(0);
  });

  it('says to add --endpoint when it cannot know whether the secret or the body is another', async () => {
    const other = headersOf(WHSEC).replace(/v1,.*/, `v1,${Buffer.alloc(32).toString('base64')}`);
    const unsure = await verify([BODY, '-H', other], { env: { ...OFFLINE, EDS_SECRET: WHSEC } });
    expect([unsure.code, unsure.stdout]).toEqual([1, expect.stringContaining('reason\tno_match\n')]);
    expect(unsure.stderr).toContain('add --endpoint <id>');
  });

  it('takes the scheme from the headers, or as it is given', async () => {
    const digest = (encoding: 'hex' | 'base64') => hmacOf('sha256', 'a secret', BODY).toString(encoding);
    const options = { env: { ...OFFLINE, EDS_SECRET: 'a secret' } };
    const codes = await Promise.all(
      [
        ['-H', `X-Hub-Signature-256: sha256=${digest('hex')}`],
        ['-H', `X-Shopify-Hmac-Sha256: ${digest('base64')}`],
        ['-H', `X-Sig: v=${digest('base64')}`, '--signature-header', 'X-Sig', '--signature-encoding', 'base64'],
        ['-H', `X-Sig: ${digest('hex')}`, '--provider', 'github'],
      ].map(async (args) => (await verify([BODY, ...args], options)).code),
    );
    expect(codes).toEqual([0, 0, 1, 1]);
    const prefix = ['--signature-encoding', 'base64', '--signature-prefix', 'v='];
    const custom = ['-H', `X-Sig: v=${digest('base64')}`, '--signature-header', 'X-Sig', ...prefix];
    expect((await verify([BODY, ...custom], options)).code).toBe(0);
  });

  it('checks with the secrets of an endpoint, a source or an incoming event', async () => {
    const env = { EDS_API_KEY: projects.mine.key };
    const { id } = await manage<Endpoint>('POST', '/endpoints', { url: 'https://example.com/hooks' });
    const { secret } = await manage<EndpointSecret>('GET', `/endpoints/${id}/secret`);
    const given = ['-H', headersOf(secret), '--endpoint', id];
    expect((await verify([BODY, ...given], { env })).code).toBe(0);
    const right = await verify([BODY, ...given, '--secret-file', fileOf('right.txt', secret)], { env });
    expect([right.code, right.stderr]).toEqual([0, expect.stringContaining('is the current one of the endpoint')]);
    const other = await verify([BODY, ...given, '--secret-file', fileOf('other.txt', WHSEC)], { env });
    expect([other.code, other.stderr]).toEqual([0, expect.stringContaining('is not the current one of the endpoint')]);
    const bytes = fileOf('utf16', Buffer.from(BODY, 'utf16le'));
    const utf16 = await verify([`@${bytes}`, ...given], { env });
    expect([utf16.code, utf16.stdout]).toEqual([1, expect.stringContaining('reason\tbody_utf16\n')]);

    const source = await makeSource('GITHUB');
    const header = `X-Hub-Signature-256: sha256=${hmacOf('sha256', SECRET, BODY).toString('hex')}`;
    expect((await verify(['-', '-H', header, '--source', source.id], { env, stdin: BODY })).code).toBe(0);
    const named = ['-', '-H', header, '--source', source.name.toUpperCase()];
    expect((await verify(named, { env, stdin: BODY })).code).toBe(0);
    await post(source, `${BODY} `, { 'x-hub-signature-256': header.slice(21) });
    const { data } = await manage<{ data: IncomingEvent[] }>('GET', `/incoming-events?sourceId=${source.id}`);
    const again = await verify(['--incoming-event', data[0]?.id ?? ''], { env });
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('reason\tbody_whitespace\n')]);
  });

  it('says what to give when something is missing or too much', async () => {
    const wrong = [
      [],
      ['{}'],
      ['-', '-H', '-'],
      ['{}', '-H', 'a: b', '--source', 'x', '--secret-file', 'y'],
      ['{}', '--incoming-event', 'x'],
    ];
    for (const args of wrong) expect((await verify(args, { env: OFFLINE })).code, args.join(' ')).toBe(2);
  });
});
