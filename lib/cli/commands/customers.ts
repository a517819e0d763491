import { readJsonArgument } from '@/lib/cli/input/read-input';
import { flag, integer } from '@/lib/cli/options';
import { type Column, columns } from '@/lib/cli/output/column';
import { optionsFrom, route } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { Customer } from '@/lib/customers/schema';
import type { Endpoint } from '@/lib/delivery/schema';
import { describeMetadata } from '@/lib/platform/metadata-policy';
import { DELIVERY_COLUMNS } from './deliveries/delivery-rows';
import { TARGET_STATE } from './target-state';

/** Recent deliveries that `eds customers get` shows. */
const RECENT = 5;
/** Endpoints that `eds customers get` shows. */
const MAX_ENDPOINTS = 100;
const CREATED = 201;

const ENDPOINTS: Column<Customer> = { header: 'ENDPOINTS', value: ({ endpointCount }) => endpointCount };

const FIELDS = columns<Customer>(
  'uid',
  'name',
  ENDPOINTS,
  { header: 'METADATA', value: ({ metadata }) => describeMetadata(metadata) },
  'createdAt',
  'updatedAt',
  'id',
);

const ENDPOINT_COLUMNS = columns<Endpoint>('id', TARGET_STATE, 'url', 'description:1');

const called = ({ uid, name }: Customer) => (name === null ? uid : `${uid} (${name})`);

export const customers: GroupSpec = {
  summary: 'Name the customers that you send events to, each with its own endpoints.',
  commands: {
    list: route('customers.list', {
      columns: columns<Customer>('id', 'uid', 'name', ENDPOINTS, 'createdAt:1'),
      empty: 'No customers match. Create one: eds customers create <uid>',
      examples: {
        'customers list': 'List the newest customers.',
        'customers list --text acme': 'Find those whose uid or name begins with a text.',
      },
    }),
    get: command({
      operations: ['customers.get'],
      summary: 'Show a customer with its endpoints and recent deliveries.',
      args: { customer: { description: 'ID or uid of the customer' } },
      examples: { 'customers get cus_8f2c1': 'See what a customer receives.' },
      run: async ({ client, out }, { args }) => {
        const customer = await client.customers.get(args.customer);
        const of = customer.id;
        const [{ data: endpoints }, { data: recentDeliveries }] = await Promise.all([
          client.endpoints.list({ customer: of, limit: MAX_ENDPOINTS }),
          client.deliveries.list({ customer: of, limit: RECENT }),
        ]);
        if (out.isJson) return out.value({ ...customer, endpoints, recentDeliveries }, '');
        out.fields(customer, FIELDS);
        out.table('ENDPOINTS', 'endpoint', endpoints, ENDPOINT_COLUMNS);
        if (endpoints.length === 0) {
          out.note(`None. It receives no events: eds endpoints create <url> --event '*' --customer ${customer.uid}`);
        }
        const named = recentDeliveries.map((each) => ({ ...each, target: each.targetUrl ?? '' }));
        out.table('RECENT DELIVERIES', 'delivery', named, DELIVERY_COLUMNS);
        if (named.length === 0) out.note('None yet.');
      },
    }),
    create: command({
      operations: ['customers.create'],
      summary: 'Create a customer, unless there is one with this uid, which stays as it is.',
      args: { uid: { description: 'your own id of the customer, unique in the project' } },
      options: optionsFrom('customers.create', 'name', 'metadata'),
      examples: {
        'customers create cus_8f2c1 --name "Acme Inc."': 'Create a customer.',
        'customers create cus_8f2c1 --metadata \'{"plan": "pro"}\'': 'Keep more about it. It is never sent.',
      },
      run: async (context, { args: { uid }, options: { name, metadata } }) => {
        const { out, terminal } = context;
        const described = { option: '--metadata', what: 'the metadata' };
        const given = metadata && { ...(await readJsonArgument(terminal, String(metadata), described)) };
        let status = CREATED;
        const client = context.clientThatReports((response) => {
          status = response.status;
        });
        const customer = await client.customers.create({ uid, name, metadata: given });
        const isNew = status === CREATED;
        out.done(
          customer,
          isNew
            ? `Created the customer ${called(customer)}.`
            : `The customer ${called(customer)} exists. Nothing changed.`,
        );
        if (isNew) out.hint(`Give it an endpoint: eds endpoints create <url> --event '*' --customer ${uid}`);
        else out.hint(`Change it: eds customers update ${uid} --name <name>`);
      },
    }),
    update: route('customers.update', {
      summary: 'Change the uid, the name or the metadata of a customer.',
      examples: {
        'customers update cus_8f2c1 --name "Acme Corp."': 'Rename a customer.',
        'customers update cus_8f2c1 --uid cus_9': 'Call it by another id of yours.',
      },
      done: (customer) => `Changed the customer ${called(customer)}.`,
    }),
    delete: route('customers.remove', {
      summary: 'Delete a customer with its endpoints, its events and their deliveries.',
      examples: { 'customers delete cus_8f2c1 --yes': 'Delete a customer without confirmation.' },
      confirm: (found) =>
        `Delete the customer ${called(found)} with ${endpoints(found)}, its events and their deliveries?`,
      done: (_result, found) => `Deleted the customer ${called(found)}.`,
    }),
    'portal-link': route('customers.createPortalLink', {
      summary: 'Make a link to the portal of a customer. It opens once, within five minutes.',
      without: ['permissions'],
      options: {
        read: flag('--read', 'whoever opens it can only look, and sees no secrets'),
        sessionSeconds: integer(
          '--seconds <number>',
          'end the session after so many seconds (default 3600)',
          300,
          86_400,
        ),
      },
      examples: {
        'customers portal-link cus_8f2c1': 'See what a customer sees.',
        'customers portal-link cus_8f2c1 --read --seconds 600': 'Let somebody look for ten minutes.',
      },
      call: (_context, { options, send }) => send({ permissions: options.read ? 'READ' : 'MANAGE' }),
      show: ({ out }, link) => out.value(link, link.url),
    }),
    'end-portal-sessions': route('customers.endPortalSessions', {
      summary: 'End the portal links and sessions of a customer.',
      examples: { 'customers end-portal-sessions cus_8f2c1': 'Sign everybody at a customer out.' },
      find: ({ client }, { customer = '' }) => client.customers.get(customer),
      done: (_result, found) => `Ended the portal links and sessions of the customer ${called(found)}.`,
    }),
  },
};

function endpoints({ endpointCount }: Customer): string {
  return endpointCount === 1 ? 'its endpoint' : `its ${endpointCount} endpoints`;
}
