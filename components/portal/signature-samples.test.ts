import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { listen } from '@/tests/http/listen';
import { signatureSamples, signedCurl } from './signature-samples';

it('are the functions of the guide, which tests run', () => {
  const guide = readFileSync('docs/guides/verifying-signatures.md', 'utf8');
  const samples = signatureSamples(guide);
  expect(samples.map(({ name }) => name)).toEqual(['Node', 'Python', 'Go', 'PHP']);
  for (const { code } of samples) {
    expect(code).toMatch(/verify\(/i);
    expect(guide).toContain(code);
  }
});

it('the commands for a terminal send a request with a valid signature', async () => {
  const seen: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
  const server = createServer(async (message, response) => {
    let body = '';
    for await (const chunk of message) body += chunk;
    seen.push({ headers: message.headers, body });
    response.end();
  });
  const url = `${await listen(server)}/hook?of='us'&ids=[1-3]`;
  const key = Buffer.from('a key of twenty-four byte');
  const command = signedCurl(url).replace('whsec_…', `whsec_${key.toString('base64')}`);
  await promisify(execFile)('sh', ['-c', command]);
  expect(seen).toHaveLength(1);
  const { headers, body } = seen[0] ?? { headers: {}, body: '' };
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
});
