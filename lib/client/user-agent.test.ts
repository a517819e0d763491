import { afterEach, describe, expect, it, vi } from 'vitest';
import manifest from '@/package.json' with { type: 'json' };
import { json, scriptedFetch } from '@/tests/http/scripted-fetch';
import { EventDeliveryClient } from './client';

afterEach(() => vi.unstubAllGlobals());

/** The User-Agent of a request from a client with these headers. */
async function sentWith(headers: Record<string, string> = {}) {
  const { fetch, requests } = scriptedFetch(json(200, { id: 'p' }));
  await new EventDeliveryClient({ baseUrl: 'https://eds.example', fetch, headers }).projects.get('p');
  return requests[0]?.headers.get('user-agent');
}

describe('the User-Agent of a request', () => {
  it.each([
    ['without a navigator', undefined],
    ['with one', { userAgent: 'Node.js/22' }],
  ])('names the client with the version of the service, on a Node %s', async (_name, navigator) => {
    vi.stubGlobal('navigator', navigator);
    expect(await sentWith()).toBe(`event-delivery-client/${manifest.version}`);
  });

  it('is that of the caller when the headers of the client have one, in any case', async () => {
    expect(await sentWith({ 'user-agent': 'shop/3' })).toBe('shop/3');
    expect(await sentWith({ 'User-Agent': 'shop/3' })).toBe('shop/3');
  });

  it('is left to the browser', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0' });
    expect(await sentWith()).toBeNull();
  });
});
