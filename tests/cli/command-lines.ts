import type { Session } from '@/lib/auth/schema';
import type { Customer } from '@/lib/customers/schema';
import type { Attempt, BulkRetry, Delivery, Endpoint, EventReplay, Subscription } from '@/lib/delivery/schema';
import { hmacOf } from '@/lib/delivery/signature-schemes-policy';
import type { CatalogueType, EventSummary } from '@/lib/events/schema';
import type { Destination, IncomingEventReceipt, Replay } from '@/lib/incoming/schema';
import type { CreatedInvitation, Organization } from '@/lib/orgs/schema';
import { settleBackground } from '@/lib/platform/background';
import { newId } from '@/lib/platform/ids';
import { run } from '@/tests/database/rows';
import { makeAlert } from '@/tests/fixtures/alerts';
import { insertFailedDelivery } from '@/tests/fixtures/failed-delivery';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import {
  asPerson,
  freshEmail,
  makeProject,
  registerMember,
  registerPerson,
  signInAgain,
} from '@/tests/fixtures/people';
import { makeKey, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, sourceTools } from '@/tests/fixtures/sources';
import { logRequest, makeTunnel } from '@/tests/fixtures/tunnels';
import { call } from '@/tests/http/api-request';
import { type Receiver, respondWith, startReceiver } from '@/tests/http/receiver';
import { connectClient } from '@/tests/tunnel/tunnel-server';

/** A command line that succeeds. */
export interface CommandLine {
  /** What follows the words of the command. */
  args?: string[];
  env?: Record<string, string>;
  stdin?: string;
  /** The command runs until Ctrl-C; this is what it has written by then. */
  until?: RegExp;
}

/** Returns a command line to run once something exists. */
async function after(made: Promise<unknown>, args: string[] = []): Promise<CommandLine> {
  await made;
  return { args };
}

const DOCUMENT = JSON.stringify({ openapi: '3.1.0', webhooks: { 'order.imported': { post: {} } } });

/** Makes a command line, and what it needs: each can be run once. */
export type MakeLine = () => Promise<CommandLine> | CommandLine;

interface World {
  /** URL of the server. */
  origin: string;
  project: () => TestProject;
  receiver: () => Receiver;
}

/** Returns a command line for every command of `eds`, for the owner of a project. */
export function commandLines({ origin, project, receiver }: World): Record<string, MakeLine> {
  const { manage, makeSource, makeDestination, post } = sourceTools(project);
  const ids = (...args: { id: string }[]) => args.map(({ id }) => id);
  const withKey = () => ({ EDS_API_KEY: project().key });
  const operator = { EDS_ADMIN_TOKEN: ADMIN_TOKEN };
  const endpoint = () => manage<Endpoint>('POST', '/endpoints', { url: receiver().url });
  const subscription = async () => {
    const { id: endpointId } = await endpoint();
    return await manage<Subscription>('POST', '/subscriptions', { endpointId, eventType: 'order.*' });
  };
  const freshType = () => `order.${newId()}`;
  const eventType = () => manage<CatalogueType>('POST', '/event-types', { name: freshType() });
  const customer = () => manage<Customer>('POST', '/customers', { uid: `cus_${newId()}` });
  const event = () => manage<EventSummary>('POST', '/events', { type: 'order.paid', data: { id: 1 } });
  const delivery = async () => {
    const [{ id: endpointId }, { id: eventId }] = [await endpoint(), await event()];
    return { id: await insertFailedDelivery({ projectId: project().id, endpointId, eventId }) } as Delivery;
  };
  const destination = async (): Promise<[MadeSource, Destination]> => {
    const source = await makeSource();
    return [source, await makeDestination(source, receiver(), { signing: true })];
  };
  const incoming = async () => {
    const [source] = await destination();
    return { source, event: (await post(source, '{"n": 1}')).json as IncomingEventReceipt };
  };
  const replay = async () =>
    manage<Replay>('POST', '/incoming-event-replays', { sourceId: (await destination())[0].id });
  const bulkRetry = () => manage<BulkRetry>('POST', '/bulk-retries', { endpointId: newId() });
  const eventReplay = () => manage<EventReplay>('POST', '/event-replays', { from: new Date().toISOString() });
  const organization = () => ofOwner<Organization>('/api/v1/orgs', { name: 'Condemned' });
  const member = async () => (await registerMember(project().owner.organizationId, 'VIEWER')).userId;
  const invitation = () => {
    const path = `/api/v1/orgs/${project().owner.organizationId}/invitations`;
    return ofOwner<CreatedInvitation>(path, { email: freshEmail(), role: 'VIEWER' });
  };
  const ofOwner = async <T>(path: string, body: object) =>
    (await call<T>('POST', path, asPerson(project().owner, body))).json;
  const alert = async () => {
    // The limit is 20.
    await run('DELETE FROM alerts WHERE project_id = $1', project().id);
    return await makeAlert(project(), ['BACKLOG'], { kind: 'WEBHOOK', target: receiver().url });
  };
  const key = () => makeKey(project().id, project().owner, { name: 'server' });
  const person = () => registerPerson();
  const session = async () => {
    const { accessToken: bearer } = await signInAgain(project().owner);
    const { json } = await call<{ data: Session[] }>('GET', '/api/v1/auth/sessions', { bearer });
    return json.data.find(({ current }) => current) as Session;
  };
  const logged = async () => {
    const tunnel = await makeTunnel(project());
    const request = logRequest(tunnel, project().id);
    await settleBackground();
    return { tunnel, request };
  };
  /** A server that has nothing, whatever is asked for. */
  const importFrom = async (token: string, data: object, ...more: string[]) => {
    const { port } = await startReceiver(
      respondWith(200, JSON.stringify(data), { 'content-type': 'application/json' }),
    );
    return { args: ['--url', `http://127.0.0.1:${port}`, ...more], env: { [token]: 'a-token' } };
  };
  return {
    login: () => ({ args: ['--with-api-key'], stdin: project().key }),
    logout: () => ({}),
    whoami: () => ({}),
    'sessions list': () => ({}),
    'sessions close': async () => ({ args: [...ids(await session()), '--yes'] }),
    'account update': () => ({ args: ['--time-zone', 'utc'] }),
    'account identities': () => ({}),
    'account preview-erasure': () => ({}),
    'account resend-verification': () => ({}),
    'orgs list': () => ({}),
    'orgs use': () => ({ args: [project().owner.organizationId] }),
    'orgs create': () => ({ args: ['Acme'] }),
    'orgs members': () => ({}),
    'orgs get': () => ({}),
    'orgs limits': () => ({}),
    'orgs update': () => ({ args: ['--name', 'Acme'] }),
    'orgs delete': async () => ({ args: [...ids(await organization()), '--yes'] }),
    'members list': () => ({}),
    'members update': async () => ({ args: [await member(), '--role', 'developer'] }),
    'members delete': async () => ({ args: [await member(), '--yes'] }),
    'invitations list': () => after(invitation()),
    'invitations create': () => ({ args: ['--email', freshEmail(), '--role', 'viewer'] }),
    'invitations create-link': async () => ({ args: ids(await invitation()) }),
    'invitations revoke': async () => ({ args: [...ids(await invitation()), '--yes'] }),
    'projects list': () => ({}),
    'projects use': () => ({ args: [project().id] }),
    'projects create': () => ({ args: ['Another shop'] }),
    'projects get': () => ({}),
    'projects limits': () => ({}),
    'projects update': () => ({ args: ['--name', 'Shop'] }),
    'projects delete': async () => ({ args: [(await makeProject(project().owner)).id, '--yes'] }),
    'keys list': () => ({}),
    'keys get': async () => ({ args: ids(await key()) }),
    'keys create': () => ({ args: ['machine'] }),
    'keys rotate': async () => ({ args: ids(await key()) }),
    'keys revoke': async () => ({ args: [...ids(await key()), '--yes'] }),
    send: () => ({ args: ['order.paid'], env: withKey() }),
    'events send': () => ({ args: ['order.paid', '-d', '{"id": 1}'], env: withKey() }),
    'events list': () => after(event(), ['--from', '1h']),
    'events get': async () => ({ args: ids(await event()) }),
    'events explain': async () => ({ args: ids(await event()) }),
    'events send-to': async () => ({ args: [...ids(await event()), (await endpoint()).id] }),
    'events tail': async () => ({ args: ['--from', '1h'], until: new RegExp((await event()).id) }),
    'types list': () => after(eventType()),
    'types get': async () => ({ args: [(await eventType()).name] }),
    'types create': () => ({ args: [freshType(), '--description', 'An order was paid.'] }),
    'types update': async () => ({ args: [(await eventType()).name, '--status', 'deprecated'] }),
    'types delete': async () => ({ args: [(await eventType()).name, '--yes'] }),
    'types infer': async () => ({ args: [(await eventType()).name] }),
    'types import': () => ({ args: ['-'], stdin: DOCUMENT }),
    'types check': () => ({ args: ['-'], stdin: DOCUMENT }),
    'types export': () => after(eventType()),
    'customers list': () => after(customer()),
    'customers create': () => ({ args: [`cus_${newId()}`] }),
    'customers get': async () => ({ args: [(await customer()).uid] }),
    'customers update': async () => ({ args: [...ids(await customer()), '--name', 'Acme'] }),
    'customers delete': async () => ({ args: [...ids(await customer()), '--yes'] }),
    'customers portal-link': async () => ({ args: ids(await customer()) }),
    'customers end-portal-sessions': async () => ({ args: ids(await customer()) }),
    'endpoints list': () => after(endpoint()),
    'endpoints create': () => ({ args: [receiver().url] }),
    'endpoints get': async () => ({ args: ids(await endpoint()) }),
    'endpoints update': async () => ({ args: [...ids(await endpoint()), '--description', 'orders'] }),
    'endpoints pause': async () => ({ args: ids(await endpoint()) }),
    'endpoints resume': async () => ({ args: ids(await endpoint()) }),
    'endpoints test': async () => ({ args: ids(await endpoint()) }),
    'endpoints test-filter': () => ({
      args: ['--filter', '{"path":"data.id","op":"eq","value":1}', '--type', 'order.paid', '--data', '{"id": 1}'],
    }),
    'endpoints preview-filter': () =>
      after(event(), ['--filter', '{"path":"data.id","op":"eq","value":1}', '--event-types', 'order.paid']),
    'endpoints outages': async () => ({ args: ids(await endpoint()) }),
    'endpoints secret': async () => ({ args: ids(await endpoint()) }),
    'endpoints rotate-secret': async () => ({ args: [...ids(await endpoint()), '--yes'] }),
    'endpoints end-previous-secret': async () => ({ args: [...ids(await endpoint()), '--yes'] }),
    'endpoints delete': async () => ({ args: [...ids(await endpoint()), '--yes'] }),
    'subscriptions list': () => after(subscription()),
    'subscriptions get': async () => ({ args: ids(await subscription()) }),
    'subscriptions create': async () => ({ args: [...ids(await endpoint()), 'order.*'] }),
    'subscriptions update': async () => ({ args: [...ids(await subscription()), '--event-type', 'order.paid'] }),
    'subscriptions enable': async () => ({ args: ids(await subscription()) }),
    'subscriptions disable': async () => ({ args: ids(await subscription()) }),
    'subscriptions delete': async () => ({ args: [...ids(await subscription()), '--yes'] }),
    'deliveries list': () => after(delivery()),
    'deliveries get': async () => ({ args: ids(await delivery()) }),
    'deliveries count': () => after(delivery()),
    'deliveries targets': () => after(endpoint()),
    'deliveries attempts': async () => ({ args: ids(await delivery()) }),
    'deliveries attempt': async () => {
      const { id } = await delivery();
      const { data } = await manage<{ data: Attempt[] }>('GET', `/deliveries/${id}/attempts`);
      return { args: [id, data[0]?.id ?? ''] };
    },
    'events replay': async () => ({ args: ['--endpoint', (await endpoint()).id, '--from', '1h', '--yes'] }),
    'event-replays list': () => after(eventReplay()),
    'event-replays get': async () => ({ args: ids(await eventReplay()) }),
    'event-replays cancel': async () => ({ args: ids(await eventReplay()) }),
    'jobs list': () => after(bulkRetry()),
    'bulk-retries list': () => after(bulkRetry()),
    'bulk-retries get': async () => ({ args: ids(await bulkRetry()) }),
    'bulk-retries cancel': async () => ({ args: ids(await bulkRetry()) }),
    'stats get': () => ({}),
    'stats endpoint-health': async () => ({ args: ids(await endpoint()) }),
    'deliveries retry': async () => ({ args: ids(await delivery()) }),
    'sources list': () => after(makeSource()),
    'sources create': () => ({ args: ['shop'] }),
    'sources get': async () => ({ args: ids(await makeSource()) }),
    'sources update': async () => ({ args: [...ids(await makeSource()), '--name', 'other'] }),
    'sources secret': async () => ({ args: ids(await makeSource('GITHUB')) }),
    'sources rotate-secret': async () => ({ args: [...ids(await makeSource('GITHUB')), '--yes'] }),
    'sources end-previous-secret': async () => ({ args: [...ids(await makeSource('GITHUB')), '--yes'] }),
    'sources rotate-url': async () => ({ args: [...ids(await makeSource()), '--yes'] }),
    'sources delete': async () => ({ args: [...ids(await makeSource()), '--yes'] }),
    'destinations list': async () => ({ args: ids((await destination())[0]) }),
    'destinations create': async () => ({ args: [...ids(await makeSource()), receiver().url] }),
    'destinations get': async () => ({ args: ids(...(await destination())) }),
    'destinations update': async () => ({ args: [...ids(...(await destination())), '--description', 'orders'] }),
    'destinations pause': async () => ({ args: ids(...(await destination())) }),
    'destinations resume': async () => ({ args: ids(...(await destination())) }),
    'destinations outages': async () => ({ args: ids(...(await destination())) }),
    'destinations secret': async () => ({ args: ids(...(await destination())) }),
    'destinations rotate-secret': async () => ({ args: [...ids(...(await destination())), '--yes'] }),
    'destinations end-previous-secret': async () => ({ args: [...ids(...(await destination())), '--yes'] }),
    'destinations delete-secret': async () => ({ args: [...ids(...(await destination())), '--yes'] }),
    'destinations delete': async () => ({ args: [...ids(...(await destination())), '--yes'] }),
    verify: () => ({
      args: ['{}', '-H', `X-Hub-Signature-256: sha256=${hmacOf('sha256', 'a secret', '{}').toString('hex')}`],
      env: { EDS_SECRET: 'a secret' },
    }),
    'incoming list': () => after(incoming()),
    'incoming types': () => after(incoming()),
    'incoming get': async () => ({ args: ids((await incoming()).event) }),
    'incoming body': async () => ({ args: ids((await incoming()).event) }),
    'incoming replay': async () => ({ args: ids((await incoming()).event) }),
    'replays list': () => after(replay()),
    'replays get': async () => ({ args: ids(await replay()) }),
    'replays cancel': async () => ({ args: ids(await replay()) }),
    'alerts list': () => after(alert()),
    'alerts get': async () => ({ args: ids(await alert()) }),
    'alerts create': () => ({ args: ['On call', '--kind', 'email', '--target', project().owner.email] }),
    'alerts update': async () => ({ args: [...ids(await alert()), '--on', 'backlog'] }),
    'alerts delete': async () => ({ args: [...ids(await alert()), '--yes'] }),
    'alerts test': async () => ({ args: ids(await alert()) }),
    'alerts messages': async () => ({ args: ids(await alert()) }),
    'alerts secret': async () => ({ args: ids(await alert()) }),
    'alerts rotate-secret': async () => ({ args: [...ids(await alert()), '--yes'] }),
    'tunnels list': () => after(makeTunnel(project())),
    'tunnels get': async () => ({ args: ids(await makeTunnel(project())) }),
    'tunnels create': () => ({}),
    'tunnels update': async () => ({ args: [...ids(await makeTunnel(project())), '--name', 'desktop'] }),
    'tunnels rotate-url': async () => ({ args: [...ids(await makeTunnel(project())), '--yes'] }),
    'tunnels delete': async () => ({ args: [...ids(await makeTunnel(project())), '--yes'] }),
    'tunnels requests': async () => ({ args: ids((await logged()).tunnel) }),
    'tunnels replay': async () => {
      const { tunnel, request } = await logged();
      await connectClient({
        url: origin,
        projectId: project().id,
        tunnelId: tunnel.id,
        target: new URL(receiver().url),
        env: {},
        authorization: async () => `Bearer ${project().key}`,
      });
      return { args: ids(tunnel, request) };
    },
    listen: () => ({ args: [String(receiver().port)], until: /\/t\/[\w-]+\// }),
    'import svix': () => importFrom('SVIX_TOKEN', { data: [], iterator: null, done: true }),
    'import convoy': () => importFrom('CONVOY_API_KEY', { data: { content: [] } }, '--from-project', 'shop'),
    export: () => ({}),
    'audit list': () => ({}),
    'retention get': () => ({}),
    'search find': () => ({ args: ['shop'] }),
    open: () => ({}),
    'config show': () => ({}),
    'config list': () => ({}),
    'config use': () => ({ args: ['default'] }),
    'config set': () => ({ args: ['project', project().id] }),
    'config remove': () => ({ args: ['default', '--yes'] }),
    completion: () => ({ args: ['bash'] }),
    version: () => ({}),
    'admin stats': () => ({ env: operator }),
    'admin orgs list': () => ({ env: operator }),
    'admin orgs get': () => ({ args: [project().owner.organizationId], env: operator }),
    'admin orgs delete': async () => ({ args: [(await person()).organizationId, '--yes'], env: operator }),
    'admin users search': () => ({ env: operator }),
    'admin users unlock': async () => ({ args: [(await person()).userId], env: operator }),
    'admin users close-sessions': async () => ({ args: [(await person()).userId, '--yes'], env: operator }),
    'admin audit': () => ({ env: operator }),
    'admin retention show': () => ({ env: operator }),
    'admin retention run': () => ({ args: ['metrics'], env: operator }),
  };
}
