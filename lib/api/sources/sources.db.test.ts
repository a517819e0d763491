import { beforeEach, describe, expect, it } from 'vitest';
import type { Source, SourceSecret } from '@/lib/incoming/schema';
import { lockProjectIfLive } from '@/lib/orgs/locks';
import { inSqlTransaction } from '@/lib/platform/db';
import { untilLockWait } from '@/tests/database/lock-waits';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, SECRET, sourceTools } from '@/tests/fixtures/sources';
import { expectInvalid } from '@/tests/http/api-request';

useDatabase();

describe('sources', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await makeTestProject();
  });

  const tools = sourceTools(() => project);
  const send = <T = MadeSource>(verb: string, tail = '', body?: object) => tools.send<T>(verb, `/sources${tail}`, body);
  const create = (body: object = { name: 'shop' }) => tools.manage<MadeSource>('POST', '/sources', body);
  const secretOf = (id: string) => send<SourceSecret>('GET', `/${id}/secret`);

  it('are created with a URL of their own, which is shown again', async () => {
    const one = await create();
    const two = await create();
    expect(one).toMatchObject({
      name: 'shop',
      provider: 'NONE',
      hasSecret: false,
      enabled: true,
      signatureHeader: null,
    });
    expect(one.url).toMatch(/\/api\/v1\/ingress\/[A-Za-z0-9_-]{43}$/);
    expect(two.url).not.toBe(one.url);
    expect((await send('GET', `/${one.id}`)).json).toEqual(one);
    expect((await send<{ data: Source[] }>('GET')).json.data).toEqual([two, one]);
  });

  it('are listed without their URL when no key decrypts it, and get a new one when it is rotated', async () => {
    const lost = await create();
    const other = await create();
    await run(`UPDATE sources SET token_encrypted = '\\x01020304' WHERE id = $1`, lost.id);
    const listed = await send<{ data: Source[] }>('GET');
    expect([listed.status, listed.json.data]).toEqual([200, [other, { ...lost, url: null }]]);
    expect((await send('GET', `/${lost.id}`)).json.url).toBeNull();
    expect((await send('PATCH', `/${lost.id}`, { name: 'renamed' })).json).toMatchObject({
      name: 'renamed',
      url: null,
    });
    const { url } = (await send('POST', `/${lost.id}/rotate-url`)).json;
    expect(url).toMatch(/\/api\/v1\/ingress\/[A-Za-z0-9_-]{43}$/);
    expect((await send('GET', `/${lost.id}`)).json.url).toBe(url);
    await run(`UPDATE sources SET token_encrypted = '\\x01020304' WHERE id = $1`, lost.id);
    expect((await send('DELETE', `/${lost.id}`)).status).toBe(204);
  });

  describe('whose secret no key decrypts', () => {
    const lose = (id: string) => run(`UPDATE sources SET secret_encrypted = '\\x01020304' WHERE id = $1`, id);
    const post = (source: MadeSource) => tools.post(source, 'body', { 'x-gitlab-token': SECRET });

    it('tell a provider to come back, and say that the secret must be set again', async () => {
      const source = await tools.makeSource('GITLAB');
      await lose(source.id);
      const detail = 'The secret of this source can’t be read. Set it again.';
      expect(await post(source)).toMatchObject({ status: 503, json: { code: 'unavailable', detail } });
      expect((await secretOf(source.id)).json).toMatchObject({ code: 'conflict', detail });
      const check = await tools.send('POST', `/sources/${source.id}/verify-signature`, { headers: '', body: '' });
      expect(check.json).toMatchObject({ code: 'conflict', detail });
      expect((await send('PATCH', `/${source.id}`, { name: 'shop', secret: SECRET })).status).toBe(200);
      expect((await post(source)).status).toBe(202);
      expect((await secretOf(source.id)).json.secret).toBe(SECRET);
    });

    it('accept requests once it is rotated, whatever the grace period of the one that is lost', async () => {
      const source = await tools.makeSource('GITLAB');
      await lose(source.id);
      expect((await send('POST', `/${source.id}/rotate-secret`, { secret: SECRET })).status).toBe(200);
      expect((await post(source)).status).toBe(202);
      const headers = `x-gitlab-token: ${SECRET}`;
      const check = await tools.send('POST', `/sources/${source.id}/verify-signature`, { headers, body: 'body' });
      expect(check).toMatchObject({ status: 200, json: { verified: true } });
    });
  });

  it('store neither the token of the URL nor the secret in plain text', async () => {
    const source = await create({ name: 'shop', provider: 'STRIPE', secret: 'whsec_of_stripe' });
    const rows = await select('SELECT row_to_json(s)::text AS text FROM sources s WHERE id = $1', source.id);
    const token = source.url.split('/').at(-1) as string;
    for (const secret of [token, 'whsec_of_stripe']) {
      expect(rows[0].text).not.toContain(secret);
      expect(rows[0].text).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  const OURS = [
    'GENERIC_HMAC',
    'STANDARD_WEBHOOKS',
    'GITHUB',
    'TOKEN',
    'GITLAB',
    'TELEGRAM',
    'CALENDLY',
    'MICROSOFT_GRAPH',
  ];
  it.each(OURS)('of %s get a generated secret', async (provider) => {
    const source = await create({ name: 'shop', provider });
    expect(source.hasSecret).toBe(true);
    const { secret } = (await secretOf(source.id)).json;
    expect(secret).toMatch(provider === 'STANDARD_WEBHOOKS' ? /^whsec_[A-Za-z0-9+/]{43}=$/ : /^[0-9a-f]{64}$/);
  });

  const THEIRS = ['STRIPE', 'SHOPIFY', 'SLACK', 'PADDLE', 'ZENDESK', 'HUBSPOT', 'SQUARE', 'META', 'ZOOM'];
  it.each(THEIRS)('of %s wait for the secret that the provider makes', async (provider) => {
    const source = await create({ name: 'shop', provider });
    expect(source.hasSecret).toBe(false);
    expect((await secretOf(source.id)).status).toBe(404);
    expect((await send('PATCH', `/${source.id}`, { secret: 'given by the provider' })).json.hasSecret).toBe(true);
    expect((await secretOf(source.id)).json).toEqual({
      secret: 'given by the provider',
      previousSecretExpiresAt: null,
    });
  });

  it('of a generic HMAC say where the signature is, with defaults', async () => {
    const source = await create({ name: 'shop', provider: 'GENERIC_HMAC', signaturePrefix: 'sha256=' });
    expect(source).toMatchObject({
      signatureHeader: 'X-Signature',
      signatureEncoding: 'hex',
      signaturePrefix: 'sha256=',
    });
    const changed = await send('PATCH', `/${source.id}`, { signatureHeader: 'X-Acme', signatureEncoding: 'base64' });
    expect(changed.json).toMatchObject({
      signatureHeader: 'X-Acme',
      signatureEncoding: 'base64',
      signaturePrefix: 'sha256=',
    });
  });

  it('of a generic HMAC say what is signed, and a change must fit what is there', async () => {
    const form = { signedContent: '{timestamp}.{body}', timestampHeader: 'X-Time', signatureAlgorithm: 'SHA512' };
    const source = await create({
      name: 'shop',
      provider: 'GENERIC_HMAC',
      secretEncoding: 'hex',
      secret: 'ab12',
      ...form,
    });
    expect(source).toMatchObject({ ...form, signatureKey: '', timestampKey: '', idHeader: '', secretEncoding: 'hex' });
    const change = (body: object) => send('PATCH', `/${source.id}`, body);
    expectInvalid(await change({ timestampHeader: '' }), 'timestampHeader');
    expectInvalid(await change({ signedContent: '{body}' }), 'signedContent');
    expectInvalid(await change({ secret: 'not hex' }), 'secret');
    expectInvalid(await send('POST', `/${source.id}/rotate-secret`, { secret: 'not hex' }), 'secret');
    expect((await change({ secretEncoding: 'base64' })).json.secretEncoding).toBe('base64');
    await change({ secretEncoding: 'text', secret: 'not hex' });
    expectInvalid(await change({ secretEncoding: 'hex' }), 'secret');
    const plain = await change({ timestampHeader: '', signedContent: '{body}' });
    expect(plain.json).toMatchObject({ signedContent: '{body}', timestampHeader: '' });
  });

  it('from before templates show nothing that they did not choose, and can be changed', async () => {
    const source = await create({ name: 'shop', provider: 'GENERIC_HMAC' });
    await run(
      `UPDATE sources SET signature_algorithm = NULL, signature_key = NULL, signed_content = NULL, timestamp_header = NULL,
         timestamp_key = NULL, id_header = NULL, secret_encoding = NULL WHERE id = $1`,
      source.id,
    );
    expect((await send('GET', `/${source.id}`)).json.signedContent).toBeNull();
    expect((await send('PATCH', `/${source.id}`, { idHeader: 'X-Id' })).json.idHeader).toBe('X-Id');
  });

  it('of a token have its header, its prefix and the header of an id', async () => {
    const source = await create({ name: 'shop', provider: 'TOKEN', signaturePrefix: 'Bearer', idHeader: 'X-Id' });
    expect(source).toMatchObject({ signatureHeader: 'X-Webhook-Token', signaturePrefix: 'Bearer', idHeader: 'X-Id' });
    expect(source).toMatchObject({ signedContent: null, signatureEncoding: null });
  });

  it.each([
    ['{timestamp}.{body}', { timestampHeader: 'X-T' }, true],
    ['{url}\n{method}\n{body}{url}', {}, true],
    ['{id}{body}', { idHeader: 'X-Id' }, true],
    ['{timestamp}.{body}', { timestampKey: 't', signatureKey: 'v1' }, true],
    ['', {}, false],
    ['{timestamp}', { timestampHeader: 'X-T' }, false],
    ['{body}{body}', {}, false],
    ['{body}{nonce}', {}, false],
    ['{body}{', {}, false],
    ['é{body}', {}, false],
    [`{body}${'x'.repeat(200)}`, {}, false],
  ])('accept the template %j with %j: %s', async (signedContent, more, isValid) => {
    const made = await send('POST', '', { name: 'x', provider: 'GENERIC_HMAC', signedContent, ...more });
    if (isValid) expect(made.status).toBe(201);
    else expectInvalid(made, 'signedContent');
  });

  it.each([
    [{ name: 'x', provider: 'GENERIC_HMAC', signedContent: '{timestamp}{body}' }, 'timestampHeader'],
    [{ name: 'x', provider: 'GENERIC_HMAC', timestampHeader: 'X-T' }, 'signedContent'],
    [{ name: 'x', provider: 'GENERIC_HMAC', signedContent: '{id}{body}' }, 'idHeader'],
    [{ name: 'x', provider: 'GENERIC_HMAC', signedContent: '{timestamp}{body}', timestampKey: 't' }, 'signatureKey'],
    [{ name: 'x', provider: 'GENERIC_HMAC', signatureAlgorithm: 'MD5' }, 'signatureAlgorithm'],
    [{ name: 'x', provider: 'GENERIC_HMAC', secretEncoding: 'base64', secret: 'a b' }, 'secret'],
    [{ name: 'x', provider: 'TOKEN', signedContent: '{body}' }, 'signedContent'],
    [{ name: 'x', provider: 'TOKEN', secret: 'é' }, 'secret'],
    [{ name: 'x', provider: 'GITHUB', idHeader: 'X-Id' }, 'idHeader'],
    [{ name: 'x', provider: 'TOKEN', idHeader: 'x-webhook-token' }, 'idHeader'],
    [{ name: 'x', provider: 'GENERIC_HMAC', idHeader: 'X-SIGNATURE' }, 'idHeader'],
    [{ name: 'x', provider: 'GENERIC_HMAC', idHeader: 'Authorization' }, 'idHeader'],
    [{ name: 'x', provider: 'DISCORD', secret: 'ab' }, 'secret'],
    [{ name: 'x', provider: 'TELEGRAM', secret: 'a b' }, 'secret'],
    [{ name: 'x', provider: 'MICROSOFT_GRAPH', secret: 'x'.repeat(129) }, 'secret'],
    [{ name: 'x', secret: 'a' }, 'secret'],
    [{ name: 'x', provider: 'GITHUB', signatureHeader: 'X-Mine' }, 'signatureHeader'],
    [{ name: 'x', provider: 'STANDARD_WEBHOOKS', secret: 'not base64!' }, 'secret'],
    [{ name: 'x', provider: 'GENERIC_HMAC', signatureHeader: 'X: y' }, 'signatureHeader'],
    [{ name: 'x', provider: 'GENERIC_HMAC', signaturePrefix: 'a\r\nb' }, 'signaturePrefix'],
    [{ name: 'x', provider: 'PAYPAL' }, 'provider'],
    [{ name: '' }, 'name'],
    [{ name: 'x', color: 'red' }, 'color'],
  ])('are refused with %j', async (body, path) => {
    expectInvalid(await send('POST', '', body), path);
  });

  it('remember the header that they checked before when another field changes at the same time', async () => {
    const source = await create({ name: 'shop', provider: 'GENERIC_HMAC' });
    const changed = await inSqlTransaction(async (tx) => {
      await tx.query(
        `UPDATE sources SET signature_header = 'X-Other', earlier_signature_headers = '{X-Signature}' WHERE id = $1`,
        [source.id],
      );
      const renaming = send('PATCH', `/${source.id}`, { name: 'renamed' });
      await untilLockWait(renaming);
      return { renaming };
    });
    expect((await changed.renaming).json).toMatchObject({ name: 'renamed', signatureHeader: 'X-Other' });
    const rows = await select('SELECT earlier_signature_headers AS earlier FROM sources WHERE id = $1', source.id);
    expect(rows).toEqual([{ earlier: ['X-Signature'] }]);
  });

  it.each([
    ['PATCH', ''],
    ['POST', '/rotate-secret'],
  ])('refuse a secret by %s %s that the encoding of a change at the same time forbids', async (verb, tail) => {
    const source = await create({ name: 'shop', provider: 'GENERIC_HMAC', secret: 'ab12' });
    const give = (secret: string) => send(verb, `/${source.id}${tail}`, { secret });
    const changed = await inSqlTransaction(async (tx) => {
      await lockProjectIfLive(tx, project.id);
      const giving = give('not hex');
      await untilLockWait(giving);
      await tx.query(`UPDATE sources SET secret_encoding = 'hex' WHERE id = $1`, [source.id]);
      return { giving };
    });
    expectInvalid(await changed.giving, 'secret');
    expect((await secretOf(source.id)).json.secret).toBe('ab12');
    expect((await give('cd34')).status).toBe(200);
    expect((await secretOf(source.id)).json.secret).toBe('cd34');
  });

  it('keep the old secret for 24 hours after a rotation', async () => {
    const source = await create({ name: 'shop', provider: 'GITHUB' });
    const before = (await secretOf(source.id)).json.secret;
    const rotated = (await send<SourceSecret>('POST', `/${source.id}/rotate-secret`)).json;
    expect(rotated.secret).not.toBe(before);
    const hours = (Date.parse(rotated.previousSecretExpiresAt as string) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    expect((await secretOf(source.id)).json).toEqual(rotated);
    await send('PATCH', `/${source.id}`, { secret: 'a new one at once' });
    expect((await secretOf(source.id)).json).toEqual({ secret: 'a new one at once', previousSecretExpiresAt: null });
  });

  it('have no old secret after the first one is set by a rotation', async () => {
    const source = await create({ name: 'shop', provider: 'STRIPE' });
    expectInvalid(await send('POST', `/${source.id}/rotate-secret`), 'secret');
    const rotated = await send<SourceSecret>('POST', `/${source.id}/rotate-secret`, { secret: 'whsec_1' });
    expect(rotated.json).toEqual({ secret: 'whsec_1', previousSecretExpiresAt: null });
  });

  it('are gone after their deletion, with their secrets', async () => {
    const source = await create({ name: 'shop', provider: 'GITHUB' });
    expect((await send('DELETE', `/${source.id}`)).status).toBe(204);
    for (const [verb, tail] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/secret'],
      ['POST', '/rotate-url'],
    ] as const) {
      expect((await send(verb, `/${source.id}${tail}`)).status, `${verb} ${tail}`).toBe(404);
    }
    const rows = await select(
      'SELECT secret_encrypted, length(token_encrypted) AS length FROM sources WHERE id = $1',
      source.id,
    );
    expect(rows).toEqual([{ secret_encrypted: null, length: 0 }]);
  });
});
