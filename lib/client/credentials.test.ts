import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fault, json, problem, type Step, scriptedFetch } from '@/tests/http/scripted-fetch';
import { EventDeliveryClient } from './client';

const SECRET = 'eds_live_0123456789';
const BASE = { baseUrl: 'https://eds.example' };

async function errorOf(work: () => unknown): Promise<Error> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}

describe('a credential', () => {
  it('is sent in its own header, and not at all when a token is obtained', async () => {
    const { fetch, requests } = scriptedFetch(json(200, { id: 'p', accessToken: 'a', refreshToken: 'b' }));
    await new EventDeliveryClient({ ...BASE, fetch, apiKey: SECRET }).projects.get('p');
    const person = new EventDeliveryClient({
      ...BASE,
      fetch,
      accessToken: () => person.auth.refresh({ refreshToken: 'r' }).then(({ accessToken }) => accessToken),
    });
    await person.projects.get('p');
    const sent = requests.map(({ headers }) => [headers.get('x-api-key'), headers.get('authorization')]);
    expect(sent).toEqual([
      [SECRET, null],
      [null, null],
      [null, 'Bearer a'],
    ]);
  });

  it('is in no error: not in its message, its JSON, or what a log prints of it', async () => {
    const leaky = Object.assign(fault('ECONNRESET'), { config: { headers: { 'x-api-key': SECRET } }, message: SECRET });
    const steps: Step[] = [leaky, problem(401, 'invalid_api_key'), new Response('<h1>', { status: 502 })];
    for (const step of steps) {
      const { fetch } = scriptedFetch(step);
      const client = new EventDeliveryClient({ ...BASE, fetch, apiKey: SECRET, maxRetries: 0 });
      const error = await errorOf(() => client.projects.get('p'));
      expect(error.message + JSON.stringify(error) + String(error) + inspect(error)).not.toContain(SECRET);
    }
  });

  it('is not visible in a printed client', () => {
    const client = new EventDeliveryClient({ ...BASE, apiKey: SECRET });
    expect(JSON.stringify(client) + inspect(client, { depth: 9, showHidden: true })).not.toContain(SECRET);
  });

  it('with a line break is rejected without its value in the message', async () => {
    const { fetch, requests } = scriptedFetch(json(200, { id: 'p' }));
    const bad = `${SECRET}\n`;
    const errors = [
      await errorOf(() => new EventDeliveryClient({ ...BASE, fetch, apiKey: bad })),
      await errorOf(() => new EventDeliveryClient({ ...BASE, fetch, headers: { 'x-platform-admin-token': bad } })),
      await errorOf(() => new EventDeliveryClient({ ...BASE, fetch, accessToken: () => bad }).projects.get('p')),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).not.toContain(SECRET);
    }
    expect(requests).toHaveLength(0);
  });
});

describe('the options', () => {
  it.each([
    ['two credentials', { apiKey: 'a', accessToken: () => 'b' }],
    ['no URL', { baseUrl: 'eds.example' }],
    ['a URL of another scheme', { baseUrl: 'ftp://eds.example' }],
    ['a URL with a password', { baseUrl: 'https://a:b@eds.example' }],
    ['a URL with a query', { baseUrl: 'https://eds.example?x=1' }],
    ['a timeout of zero', { timeoutMs: 0 }],
    ['a timeout that setTimeout cannot hold', { timeoutMs: 2 ** 31 }],
    ['a negative number of retries', { maxRetries: -1 }],
    ['endless retries', { maxRetries: Number.POSITIVE_INFINITY }],
  ])('reject %s', (_name, options) => {
    expect(() => new EventDeliveryClient({ ...BASE, ...options })).toThrow(TypeError);
  });

  it('keep the path of baseUrl, with or without a slash at its end', async () => {
    const { fetch, requests } = scriptedFetch(json(200, { id: 'p' }));
    for (const baseUrl of ['https://eds.example/hooks/', 'https://eds.example/hooks']) {
      await new EventDeliveryClient({ baseUrl, fetch }).projects.get('p');
    }
    expect(requests.map(({ url }) => url)).toEqual(Array(2).fill('https://eds.example/hooks/api/v1/projects/p'));
  });

  it('give the project, which a call may replace; without any the call fails', async () => {
    const { fetch, requests } = scriptedFetch(json(200, { id: 'e' }));
    const client = new EventDeliveryClient({ ...BASE, fetch, projectId: 'one' });
    await client.events.get('e');
    await client.events.get('e', { projectId: 'two' });
    expect(requests.map(({ url }) => new URL(url).pathname.split('/')[4])).toEqual(['one', 'two']);
    await expect(new EventDeliveryClient({ ...BASE, fetch }).events.get('e')).rejects.toThrow('projectId is missing');
  });
});
