import { describe, expect, it } from 'vitest';
import { config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { knownOwnerOf } from '@/lib/platform/known-owners';
import { useDatabase } from '@/tests/database/use-database';
import { usePortal } from '@/tests/fixtures/portal';
import { type CallOptions, call, expectProblem } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const { projects, base, asOwner, makeEndpoint, mine, makeCustomer, open, portal } = usePortal();

describe('the rates of a portal', () => {
  const spend = async (count: number, request: () => Promise<{ status: number }>) => {
    const answers = [];
    for (let sent = 0; sent < count; sent += 10) {
      answers.push(...(await Promise.all(Array.from({ length: Math.min(10, count - sent) }, request))));
    }
    return new Set(answers.map(({ status }) => status));
  };

  it.each([
    ['reads', 300, 200, () => portal('GET', '/session')],
    ['changes', 60, 404, () => portal('DELETE', `/endpoints/${newId()}`)],
    ['tests', 10, 404, () => portal('POST', `/endpoints/${newId()}/test`)],
    ['replays', 10, 404, () => portal('POST', `/endpoints/${newId()}/replays`, { from: new Date().toISOString() })],
  ])('are so many %s a minute for a customer, whoever sends them: %i', async (_what, count, status, request) => {
    expect(await spend(count, request)).toEqual(new Set([status]));
    const refused = await request();
    expectProblem(refused, 429, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Its requests count for the network that each comes from.
    expect(knownOwnerOf(null, `Bearer ${mine.manager.bearer}`)).toBeNull();
    mine.manager = await open(mine.customer);
    expectProblem(await request(), 429, 'rate_limited');
    mine.manager = await open(await makeCustomer());
    expect((await request()).status).toBe(status);
  });

  it('are counted apart from each other, and tests apart from those of the project', async () => {
    setOnce('config', { ...config(), PROJECT_ENDPOINT_TESTS_PER_MINUTE: 1 });
    await spend(10, () => portal('POST', `/endpoints/${newId()}/test`));
    expect((await portal('GET', '/endpoints')).status).toBe(200);
    const receiver = await startReceiver();
    const { id } = await makeEndpoint(projects.mine, { url: receiver.url });
    const test = () => call('POST', `${base()}/endpoints/${id}/test`, asOwner());
    expect((await test()).status).toBe(200);
    expect((await test()).status).toBe(429);
  });

  it('do not keep anybody from signing out, who stays a stranger', async () => {
    await spend(61, () => portal('DELETE', `/endpoints/${newId()}`));
    expect((await portal('DELETE', '/session')).status).toBe(204);
    expect(knownOwnerOf(null, `Bearer ${mine.manager.bearer}`)).toBeNull();
    expectProblem(await portal('GET', '/session'), 401, 'unauthenticated');
    expect((await portal('DELETE', '/session', undefined, mine.reader)).status).toBe(204);
  });

  it('are two tests at once for a customer, whatever others do', async () => {
    let answer = () => {};
    const receiver = await startReceiver((response) => {
      const before = answer;
      answer = () => {
        before();
        response.end();
      };
    });
    const make = async (by: CallOptions) => (await portal('POST', '/endpoints', { url: receiver.url }, by)).json.id;
    const test = (id: string, by: CallOptions) => portal('POST', `/endpoints/${id}/test`, undefined, by);
    const other = await open(await makeCustomer());
    const [id, ofOther] = [await make(mine.manager), await make(other)];
    const running = [test(id, mine.manager), test(id, mine.manager)];
    await waitFor('both requests', () => receiver.received.length === 2);
    expectProblem(await test(id, mine.manager), 429, 'rate_limited');
    running.push(test(ofOther, other));
    await waitFor('that of the other customer', () => receiver.received.length === 3);
    answer();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('make a customer beyond them a stranger, for whose requests neither its company nor its other customers wait', async () => {
    const authorization = `Bearer ${mine.manager.bearer}`;
    await portal('GET', '/session');
    expect(knownOwnerOf(null, authorization)).toBe(projects.mine.owner.userId);
    await spend(61, () => portal('DELETE', `/endpoints/${newId()}`));
    expect(knownOwnerOf(null, authorization)).not.toBe(projects.mine.owner.userId);
  });
});
