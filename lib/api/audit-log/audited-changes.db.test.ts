import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '@/lib/api/table';
import { VERBS } from '@/lib/http/table';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { CHANGES, type Change, UNAUDITED } from '@/tests/fixtures/audited-changes';
import { asPerson, PASSWORD } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { digestDatabase, fillPath, makeTeam, makeTenant, type Tenant } from '@/tests/tenancy/tenants';

useDatabase();

let tenant: Tenant;
beforeEach(async () => {
  tenant = await makeTenant(await makeTeam(), 'Minnow');
  await run(`UPDATE incoming_event_replays SET status = 'RUNNING'`);
  await run(`UPDATE bulk_retries SET status = 'RUNNING'`);
  await run(`UPDATE event_replays SET status = 'RUNNING'`);
});

/** Prepares a change. Returns a function that makes it. */
async function prepare([route, , parts = () => ({})]: Change) {
  const { params = {}, ...options } = await parts(tenant);
  const [verb = '', template = ''] = route.split(' ');
  const path = fillPath(`/api/v1${template}`, { ...tenant.ids, ...params });
  const bearer = /register|login|reset-password|verify-email|token/.test(route) ? {} : asPerson(tenant.team.OWNER);
  return () => call(verb, path, { ...bearer, ...options });
}

const readEntries = () => select<{ action: string; details: object }>('SELECT * FROM audit_log ORDER BY id');
/** An address, a key, a signing secret, a token, and the secrets of requests. */
const SECRETS = new RegExp(`@|eds_|whsec_|[\\w-]{40}|hidden|${PASSWORD}`);

describe('a change has an entry in the audit log without addresses and secrets, and does not happen when that cannot be written', () => {
  it.each(CHANGES)('%s: %s', async (...change) => {
    const make = await prepare(change);
    await run('ALTER TABLE audit_log ADD CONSTRAINT takes_nothing CHECK (false) NOT VALID');
    const before = await digestDatabase();
    const refused = await make();
    expect(await digestDatabase()).toEqual(before);
    await run('ALTER TABLE audit_log DROP CONSTRAINT takes_nothing');
    expect([refused.status, refused.headers['content-type']]).toEqual([500, 'application/problem+json']);

    const known = (await readEntries()).length;
    const { status, text } = await make();
    expect(status, text).toBeLessThan(300);
    const entries = (await readEntries()).slice(known);
    const [, action, , details = {}] = change;
    expect(entries).toContainEqual(expect.objectContaining({ action, details: expect.objectContaining(details) }));
    expect(JSON.stringify(entries)).not.toMatch(SECRETS);
  });

  it('holds for every route that makes a change, except those that need no entry', () => {
    const known = new Set([...CHANGES.map(([route]) => route), ...UNAUDITED]);
    const missing = Object.entries(api).flatMap(([path, entry]) =>
      VERBS.filter((verb) => verb !== 'GET' && verb in entry)
        .map((verb) => `${verb} ${path.replace('/api/v1', '')}`)
        .filter((route) => !route.includes(' /admin/') && !known.has(route)),
    );
    expect(missing).toEqual([]);
  });
});
