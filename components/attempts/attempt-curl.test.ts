import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { SentRequest } from '@/lib/delivery/schema';
import { listen } from '@/tests/http/listen';
import { attemptCurl } from './attempt-curl';

const request = (url: string, changes: Partial<SentRequest> = {}): SentRequest => ({
  method: 'POST',
  url,
  headers: [
    ['host', 'receiver.test'],
    ['connection', 'keep-alive'],
    ['user-agent', 'EventDeliveryService/1'],
    ['content-type', 'application/json'],
    ['x-empty', ''],
    ['webhook-signature', "v1,it's+signed="],
    ['content-length', '31'],
  ],
  body: `{"a":"it's $(id) \\n @x"}`,
  bodyBase64: null,
  bodyTruncated: false,
  ...changes,
});

async function startReceiver() {
  const seen: { url: string | undefined; headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer(async (message, response) => {
    let body = '';
    for await (const chunk of message) body += chunk;
    seen.push({ url: message.url, headers: message.headers, body });
    response.end();
  });
  return { seen, url: `${await listen(server)}/hook?a='b'&c=1` };
}

it('repeats the headers with the signature and the bytes of the body', async () => {
  const { seen, url } = await startReceiver();
  const sent = request(url);
  await promisify(execFile)('sh', ['-c', attemptCurl(sent) ?? '']);
  expect(seen[0]?.body).toBe(sent.body);
  expect(seen[0]?.headers).toMatchObject({
    'user-agent': 'EventDeliveryService/1',
    'content-type': 'application/json',
    'x-empty': '',
    'webhook-signature': "v1,it's+signed=",
  });
});

it('sends one request to a URL with brackets and braces', async () => {
  const { seen, url } = await startReceiver();
  await promisify(execFile)('sh', ['-c', attemptCurl(request(`${url}&ids=[1-3]&of={a,b}`)) ?? '']);
  expect(seen.map((one) => one.url)).toEqual([`/hook?a='b'&c=1&ids=[1-3]&of={a,b}`]);
});

it('takes a credential from the environment, and leaves a hidden signature out', async () => {
  const { seen, url } = await startReceiver();
  const headers: SentRequest['headers'] = [
    ['authorization', '[redacted]'],
    ['webhook-signature', '[redacted]'],
    ['x-hub-signature-256', '[redacted]'],
  ];
  const command = attemptCurl(request(url, { headers, body: '@file' })) ?? '';
  await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, CREDENTIAL: 'Bearer mine' } });
  expect(seen[0]).toMatchObject({ headers: { authorization: 'Bearer mine' }, body: '@file' });
  for (const name of ['webhook-signature', 'x-hub-signature-256']) expect(seen[0]?.headers).not.toHaveProperty(name);
  expect(seen[0]?.headers).not.toHaveProperty('content-type');
});

it('reads a body that is binary, too long, or has control characters from a file, and no other', () => {
  for (const body of ['{\n\t"a": "é"\n}', 'x'.repeat(30_000)]) {
    expect(attemptCurl(request('https://a.test/', { body }))).toContain(body);
  }
  for (const body of [null, 'x'.repeat(40_000), 'a\0', 'a\r\nb', '\u0003', '\u001b[31m', '\u007f']) {
    expect(attemptCurl(request('https://a.test/', { body }))).toMatch(/--data-binary @body$/);
  }
});

it('is not offered once the URL has changed', () => {
  expect(attemptCurl(request('https://a.test/', { url: null }))).toBeNull();
});
