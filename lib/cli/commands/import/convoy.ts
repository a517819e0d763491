import { CliError } from '@/lib/cli/cli-error';
import { type ConvoyRule, matchingOf } from './convoy-filters';
import { type ConvoySigning, secretOf, signingOf } from './convoy-signatures';
import { customerUidOf, endpointUidOf, takeDescription, takeHeaders, takeName, takeRateLimit, takeUrl } from './fields';
import { ForeignFault, type ForeignServer, isMissing, type Page } from './foreign-server';
import { type EndpointFields, type ForeignService, type Group, Notes, type PlannedEndpoint } from './plan';
import { planType } from './take-types';
import { countOf, isGiven, labelOf, listOf, recordOf, textOf, type Values } from './values';

const PAGE_SIZE = 100;
/** What all lists together may have, since they are kept: in a project of 30,000 endpoints, about 60 MB. */
const MAX_LIST_CHARS = 128 * 1024 * 1024;
/** Seconds that an attempt may take here. */
const TIMEOUT_SECONDS = 15;

/** Reads a project of a Convoy server. @param only the owners to take over; empty for all, and for endpoints without an owner */
export function convoyService(server: ForeignServer, project: string, only: readonly string[]): ForeignService {
  const api = ['api', 'v1', 'projects', project];
  const read = async (...path: string[]) => (await server.get([...api, ...path])).data;
  const list = (name: string) =>
    server.list(async (cursor): Promise<Page> => {
      const query = { perPage: PAGE_SIZE, direction: 'next', ...(cursor !== null && { next_page_cursor: cursor }) };
      const data = recordOf((await server.get([...api, name], query)).data) ?? {};
      const pages = recordOf(data.pagination) ?? {};
      // An empty list may be null.
      const items = data.content === null ? [] : listOf(data.content);
      return { items, next: pages.has_next_page === true ? textOf(pages.next_page_cursor) : null };
    });

  async function collect(name: string, keyOf: (item: Values) => string): Promise<Map<string, Values[]>> {
    const found = new Map<string, Values[]>();
    const seen = new Set<string>();
    for await (const each of list(name)) {
      if (server.charsRead > MAX_LIST_CHARS) throw server.unreadable('lists of more than 128 MiB');
      const item = recordOf(each) ?? {};
      const uid = textOf(item.uid) ?? '';
      // Pages that change while they are read may have an item twice.
      if (uid !== '' && seen.has(uid)) continue;
      seen.add(uid);
      const key = keyOf(item);
      const others = found.get(key);
      if (others === undefined) found.set(key, [item]);
      else others.push(item);
    }
    return found;
  }

  async function* groups(): AsyncGenerator<Group> {
    const signing = signingOf(outgoing(recordOf(await read())));
    const subscriptions = await collect('subscriptions', (item) => textOf(recordOf(item.endpoint_metadata)?.uid) ?? '');
    const links = await collect('portal-links', ownerOf);
    const endpoints = await collect('endpoints', ownerOf);
    const owners = only.length === 0 ? new Set([...endpoints.keys(), ...links.keys()]) : new Set(only);
    for (const owner of owners) {
      const mine = endpoints.get(owner) ?? [];
      if (owner === '' && mine.length === 0) continue;
      const isThere = endpoints.has(owner) || links.has(owner);
      yield {
        customer: owner === '' ? null : customerOf(owner, links.get(owner) ?? [], isThere),
        endpoints: async function* () {
          for (const endpoint of mine) {
            const uid = textOf(endpoint.uid) ?? '';
            yield await planEndpoint(server, read, signing, endpoint, subscriptions.get(uid) ?? []);
          }
        },
      };
    }
  }

  return {
    name: server.name,
    groups,
    eventTypes: async function* () {
      for (const item of listOf(await read('event-types')) ?? []) {
        const { name, description, category, deprecated_at: deprecatedAt, json_schema: schema } = recordOf(item) ?? {};
        yield planType(name, { description, group: category, isDeprecated: isGiven(deprecatedAt), schema });
      }
    },
  };
}

const ownerOf = (item: Values) => textOf(item.owner_id) ?? '';

function outgoing(project: Values | null): Values {
  if (project?.type !== 'incoming') return project ?? {};
  throw new CliError('This project of Convoy receives webhooks.', 'usage', {
    reason: 'Only outgoing projects have endpoints of customers.',
    next: 'Name an outgoing project with --from-project.',
  });
}

/** The newest link of an owner to its portal has its name. */
function customerOf(owner: string, links: readonly Values[], isThere: boolean) {
  const notes = new Notes();
  const uid = isThere ? customerUidOf(owner, owner, notes) : null;
  if (uid === null) notes.lose(isThere ? 'its ID cannot be the uid of a customer' : 'it is not there');
  return { from: labelOf(owner), uid, name: takeName(links[0]?.name, notes), metadata: {}, notes };
}

type Read = (...path: string[]) => Promise<unknown>;

async function planEndpoint(
  server: ForeignServer,
  read: Read,
  signing: ConvoySigning,
  endpoint: Values,
  subscriptions: readonly Values[],
): Promise<PlannedEndpoint> {
  const notes = new Notes();
  const id = textOf(endpoint.uid) ?? '';
  const uid = endpointUidOf(id, id, notes);
  const isDisabled = isGiven(endpoint.status) && endpoint.status !== 'active' && endpoint.status !== '';
  const planned = { from: labelOf(id), uid: uid ?? '', isDisabled, hiddenHeaders: [], fields: null, notes };
  if (uid === null) {
    notes.lose('its ID cannot be the uid of an endpoint');
    return planned;
  }
  try {
    // Without its owner, it would be one of the project itself.
    if (isGiven(endpoint.owner_id) && typeof endpoint.owner_id !== 'string') {
      throw server.unreadable('an owner that is no text');
    }
    const rules: ConvoyRule[] = [];
    for (const subscription of subscriptions) rules.push(...(await rulesOf(server, read, subscription, notes)));
    return { ...planned, fields: fieldsOf(signing, endpoint, rules, notes) };
  } catch (fault) {
    if (!(fault instanceof ForeignFault) || fault.isFatal) throw fault;
    notes.lose(`it could not be read: ${fault.message}`);
    return planned;
  }
}

/** Returns what a subscription matches. Newer servers have a filter for each event type. */
async function rulesOf(server: ForeignServer, read: Read, subscription: Values, notes: Notes): Promise<ConvoyRule[]> {
  if (subscription.type === 'cli') return [];
  const config = server.recordIn(subscription.filter_config, 'a filter') ?? {};
  const types = server.textsOf(config.event_types, 'event types');
  const common = server.recordIn(config.filter, 'a filter');
  const filters = await read('subscriptions', textOf(subscription.uid) ?? '', 'filters').catch((fault: unknown) => {
    if (isMissing(fault)) return [];
    throw fault;
  });
  const own = new Map<string, Values>();
  const listed = isGiven(filters) ? listOf(filters) : [];
  if (listed === null) throw server.unreadable('filters that are no list');
  for (const each of listed) {
    const { event_type: type, ...filter } = recordOf(each) ?? {};
    if (textOf(type) === null) throw server.unreadable('a filter without an event type');
    own.set(String(type), filter);
  }
  if (isGiven(subscription.function) && subscription.function !== '') {
    notes.lose('a function changes what is sent: send the changed data instead');
  }
  if (subscription.delivery_mode === 'at_most_once')
    notes.warn('it is sent at most once there, and at least once here');
  if (countOf(recordOf(subscription.rate_limit_config)?.count) !== null) {
    notes.lose('the rate limit of a subscription is left out: here endpoints have one');
  }
  if (countOf(recordOf(subscription.retry_config)?.retry_count) !== null) {
    notes.warn('it has its own retries there: see --retry-seconds of eds endpoints update');
  }
  return (types.length === 0 ? ['*'] : types).map((type) => ({
    eventType: type,
    filter: own.get(type) ?? own.get('*') ?? common,
  }));
}

function fieldsOf(
  signing: ConvoySigning,
  endpoint: Values,
  rules: readonly ConvoyRule[],
  notes: Notes,
): EndpointFields | null {
  const url = takeUrl(endpoint.url, notes);
  const signature = signing(endpoint, notes);
  const secret = secretOf(endpoint.secrets, notes);
  const matching = matchingOf(rules, notes);
  if (url === null || signature === null || secret === null || matching === null) return null;
  noteDifferences(endpoint, notes);
  const described = [textOf(endpoint.name), textOf(endpoint.description)].filter((each) => each !== null);
  return {
    url,
    description: takeDescription([...new Set(described)].join(': '), notes),
    secret,
    headers: takeHeaders(authenticationOf(endpoint.authentication, notes), notes),
    metadata: {},
    signature,
    ...matching,
    rateLimit: takeRateLimit(countOf(endpoint.rate_limit), countOf(endpoint.rate_limit_duration) ?? 1, notes),
  };
}

function noteDifferences(endpoint: Values, notes: Notes): void {
  const type = textOf(endpoint.content_type);
  if (type !== null && type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    notes.lose('its content type is left out: bodies are application/json');
  }
  if (isGiven(endpoint.mtls_client_cert)) notes.lose('its client certificate is left out');
  const seconds = countOf(endpoint.http_timeout);
  if (seconds !== null && seconds > TIMEOUT_SECONDS) {
    notes.warn(`it may take ${seconds} s to answer there, and ${TIMEOUT_SECONDS} s here`);
  }
}

/** Returns the headers with which an endpoint is authenticated. */
function authenticationOf(value: unknown, notes: Notes): [string, unknown][] {
  const authentication = recordOf(value) ?? {};
  if (!isGiven(authentication.type) || authentication.type === '') return [];
  const key = recordOf(authentication.api_key);
  if (authentication.type === 'api_key' && key !== null) return [[textOf(key.header_name) ?? '', key.header_value]];
  const basic = recordOf(authentication.basic_auth);
  if (authentication.type === 'basic_auth' && basic !== null) {
    const pair = Buffer.from(`${textOf(basic.username) ?? ''}:${textOf(basic.password) ?? ''}`);
    return [['Authorization', `Basic ${pair.toString('base64')}`]];
  }
  notes.lose('its authentication is left out: a header with a fixed value is all that an endpoint can have');
  return [];
}
