import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SignatureCheck } from '@/lib/delivery/schema';
import type { IncomingEvent, IncomingEventDetail } from '@/lib/incoming/schema';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { MemberReader } from '@/lib/platform/json-bytes';
import { itOnOneServer } from '@/tests/database/one-server';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, SECRET, sourceTools } from '@/tests/fixtures/sources';
import { type CallOptions, call, type Problem } from '@/tests/http/api-request';

useDatabase();

let project: TestProject;
let viewer: CallOptions;
let developer: CallOptions;
const { manage, makeSource, post } = sourceTools(() => project);

beforeAll(async () => {
  project = await makeTestProject();
  const { organizationId } = project.owner;
  viewer = asPerson(await registerMember(organizationId, 'VIEWER'));
  developer = asPerson(await registerMember(organizationId, 'DEVELOPER'));
});

const hmac = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex');
const github = (body: string, secret = SECRET) => ({
  'x-hub-signature-256': `sha256=${hmac(body, secret)}`,
  'x-github-delivery': hmac(body).slice(0, 12),
});
const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
const check = (source: MadeSource, body: object) =>
  manage<SignatureCheck>('POST', `/sources/${source.id}/verify-signature`, body);

describe('the signature check of a source', () => {
  it('says verifies as the source would, and names what keeps it from verifying', async () => {
    const source = await makeSource('GITHUB');
    const headers = linesOf(github('{"a":1}'));
    expect(await check(source, { headers, body: '{"a":1}' })).toMatchObject({
      reason: 'verified',
      signedWith: 'current',
    });
    expect((await check(source, { headers, body: '{"a":1}\n' })).reason).toBe('body_whitespace');
    const encoded = Buffer.from(hmac('{}'), 'hex').toString('base64');
    const base64 = { headers: `X-Hub-Signature-256: sha256=${encoded}`, body: '{}' };
    expect((await check(source, base64)).reason).toBe('signature_encoding');
    expect((await check(source, { headers: 'Stripe-Signature: t=1,v1=2', body: '{}' })).reason).toBe('other_scheme');
    await manage('POST', `/sources/${source.id}/rotate-secret`);
    expect(await check(source, { headers, body: '{"a":1}' })).toMatchObject({ verified: true, signedWith: 'previous' });
  });

  it('compares the body with the verified one of the same event', async () => {
    const source = await makeSource('GITHUB');
    const body = '{"n": 1, "s": "é"}';
    expect((await post(source, body, github(body))).status).toBe(202);
    const request = { headers: linesOf(github(body)), body: body.replace('1', '2') };
    expect(await check(source, request)).toMatchObject({ reason: 'body_changed', difference: { offset: 6 } });
    const other = await check(await makeSource('GITHUB'), request);
    expect(other, 'another source').toMatchObject({ reason: 'no_match', difference: null });
  });

  itOnOneServer('finds that body by the index of the ids of providers', async () => {
    const source = await makeSource('GITHUB');
    const sent = vi.spyOn(database(), 'query');
    await check(source, { headers: linesOf(github('{}')), body: '{"a":1}' });
    const texts = sent.mock.calls.map(([query]: unknown[]) => (query as { text?: string }).text ?? String(query));
    sent.mockRestore();
    const [text] = texts.filter((each) => each.includes('provider_event_id'));
    const plan = await inSqlTransaction(async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      return (await tx.query(`EXPLAIN (GENERIC_PLAN) ${text}`)).rows;
    });
    expect(JSON.stringify(plan)).toContain('incoming_events_provider_event_id_idx');
  });

  it('reads the id of a pasted body in a turn of the owner', async () => {
    const source = await makeSource('SQUARE');
    let isInTurn = false;
    const tryAcquire = () => {
      isInTurn = true;
      return () => {
        isInTurn = false;
      };
    };
    setOnce('thread-turns', { pace: { restAfter: () => 0, owedMs: () => 0 }, semaphore: { tryAcquire } });
    const turns: boolean[] = [];
    vi.spyOn(MemberReader.prototype, 'read').mockImplementation(() => {
      turns.push(isInTurn);
      return {};
    });
    onTestFinished(() => {
      setOnce('thread-turns', undefined);
      vi.restoreAllMocks();
    });
    await check(source, { headers: 'X-Square-HmacSha256-Signature: AA==', body: '{"event_id":"e"}' });
    expect(turns).toEqual([true]);
  });

  it('says that a source has no secret, and refuses one that checks no signatures', async () => {
    const stripe = await manage<MadeSource>('POST', '/sources', { name: 'pay', provider: 'STRIPE' });
    const request = { headers: `stripe-signature: t=${Math.floor(Date.now() / 1000)},v1=${hmac('{}')}`, body: '{}' };
    expect((await check(stripe, request)).reason).toBe('no_secret');
    const path = `/api/v1/projects/${project.id}/sources/${(await makeSource()).id}/verify-signature`;
    const refused = await call<Problem>('POST', path, { apiKey: project.key, body: request });
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
  });

  it('is for those who may read the secret: others could find a short one by trying', async () => {
    const source = await makeSource('GITHUB');
    const path = `/api/v1/projects/${project.id}/sources/${source.id}/verify-signature`;
    const body = { headers: linesOf(github('{}')), body: '{}' };
    const stranger = await makeTestProject();
    const results = [
      developer,
      { apiKey: project.key },
      viewer,
      { apiKey: project.readOnlyKey },
      { apiKey: stranger.key },
    ];
    const statuses = await Promise.all(
      results.map(async (caller) => (await call('POST', path, { ...caller, body })).status),
    );
    expect(statuses).toEqual([200, 200, 403, 403, 404]);
  });
});

describe('the signature check of an incoming event', () => {
  /** Receives a request that does not verify, and returns its path. */
  const receiveUnverified = async (source: MadeSource, body: string, headers: Record<string, string>) => {
    const refused = await post(source, body, headers);
    expect([refused.status, refused.json.code]).toEqual([401, 'invalid_signature']);
    const { data } = await manage<{ data: IncomingEvent[] }>('GET', `/incoming-events?sourceId=${source.id}&limit=1`);
    return `/incoming-events/${data[0]?.id}`;
  };

  it('names why it did not verify, and says verifies once the secret is right, without changing it', async () => {
    const source = await makeSource('GITHUB');
    const path = await receiveUnverified(source, '{"a":1}', github('{"a":1}', 'the right secret'));
    const recorded = async () => [await manage('GET', path), await select('SELECT * FROM incoming_events ORDER BY id')];
    const before = await recorded();
    const again = () => manage<SignatureCheck>('GET', `${path}/signature-check`);
    expect(await again()).toMatchObject({ verified: false, reason: 'no_match' });
    await manage('PATCH', `/sources/${source.id}`, { secret: 'the right secret' });
    expect(await again()).toMatchObject({ verified: true, reason: 'verified', signedWith: 'current' });
    expect(await recorded()).toEqual(before);
    const replay = await call<Problem>('POST', `/api/v1/projects/${project.id}${path}/replay`, { apiKey: project.key });
    expect([replay.status, (await manage<IncomingEventDetail>('GET', path)).verified]).toEqual([409, false]);
  });

  it('is refused for an event of a source that checks none', async () => {
    const { json } = await post(await makeSource(), '{}', {});
    const path = `/api/v1/projects/${project.id}/incoming-events/${json.id}/signature-check`;
    const refused = await call<Problem>('GET', path, { apiKey: project.key });
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
  });

  it('compares the timestamp with the time at which it was received', async () => {
    const source = await makeSource('SLACK');
    const seconds = Math.floor(Date.now() / 1000) + 3_600;
    const headers = {
      'x-slack-request-timestamp': String(seconds),
      'x-slack-signature': `v0=${hmac(`v0:${seconds}:{}`)}`,
    };
    const path = await receiveUnverified(source, '{}', headers);
    const found = await manage<SignatureCheck>('GET', `${path}/signature-check`);
    expect(found).toMatchObject({ reason: 'timestamp_in_future', signedWith: 'current' });
    expect(found.ageSeconds).toBeLessThan(-3_500);
  });

  it('says that a token was another one, though it is never stored, and that it is missing', async () => {
    const body = { name: 'bot', provider: 'TELEGRAM', secret: 'a_token' };
    const source = await manage<MadeSource>('POST', '/sources', body);
    const wrong = await receiveUnverified(source, '{"update_id":1}', { 'x-telegram-bot-api-secret-token': 'another' });
    const check = (path: string) => manage<SignatureCheck>('GET', `${path}/signature-check`);
    expect(await check(wrong)).toMatchObject({ reason: 'wrong_secret', detail: expect.stringContaining('setWebhook') });
    const without = await receiveUnverified(source, '{"update_id":2}', {});
    expect(await check(without)).toMatchObject({ reason: 'missing_header' });
    const right = { 'x-telegram-bot-api-secret-token': 'a_token' };
    expect((await post(source, '{"update_id":3}', right)).status).toBe(202);
    const { data } = await manage<{ data: IncomingEvent[] }>('GET', `/incoming-events?sourceId=${source.id}&limit=1`);
    expect(await check(`/incoming-events/${data[0]?.id}`)).toMatchObject({ reason: 'redacted_header' });
  });

  it('tells the provider only what it may know: no secret yet, another token, or a time where it signs one', async () => {
    const detailOf = async (source: MadeSource, headers: Record<string, string>) =>
      (await post(source, '{}', headers)).json as unknown as Problem;
    const zoom = await manage<MadeSource>('POST', '/sources', { name: 'calls', provider: 'ZOOM' });
    expect((await detailOf(zoom, { 'x-zm-signature': 'v0=00' })).detail).toBe('This source has no secret yet.');
    const slack = await makeSource('SLACK');
    const old = { 'x-slack-request-timestamp': '1700000000', 'x-slack-signature': 'v0=00' };
    expect((await detailOf(slack, old)).detail).toContain('or its timestamp isn’t within five minutes of now');
    expect((await detailOf(await makeSource('GITLAB'), {})).detail).toBe(
      'The token isn’t this source’s secret, or is missing.',
    );
  });

  it('is for all who may read the event, and shows nobody the signature', async () => {
    const source = await makeSource('GITHUB');
    const headers = github('{"a": 1}');
    const path = `${await receiveUnverified(source, '{"a":1}', headers)}/signature-check`;
    const stranger = await makeTestProject();
    const read = (caller: CallOptions) => call<SignatureCheck>('GET', `/api/v1/projects/${project.id}${path}`, caller);
    for (const caller of [developer, viewer, { apiKey: project.readOnlyKey }]) {
      const served = await read(caller);
      expect([served.status, served.json.reason]).toEqual([200, 'body_reserialized']);
      for (const secret of [hmac('{"a": 1}'), hmac('{"a":1}'), SECRET]) expect(served.text).not.toContain(secret);
    }
    expect((await read({ apiKey: stranger.key })).status).toBe(404);
    await manage('DELETE', `/sources/${source.id}`);
    expect((await read(developer)).status).toBe(404);
  });
});
