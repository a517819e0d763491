import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiRequest } from '@/lib/http/request';
import { setTestConfig } from '@/tests/setup/variables';
import { anyoneFromSameOrigin } from './same-origin';

const check = (headers: Record<string, string>) =>
  anyoneFromSameOrigin().authenticate({
    header: (name) => headers[name] ?? null,
    client: { ipAddress: null, userAgent: null },
  } as ApiRequest);

describe('a request that acts on a cookie', () => {
  beforeAll(() => {
    setTestConfig({ APP_BASE_URL: 'https://events.example.com' });
  });

  it.each([
    [{}],
    [{ origin: 'https://events.example.com', host: 'internal:3000' }],
    [{ origin: 'http://localhost:3000', host: 'localhost:3000' }],
    [{ origin: 'https://alias.example.com', host: 'alias.example.com' }],
    [{ origin: 'https://alias.example.com', host: 'ALIAS.example.com:443' }],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'none' }],
  ])('from %j is accepted', async (headers) => {
    await expect(check(headers)).resolves.toMatchObject({ type: 'anonymous' });
  });

  it.each([
    [{ origin: 'https://evil.example', host: 'events.example.com' }],
    [{ origin: 'https://events.example.com.evil.example', host: 'events.example.com' }],
    [{ origin: 'https://events.example.com:8443', host: 'events.example.com' }],
    [{ origin: 'null', host: 'null' }],
    [{ origin: 'null', host: 'events.example.com' }],
    [{ origin: '', host: 'events.example.com' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'file://events.example.com', host: 'events.example.com' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://events.example.com' }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example', host: 'events.example.com' }],
  ])('from %j is refused', async (headers) => {
    await expect(check(headers)).rejects.toMatchObject({ code: 'cross_site_request' });
  });
});
