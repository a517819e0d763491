import { beforeAll, describe, expect, it } from 'vitest';
import { keysOfEndpoint, signWebhook } from '@/lib/delivery/credentials';
import type { Endpoint, EndpointSecret, SignatureCheck } from '@/lib/delivery/schema';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const CHOSEN = 'our webhook password';
const CUSTOM = {
  profile: 'CUSTOM',
  header: 'X-Acme-Signature',
  content: '{body}',
  algorithm: 'SHA256',
  encoding: 'HEX',
  value: '{signature}',
};

describe('the signature check of an endpoint', () => {
  let project: TestProject;
  let stranger: TestProject;
  let endpoint: Endpoint;
  let other: Endpoint;

  const manage = async <T>(verb: string, tail: string, body?: object, owner = project): Promise<T> => {
    const path = `/api/v1/projects/${owner.id}${tail}`;
    const made = await call<T>(verb, path, { apiKey: owner.key, ...(body === undefined ? {} : { body }) });
    expect(made.status, made.text).toBeLessThan(300);
    return made.json;
  };
  const makeEndpoint = (owner = project) =>
    manage<Endpoint>('POST', '/endpoints', { url: 'https://example.com/hooks' }, owner);
  const secretOf = async ({ id }: Endpoint, owner = project) =>
    (await manage<EndpointSecret>('GET', `/endpoints/${id}/secret`, undefined, owner)).secret;
  const headersOf = (secret: string, body: string, { id = 'msg_1', ageSeconds = 0 } = {}) => {
    const seconds = Math.floor(Date.now() / 1000) - ageSeconds;
    const signature = signWebhook([keysOfEndpoint(secret).key], id, seconds, Buffer.from(body));
    return `webhook-id: ${id}\nwebhook-timestamp: ${seconds}\nwebhook-signature: ${signature}`;
  };
  const check = async (body: object, owner = project) =>
    await manage<SignatureCheck>('POST', `/endpoints/${endpoint.id}/verify-signature`, body, owner);

  beforeAll(async () => {
    project = await makeTestProject();
    stranger = await makeTestProject();
    endpoint = await makeEndpoint();
    other = await makeEndpoint();
  });

  it('says verifies with the current secret, and with the previous one until it ends', async () => {
    const rotated = await makeEndpoint();
    const path = `/endpoints/${rotated.id}/verify-signature`;
    const old = await secretOf(rotated);
    const request = { headers: headersOf(old, '{}'), body: '{}' };
    expect(await manage('POST', path, request)).toMatchObject({
      verified: true,
      reason: 'verified',
      signedWith: 'current',
    });
    await manage('POST', `/endpoints/${rotated.id}/rotate-secret`);
    expect(await manage('POST', path, request)).toMatchObject({ verified: true, signedWith: 'previous' });
    const ended = `UPDATE endpoints SET previous_secret_expires_at = now() - interval '1 hour' WHERE id = $1`;
    await run(ended, rotated.id);
    expect(await manage('POST', path, request)).toMatchObject({ verified: false, reason: 'secret_rotated_out' });
  });

  it('finds the body that was sent by its webhook-id, and shows where the received one begins to differ', async () => {
    const data = '{"total": 1.0}';
    const event = await call<{ id: string; createdAt: string }>('POST', '/api/v1/events', {
      apiKey: project.key,
      body: `{"type":"order.paid","data":${data}}`,
      headers: { 'content-type': 'application/json' },
    });
    const sent = `{"type":"order.paid","timestamp":"${event.json.createdAt}","data":${data}}`;
    const headers = headersOf(await secretOf(endpoint), sent, { id: event.json.id });
    const body = JSON.stringify(JSON.parse(sent));
    expect(await check({ headers, body })).toMatchObject({
      reason: 'body_reserialized',
      difference: { offset: sent.indexOf(' 1.0'), signed: ' 1.0}}', received: '1}}' },
    });
    const changed = await check({ headers, body: sent.replace(' 1.0}', ' 2.0}') });
    expect(changed).toMatchObject({ reason: 'body_changed', difference: { signed: '1.0}}', received: '2.0}}' } });

    const theirs = await makeEndpoint(stranger);
    const foreign = { headers: headersOf(await secretOf(theirs, stranger), sent, { id: event.json.id }), body: '{}' };
    const path = `/endpoints/${theirs.id}/verify-signature`;
    const hidden = await manage<SignatureCheck>('POST', path, foreign, stranger);
    expect(hidden, 'the event of another project').toMatchObject({ reason: 'no_match', difference: null });
  });

  it('names another endpoint of the project that signed the request, and none of another project', async () => {
    const headers = headersOf(await secretOf(other), '{}');
    const found = await check({ headers, body: '{}' });
    expect(found).toMatchObject({ reason: 'secret_of_another', detail: expect.stringContaining(other.id) });
    const foreign = headersOf(await secretOf(await makeEndpoint(stranger), stranger), '{}');
    expect((await check({ headers: foreign, body: '{}' })).reason).toBe('no_match');
  });

  it('compares the timestamp with the time of receipt, if it is given', async () => {
    const request = { headers: headersOf(await secretOf(endpoint), '{}', { ageSeconds: 3_600 }), body: '{}' };
    expect(await check(request)).toMatchObject({ reason: 'timestamp_too_old', ageSeconds: expect.any(Number) });
    const receivedAt = new Date(Date.now() - 3_590_000).toISOString();
    expect((await check({ ...request, receivedAt })).reason).toBe('verified');
  });

  it('takes the body byte for byte in Base64, up to 257 KiB', async () => {
    const headers = headersOf(await secretOf(endpoint), '{}');
    const bodyBase64 = (body: Buffer) => ({ headers, bodyBase64: body.toString('base64') });
    const mark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]);
    expect((await check(bodyBase64(mark))).reason).toBe('body_byte_order_mark');
    expect((await check(bodyBase64(Buffer.alloc(257 * 1024)))).reason).toBe('no_match');
    const path = `/api/v1/projects/${project.id}/endpoints/${endpoint.id}/verify-signature`;
    const post = (body: object) => call<Problem>('POST', path, { apiKey: project.key, body });
    const large = await post(bodyBase64(Buffer.alloc(257 * 1024 + 1)));
    expect([large.status, large.json.code]).toEqual([413, 'payload_too_large']);
    for (const body of [{ headers }, { headers, body: '', bodyBase64: '' }, { headers, bodyBase64: 'é' }]) {
      expect((await post(body)).status).toBe(400);
    }
  });

  it('is for all who may read the endpoint, viewers and read-only keys too, and for nobody else', async () => {
    const path = `/api/v1/projects/${project.id}/endpoints/${endpoint.id}/verify-signature`;
    const body = { headers: headersOf(await secretOf(endpoint), '{}'), body: '{}' };
    const viewer = await registerMember(project.owner.organizationId, 'VIEWER');
    for (const caller of [asPerson(viewer, body), { apiKey: project.readOnlyKey, body }]) {
      const served = await call<SignatureCheck>('POST', path, caller);
      expect([served.status, served.json.reason]).toEqual([200, 'verified']);
    }
    const foreign = await call<Problem>('POST', path, { apiKey: stranger.key, body });
    expect([foreign.status, foreign.json.code]).toEqual([404, 'not_found']);
  });

  it('confirms a secret that can be guessed only to those who may read it', async () => {
    const owner = await makeTestProject();
    const chosen = await manage<Endpoint>(
      'POST',
      '/endpoints',
      { url: 'https://example.com/hooks', signature: CUSTOM, secret: CHOSEN },
      owner,
    );
    const generated = await makeEndpoint(owner);
    const body = { headers: headersOf(CHOSEN, '{}'), body: '{}' };
    const checkAs = async ({ id }: Endpoint, caller: object) => {
      const path = `/api/v1/projects/${owner.id}/endpoints/${id}/verify-signature`;
      const { status, json } = await call<SignatureCheck & Problem>('POST', path, { ...caller, body });
      return status === 200 ? json.reason : `${status} ${json.code}`;
    };
    const as = async (role: 'VIEWER' | 'DEVELOPER') =>
      asPerson(await registerMember(owner.owner.organizationId, role), body);
    const hidden = [await as('VIEWER'), { apiKey: owner.readOnlyKey }];
    const shown = [await as('DEVELOPER'), { apiKey: owner.key }];
    for (const caller of hidden) {
      expect(await checkAs(chosen, caller)).toBe('403 forbidden');
      expect(await checkAs(generated, caller), 'by another endpoint').toBe('no_match');
    }
    for (const caller of shown) {
      expect(await checkAs(chosen, caller)).toBe('verified');
      expect(await checkAs(generated, caller)).toBe('secret_of_another');
    }

    await manage('POST', `/endpoints/${chosen.id}/rotate-secret`, undefined, owner);
    for (const caller of hidden) expect(await checkAs(chosen, caller), 'the previous one').toBe('403 forbidden');
    for (const caller of shown) expect(await checkAs(chosen, caller)).toBe('verified');
    await manage('DELETE', `/endpoints/${chosen.id}/previous-secret`, undefined, owner);
    for (const caller of [...hidden, ...shown]) expect(await checkAs(chosen, caller)).toBe('no_match');
  });
});
