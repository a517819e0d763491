import { describe, expect, it } from 'vitest';
import type { Customer } from '@/lib/customers/schema';
import type { Endpoint } from '@/lib/delivery/schema';
import type { EventListItem } from '@/lib/events/schema';
import type { RunOptions } from '@/tests/cli/eds';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { insertFailedDelivery } from '@/tests/fixtures/failed-delivery';
import { openLink } from '@/tests/fixtures/portal';
import { call } from '@/tests/http/api-request';

const { projects, eds, group } = useCli();
const { run, json } = group('customers');
const send = (args: string[], options: RunOptions = {}) =>
  eds.run(['send', ...args], { env: { EDS_API_KEY: projects.mine.key, NO_COLOR: '1' }, ...options });
const create = (uid: string, ...args: string[]) => json<Customer>(['create', uid, ...args]);
const endpointOf = (uid: string) =>
  group('endpoints').json<Endpoint>(['create', `https://${uid}.example.com/`, '-e', 'order.*', '--customer', uid]);

describe('eds customers', () => {
  it('makes a link to the portal of a customer, which alone goes to a pipe, and ends its sessions', async () => {
    await create('cus_portal');
    const made = await run(['portal-link', 'cus_portal', '--read', '--seconds', '600']);
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^http\S+\/portal\/\S+#plink_\S+\n$/)]);
    const opened = await openLink(new URL(made.stdout.trim()).hash.slice(1));
    expect(opened.json.permissions).toBe('READ');
    const ended = await run(['end-portal-sessions', 'cus_portal']);
    expect([ended.code, ended.stderr]).toEqual([
      0,
      '✓ Ended the portal links and sessions of the customer cus_portal.\n',
    ]);
    expect((await call('GET', '/api/v1/portal/session', { bearer: opened.json.token })).status).toBe(401);
    expect((await run(['portal-link', 'cus_portal', '--seconds', '299'])).stderr).toContain('300 to 86400');
  });

  it('creates a customer once, and says when there is one already', async () => {
    const args = ['create', 'cus_once', '--name', 'Acme Inc.', '--metadata', '{"plan": "pro"}'];
    const created = await run(args);
    expect([created.code, created.stderr]).toEqual([0, '✓ Created the customer cus_once (Acme Inc.).\n']);
    const again = await run(['create', 'cus_once', '--name', 'Other']);
    expect([again.code, again.stderr]).toEqual([0, '✓ The customer cus_once (Acme Inc.) exists. Nothing changed.\n']);
    const shown = await json<Customer>(['get', 'cus_once']);
    expect(shown).toMatchObject({ uid: 'cus_once', name: 'Acme Inc.', metadata: { plan: 'pro' }, endpointCount: 0 });
    expect((await run(['create', 'two words'])).stderr).toContain('uid must be 1 to 256 letters');
  });

  it('lists customers, and finds those whose uid or name begins with a text', async () => {
    const { id } = await create('cus_listed', '--name', 'Globex');
    await create('cus_other');
    const table = await run(['list', '--text', 'glob'], TERMINAL);
    expect(table.stdout).toMatch(/^ID +UID +NAME +ENDPOINTS +CREATED\n/);
    expect(table.stdout).toMatch(new RegExp(`^${id}  cus_listed  Globex +0 +\\S+`, 'm'));
    expect(table.stdout).not.toContain('cus_other');
    expect(await json(['list', '--uid', 'cus_listed'])).toMatchObject([{ id }]);
    expect((await run(['list', '--uid', 'cus_none'])).stderr).toContain('eds customers create <uid>');
  });

  it('shows a customer, by uid and by id, with its endpoints and recent deliveries', async () => {
    const { id } = await create('cus_shown');
    const endpoint = await endpointOf('cus_shown');
    const sent = await send(['order.paid', '--customer', 'cus_shown']);
    const delivery = { projectId: projects.mine.id, endpointId: endpoint.id, eventId: sent.stdout.trim() };
    await insertFailedDelivery(delivery);
    for (const name of ['cus_shown', id]) {
      const { stdout } = await run(['get', name], TERMINAL);
      expect(stdout).toMatch(/^UID +cus_shown\nENDPOINTS +1\n/);
      expect(stdout).toMatch(
        new RegExp(`^ENDPOINTS\nID +STATE +URL +DESCRIPTION\n${endpoint.id}  enabled  https://cus_shown`, 'm'),
      );
      expect(stdout).toMatch(/^RECENT DELIVERIES\nID +STATUS .*\n\S+ +FAILED +503 /m);
    }
    expect((await run(['get', 'cus_none'])).code).toBe(3);
    const bare = await create('cus_bare');
    expect((await run(['get', bare.uid])).stderr).toContain(
      "eds endpoints create <url> --event '*' --customer cus_bare",
    );
  });

  it('changes a customer, and deletes it with its endpoints after a question', async () => {
    await create('cus_old', '--name', 'Old');
    await endpointOf('cus_old');
    expect((await run(['update', 'cus_old', '--uid', 'cus_new', '--no-name'])).code).toBe(0);
    expect(await json(['get', 'cus_new'])).toMatchObject({ uid: 'cus_new', name: null });
    const asked = await run(['delete', 'cus_new']);
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining('Delete the customer cus_new with its endpoint, its events and their deliveries?'),
    ]);
    expect((await run(['delete', 'cus_new', '--yes'])).stderr).toContain('Deleted the customer cus_new.');
    expect((await run(['get', 'cus_new'])).code).toBe(3);
    expect(await group('endpoints').json(['list', '--text', 'cus_old'])).toEqual([]);
  });
});

describe('eds with --customer', () => {
  it('sends an event to a customer, from the command line and from a line of standard input', async () => {
    const { id } = await create('cus_sent');
    await send(['one.paid', '--customer', 'cus_sent']);
    const line = `{"type": "many.paid", "data": {}, "customer": "${id}"}\n{"type": "many.paid", "data": {}, "customer": "none"}\n`;
    const many = await send(['--stdin'], { stdin: line });
    expect([many.code, many.stderr]).toEqual([1, expect.stringContaining('Line 2: ')]);
    expect(many.stderr).toContain('customer is not the id or uid of a customer');
    const found = await group('events').json<EventListItem[]>(['list', '--customer', 'cus_sent']);
    expect(found.map(({ type, customerUid }) => [type, customerUid])).toEqual([
      ['many.paid', 'cus_sent'],
      ['one.paid', 'cus_sent'],
    ]);
    const unknown = await send(['one.paid', '--customer', 'none']);
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect((await send(['--stdin', '--customer', id], { stdin: '' })).code).toBe(2);
  });

  it('gives a customer an endpoint, lists those of one alone, and names the customer only where there is one', async () => {
    await create('cus_owner');
    const list = (...args: string[]) => group('endpoints').run(['list', ...args], TERMINAL);
    await group('endpoints').run(['create', 'https://own.example.com/']);
    expect((await list('--text', '//own.example.com')).stdout).not.toContain('CUSTOMER');
    const created = await group('endpoints').run(['create', 'https://theirs.example.com/', '--customer', 'cus_owner']);
    expect(created.stderr).toContain('It is an endpoint of the customer cus_owner.');
    const { stdout } = await list('--customer', 'cus_owner');
    expect(stdout).toMatch(/CUSTOMER$/m);
    expect(stdout).toMatch(/theirs\.example\.com\/.* cus_owner$/m);
    expect(stdout).not.toContain('//own.example.com/');
    const flags = ['create', 'https://all.example.com/', '--receives-customer-events'];
    const all = await group('endpoints').json<Endpoint>(flags);
    expect((await group('endpoints').run(['get', all.id], TERMINAL)).stdout).toMatch(/^CUSTOMER EVENTS +received$/m);
  });

  it('retries the failed deliveries to a customer alone', async () => {
    await create('cus_retried');
    const theirs = await endpointOf('cus_retried');
    const own = await group('endpoints').json<Endpoint>(['create', 'https://failing.example.com/']);
    const { stdout } = await send(['order.paid']);
    const made = { projectId: projects.mine.id, eventId: stdout.trim() };
    const failed = await insertFailedDelivery({ ...made, endpointId: theirs.id });
    await insertFailedDelivery({ ...made, endpointId: own.id });
    const listed = await group('deliveries').json<{ id: string }[]>(['list', '--customer', 'cus_retried']);
    expect(listed.map((each) => each.id)).toEqual([failed]);
    const asked = await group('deliveries').run(['retry', '--all-failed', '--customer', 'cus_retried']);
    expect(asked.stderr).toContain('Retry 1 delivery that failed or wait');
  });
});
