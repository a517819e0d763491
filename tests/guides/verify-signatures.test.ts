import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { hasRuntime, makeReceiver, RUNTIMES, type SignedRequest } from './verify-harness';

const GUIDE = readFileSync('docs/guides/verifying-signatures.md', 'utf8');
const HERE = Object.keys(RUNTIMES).filter(hasRuntime);

/** Returns the first code of the section with this title. */
function codeOf(title: string): string {
  return new RegExp(`^### ${title}\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)^\`\`\``, 'm').exec(GUIDE)?.[1] ?? '';
}

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const ID = '0199a0b1-0000-7000-8000-000000000001';
const BODY = '{"type":"order.paid","data":{"name":"Zoë","amount":4200}}';

function sign(secret: string, { secondsAgo = 0, signers = [secret] } = {}): SignedRequest {
  const at = new Date(Date.now() - secondsAgo * 1000);
  const signature = signers.map((each) => new Webhook(each).sign(ID, at, BODY)).join(' ');
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const headers = { 'webhook-id': ID, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { secret, headers, body: BODY };
}

it('the guide has code for Node, Python, Go, PHP, Ruby and Java, and Node is here to run it', () => {
  const languages = ['Node', 'Python', 'Go', 'PHP', 'Ruby', 'Java'];
  for (const language of languages) expect(codeOf(language), language).toMatch(/verify/i);
  expect(Object.keys(RUNTIMES)).toEqual(languages);
  expect(HERE).toContain('Node');
});

describe.each(HERE)('the code for %s', (language) => {
  const accepts = makeReceiver(language, codeOf(language));
  const secret = makeSecret();
  const other = makeSecret();

  it('accepts a request that the service signed', () => {
    expect(accepts(sign(secret))).toBe(true);
  });

  it('accepts either signature while a secret is rotated', () => {
    expect(accepts(sign(secret, { signers: [other, secret] }))).toBe(true);
    expect(accepts(sign(secret, { signers: [secret, other] }))).toBe(true);
  });

  it.each<[string, (request: SignedRequest) => SignedRequest]>([
    ['the signature of another secret', () => sign(secret, { signers: [other] })],
    ['a changed body', (request) => ({ ...request, body: BODY.replace('4200', '4201') })],
    ['a changed id', (request) => ({ ...request, headers: { ...request.headers, 'webhook-id': 'x' } })],
    ['a timestamp six minutes ago', () => sign(secret, { secondsAgo: 360 })],
    ['a timestamp six minutes ahead', () => sign(secret, { secondsAgo: -360 })],
    [
      'a timestamp that is not a number',
      ({ headers, ...rest }) => ({ ...rest, headers: { ...headers, 'webhook-timestamp': 'now' } }),
    ],
    [
      'a signature of another version',
      ({ headers, ...rest }) => ({
        ...rest,
        headers: { ...headers, 'webhook-signature': (headers['webhook-signature'] ?? '').replace('v1,', 'v2,') },
      }),
    ],
    ['no headers', (request) => ({ ...request, headers: {} })],
  ])('refuses %s', (_, change) => {
    expect(accepts(change(sign(secret)))).toBe(false);
  });
});
