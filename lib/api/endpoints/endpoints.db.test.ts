import { describe, expect, it } from 'vitest';
import type { Endpoint, EndpointSecret } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { RECEIVER_URL, useEndpoints } from '@/tests/fixtures/endpoints';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

describe('endpoints', () => {
  it('can be created, read, changed and deleted; a deleted one gets 404 on every path', async () => {
    const made = await makeEndpoint(projects.mine, { description: 'Billing', retrySeconds: [1, 60] });
    expect(made).toMatchObject({ url: RECEIVER_URL, description: 'Billing', enabled: true, retrySeconds: [1, 60] });
    const path = `${base()}/endpoints/${made.id}`;
    const changed = await call<Endpoint>('PATCH', path, { ...asOwner(), body: { enabled: false, description: null } });
    expect(changed.json).toMatchObject({ url: RECEIVER_URL, enabled: false, description: null, retrySeconds: [1, 60] });
    expect((await call('DELETE', path, asOwner())).status).toBe(204);
    const after = [
      await call('GET', path, asOwner()),
      await call('PATCH', path, { ...asOwner(), body: {} }),
      await call('DELETE', path, asOwner()),
      await call('GET', `${path}/secret`, asOwner()),
      await call('POST', `${path}/rotate-secret`, asOwner()),
    ];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it('refuse a URL that is not HTTP, or that has a password or a fragment', async () => {
    for (const bad of [
      '',
      'nonsense',
      'ftp://a.example',
      'javascript:alert(1)',
      'https://u:p@a.example',
      'https://a.example/#x',
      `https://a.example/${'x'.repeat(2048)}`,
      'https://a.example/\u0000',
    ]) {
      const { json } = await call('POST', `${base()}/endpoints`, { ...asOwner(), body: { url: bad } });
      expect([json.status, json.errors?.[0]?.path], bad).toEqual([400, 'url']);
    }
  });

  it('refuse a retry schedule with anything but whole seconds from 1 to seven days', async () => {
    for (const retrySeconds of [[0], [-1], [1.5], ['5'], [604_801], Array(31).fill(1), 5]) {
      const { status } = await call('POST', `${base()}/endpoints`, {
        ...asOwner(),
        body: { url: RECEIVER_URL, retrySeconds },
      });
      expect(status, JSON.stringify(retrySeconds)).toBe(400);
    }
  });

  it('encrypt their secret at rest, reveal it on request, and audit every reveal', async () => {
    const { id } = await makeEndpoint();
    const { json } = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    expect(json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { rows } = await database().query('SELECT row_to_json(e)::text AS row FROM endpoints e WHERE id = $1', [id]);
    expect(rows[0].row).not.toContain(json.secret);
    expect(rows[0].row).not.toContain(Buffer.from(json.secret.slice(6), 'base64').toString('hex'));
    const audited = await database().query(`SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id`, [id]);
    expect(audited.rows.map(({ action }) => action)).toEqual(['endpoint.created', 'endpoint.secret_revealed']);
  });

  it('rotate to a new secret and keep the old one valid for 24 hours', async () => {
    const { id } = await makeEndpoint();
    const before = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    const rotated = await call<EndpointSecret>('POST', `${base()}/endpoints/${id}/rotate-secret`, asOwner());
    const now = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    expect(rotated.status).toBe(200);
    expect(now.json).toEqual(rotated.json);
    expect(now.json.secret).not.toBe(before.json.secret);
    const end = Date.parse(rotated.json.previousSecretExpiresAt ?? '');
    expect(Math.abs(end - Date.now() - 86_400_000)).toBeLessThan(5_000);
  });

  it('forget their failures when they are enabled again', async () => {
    const { id } = await makeEndpoint();
    await database().query(
      `UPDATE endpoints SET enabled = false, disabled_reason = 'failing', disabled_at = now(), failing_since = now() WHERE id = $1`,
      [id],
    );
    const { json } = await call<Endpoint>('PATCH', `${base()}/endpoints/${id}`, {
      ...asOwner(),
      body: { enabled: true },
    });
    expect(json).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null, failingSince: null });
  });

  it('are paused with a reason, which enabling clears', async () => {
    const { id } = await makeEndpoint();
    const path = `${base()}/endpoints/${id}`;
    const change = async (body: object) => call<Endpoint>('PATCH', path, { ...asOwner(), body });
    const refused = await change({ pauseReason: 'Maintenance' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('pauseReason')]);
    const paused = await change({ enabled: false, pauseReason: 'Maintenance until noon' });
    expect(paused.json).toMatchObject({
      ...{ enabled: false, pauseReason: 'Maintenance until noon', disabledReason: null },
      disabledAt: expect.stringMatching(/Z$/),
    });
    expect((await change({ pauseReason: 'Longer' })).json).toMatchObject({
      pauseReason: 'Longer',
      disabledAt: paused.json.disabledAt,
    });
    expect((await change({ enabled: true })).json).toMatchObject({
      enabled: true,
      pauseReason: null,
      disabledAt: null,
    });
  });
});
