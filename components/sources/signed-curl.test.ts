import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SignatureScheme } from '@/lib/delivery/signature-schemes-policy';
import type { Source } from '@/lib/incoming/schema';
import { verifySignature } from '@/lib/incoming/signatures/verify-signature';
import { formOfSource } from '@/lib/incoming/sources/signature-fields';
import { signedCurl } from './signed-curl';

const STANDARD_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const SECRET = 'it\'s $HOME `id` "quoted" \\ -x';
const sourceOf = (provider: Source['provider'], more: Partial<Omit<Source, 'url'>> = {}) => ({
  provider,
  url: 'http://localhost:3000/api/v1/ingress/src_x',
  signatureHeader: null,
  signatureEncoding: null,
  signaturePrefix: null,
  signatureKey: null,
  signatureAlgorithm: null,
  signedContent: null,
  timestampHeader: null,
  timestampKey: null,
  idHeader: null,
  secretEncoding: null,
  ...more,
});

/** Runs the command in a shell whose curl only prints its arguments. Returns the request that it would send. */
function requestOf(command: string | null, environment: Record<string, string> = {}) {
  const script = `curl() { for a in "$@"; do printf '%s\\001' "$a"; done; }\n${command}`;
  const given = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, ...environment } })
    .split('\u0001')
    .slice(0, -1);
  const valuesOf = (flag: string) => given.filter((_, index) => given[index - 1] === flag);
  const headers = new Map(valuesOf('-H').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const named = new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
  const body = Buffer.from(valuesOf('-d')[0] ?? '');
  return { url: () => given[0] ?? '', body, header: (name: string) => named.get(name) ?? null };
}

const isVerified = (
  source: ReturnType<typeof sourceOf>,
  secret: string,
  command: string | null,
  environment: Record<string, string> = {},
) =>
  verifySignature(
    {
      ...formOfSource(
        { ...source, signatureHeader: source.signatureHeader ?? 'X-Signature' },
        source.provider as SignatureScheme,
      ),
      secrets: [secret],
    },
    requestOf(command, environment),
    new Date(),
  );

it.each([
  ['GITHUB', {}],
  ['STRIPE', {}],
  ['SHOPIFY', {}],
  ['SLACK', {}],
  ['STANDARD_WEBHOOKS', {}],
  ['GITLAB', {}],
  ['TELEGRAM', {}],
  ['PADDLE', {}],
  ['CALENDLY', {}],
  ['ZENDESK', {}],
  ['HUBSPOT', {}],
  ['SQUARE', {}],
  ['META', {}],
  ['ZOOM', {}],
  ['TOKEN', { signatureHeader: 'X-Acme' }],
  ['TOKEN', { signatureHeader: 'Authorization', signaturePrefix: 'Bearer' }],
  ['GENERIC_HMAC', {}],
  ['GENERIC_HMAC', { signatureHeader: 'X-Acme', signatureEncoding: 'base64', signaturePrefix: 'v1=' }],
  ['GENERIC_HMAC', { signatureAlgorithm: 'SHA512', signedContent: '"$`\\\n{method}{url}{body}{url}' }],
  [
    'GENERIC_HMAC',
    {
      signedContent: '{id}:{timestamp}.{body}',
      timestampHeader: 'X-Time',
      idHeader: 'X-Id',
      signatureAlgorithm: 'SHA1',
    },
  ],
  ['GENERIC_HMAC', { signedContent: '{timestamp}.{body}', timestampKey: 't', signatureKey: 'v1' }],
  ['GENERIC_HMAC', { signatureHeader: "X-`id`'$HOME", signatureEncoding: 'hex', signaturePrefix: '"$(id)\\' }],
] as const)('sends an event that %s %j verifies, and no other secret', (provider, more) => {
  const source = sourceOf(provider, more);
  const secret = provider === 'STANDARD_WEBHOOKS' ? STANDARD_SECRET : SECRET;
  const command = signedCurl(source, secret);
  expect(isVerified(source, secret, command)).toBe(true);
  expect(isVerified(source, `${secret.slice(0, -4)}AAA=`, command)).toBe(false);
  expect(JSON.parse(requestOf(command).body.toString())).toBeTypeOf('object');
  expect(requestOf(command).url()).toBe(source.url);
});

it.each([{}, { signedContent: '{timestamp}.{body}', signatureKey: 'v1' }])(
  'runs no command that a prefix names, and sends the prefix as it is, with %j',
  (more) => {
    const directory = mkdtempSync(join(tmpdir(), 'signed-curl-'));
    const marker = join(directory, 'marker');
    const signaturePrefix = `$(touch\${IFS}${marker})\`touch\${IFS}${marker}\`"'\\`;
    const { header } = requestOf(signedCurl(sourceOf('GENERIC_HMAC', { ...more, signaturePrefix }), SECRET));
    expect(existsSync(marker)).toBe(false);
    expect(header('x-signature')).toContain(signaturePrefix);
    rmSync(directory, { recursive: true });
  },
);

it.each([
  ['hex', Buffer.alloc(20, 7).toString('hex'), Buffer.alloc(20, 8).toString('hex')],
  ['base64', Buffer.alloc(20, 7).toString('base64'), Buffer.alloc(20, 8).toString('base64')],
] as const)('signs with the key that a secret in %s encodes', (secretEncoding, secret, other) => {
  const source = sourceOf('GENERIC_HMAC', { secretEncoding });
  const command = signedCurl(source, secret);
  expect(isVerified(source, secret, command)).toBe(true);
  expect(isVerified(source, other, command)).toBe(false);
});

it('puts the clientState into the body for Microsoft Graph', () => {
  const source = sourceOf('MICROSOFT_GRAPH');
  expect(isVerified(source, 'ab12', signedCurl(source, 'ab12'))).toBe(true);
  expect(isVerified(source, 'ab13', signedCurl(source, 'ab12'))).toBe(false);
});

it('is not offered for Discord, whose private key nobody else has', () => {
  expect(signedCurl(sourceOf('DISCORD'), 'ab')).toBeNull();
});

it('reads the secret from the environment while it is hidden', () => {
  const source = sourceOf('GITHUB');
  const command = signedCurl(source, null);
  expect(isVerified(source, 'hidden', command, { SOURCE_SECRET: 'hidden' })).toBe(true);
});

it('sends no signature to a source that verifies none', () => {
  const { header, body } = requestOf(signedCurl(sourceOf('NONE'), null));
  expect(header('content-type')).toBe('application/json');
  expect(header('x-signature')).toBeNull();
  expect(JSON.parse(body.toString())).toMatchObject({ type: 'order.paid' });
});
