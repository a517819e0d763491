import { isDeepStrictEqual } from 'node:util';
import { TYPE_PATTERN } from '@/lib/events/type-pattern-policy';
import {
  customerUidOf,
  endpointUidOf,
  takeDescription,
  takeHeaders,
  takeMetadata,
  takeName,
  takeRateLimit,
  takeSecret,
  takeUrl,
} from './fields';
import { ForeignFault, type ForeignServer, isMissing, type Page } from './foreign-server';
import { type EndpointFields, type ForeignService, type Group, Notes, type PlannedEndpoint } from './plan';
import { planType } from './take-types';
import { countOf, idOf, labelOf, listOf, quoted, recordOf, textOf, type Values } from './values';

const PAGE_SIZE = 250;
const API = ['api', 'v1'];

/** Reads a Svix server. @param only the uids or ids of the applications to take over; empty for all */
export function svixService(server: ForeignServer, only: readonly string[]): ForeignService {
  const pageOf = async (path: readonly string[], iterator: string | null): Promise<Page> => {
    const answer = await server.get([...API, ...path], {
      limit: PAGE_SIZE,
      // Without it, event types come without their schemas.
      ...(path[0] === 'event-type' && { with_content: true }),
      ...(iterator !== null && { iterator }),
    });
    return { items: listOf(answer.data), next: answer.done === true ? null : textOf(answer.iterator) };
  };
  const list = (...path: string[]) => server.list((iterator) => pageOf(path, iterator));

  async function* applications(): AsyncGenerator<unknown> {
    if (only.length === 0) yield* list('app');
    for (const uid of only) {
      try {
        yield await server.get([...API, 'app', uid]);
      } catch (fault) {
        if (!(fault instanceof ForeignFault) || fault.isFatal) throw fault;
        yield { id: uid, fault: isMissing(fault) ? 'it is not there' : `it could not be read: ${fault.message}` };
      }
    }
  }

  async function* groups(): AsyncGenerator<Group> {
    const seen = new Set<string>();
    for await (const item of applications()) {
      const application = recordOf(item) ?? {};
      const id = idOf(application.id) ?? '';
      // Pages that change while they are read may have an application twice.
      if (id !== '' && seen.has(id)) continue;
      seen.add(id);
      yield {
        customer: customerOf(application, id),
        endpoints: () => endpointsOf(server, list, id),
      };
    }
  }

  return {
    name: server.name,
    groups,
    eventTypes: async function* () {
      for await (const item of list('event-type')) {
        const { name, description, groupName, deprecated, schemas } = recordOf(item) ?? {};
        yield planType(name, { description, group: groupName, isDeprecated: deprecated, schema: newestOf(schemas) });
      }
    },
  };
}

/** Returns the schema of the highest version. */
function newestOf(schemas: unknown): unknown {
  const versions = Object.entries(recordOf(schemas) ?? {});
  return versions.sort(([a], [b]) => Number(b) - Number(a))[0]?.[1];
}

function customerOf(application: Values, id: string) {
  const notes = new Notes();
  const tooLong = id === '' && textOf(application.id) !== null ? 'its ID is too long' : null;
  const fault = textOf(application.fault) ?? tooLong;
  const uid = fault === null ? customerUidOf(textOf(application.uid), id, notes) : null;
  if (uid === null) notes.lose(fault ?? 'its ID cannot be the uid of a customer');
  if (countOf(application.throttleRate ?? application.rateLimit) !== null) {
    notes.lose('its rate limit for all endpoints together is left out: here each endpoint has its own');
  }
  return {
    from: labelOf(application.id),
    uid,
    name: takeName(application.name, notes),
    metadata: takeMetadata(application.metadata, notes),
    notes,
  };
}

async function* endpointsOf(
  server: ForeignServer,
  list: (...path: string[]) => AsyncIterable<unknown>,
  applicationId: string,
): AsyncGenerator<PlannedEndpoint> {
  const seen = new Set<string>();
  for await (const item of list('app', applicationId, 'endpoint')) {
    const endpoint = recordOf(item) ?? {};
    const id = idOf(endpoint.id) ?? '';
    if (id !== '' && seen.has(id)) continue;
    seen.add(id);
    yield await planEndpoint(server, [...API, 'app', applicationId, 'endpoint', id], endpoint, id);
  }
}

async function planEndpoint(
  server: ForeignServer,
  path: readonly string[],
  endpoint: Values,
  id: string,
): Promise<PlannedEndpoint> {
  const notes = new Notes();
  const uid = endpointUidOf(textOf(endpoint.uid), id, notes);
  const planned = {
    from: labelOf(endpoint.id),
    uid: uid ?? '',
    isDisabled: endpoint.disabled === true,
    hiddenHeaders: [] as string[],
    fields: null,
    notes,
  };
  if (uid === null) {
    notes.lose('its ID cannot be the uid of an endpoint');
    return planned;
  }
  try {
    const [secret, headers, transformation] = await Promise.all([
      server.get([...path, 'secret']),
      server.get([...path, 'headers']),
      server.get([...path, 'transformation']).catch((fault: unknown): Values => {
        // A server that one runs oneself knows none.
        if (isMissing(fault)) return {};
        throw fault;
      }),
    ]);
    if (transformation.enabled === true) {
      notes.lose('it has a transformation, which changes what is sent: send the changed data instead');
    }
    const hidden = (listOf(headers.sensitive) ?? []).filter((name) => textOf(name) !== null) as string[];
    return { ...planned, hiddenHeaders: hidden, fields: fieldsOf(server, endpoint, secret, headers, notes) };
  } catch (fault) {
    if (!(fault instanceof ForeignFault) || fault.isFatal) throw fault;
    notes.lose(`it could not be read: ${fault.message}`);
    return planned;
  }
}

function fieldsOf(
  server: ForeignServer,
  endpoint: Values,
  { key }: Values,
  { headers }: Values,
  notes: Notes,
): EndpointFields | null {
  const url = takeUrl(endpoint.url, notes);
  const secret = secretOf(textOf(key), notes);
  const eventTypes = eventTypesOf(server, endpoint, notes);
  if (url === null || secret === null || eventTypes === null) return null;
  return {
    url,
    description: takeDescription(endpoint.description, notes),
    secret,
    headers: takeHeaders(Object.entries(recordOf(headers) ?? {}), notes),
    metadata: takeMetadata(endpoint.metadata, notes),
    signature: { profile: 'SVIX' },
    filter: filterOf(server.textsOf(endpoint.channels, 'channels'), notes),
    // Messages in a second.
    rateLimit: takeRateLimit(countOf(endpoint.throttleRate ?? endpoint.rateLimit), 1, notes),
    eventTypes,
  };
}

function secretOf(key: string | null, notes: Notes): string | null {
  if (key !== null && /^wh[sp]k1?_/.test(key)) {
    notes.lose('it signs with a pair of keys, not with a secret');
    return null;
  }
  // A secret without the prefix is the same secret.
  return takeSecret(key === null || key.startsWith('whsec_') ? key : `whsec_${key}`, 'SVIX', notes);
}

/** Older servers call them filterTypes. @returns null, with a note, when none of them can be one here */
function eventTypesOf(server: ForeignServer, endpoint: Values, notes: Notes): string[] | null {
  const [newer, older] = [endpoint.eventTypes, endpoint.filterTypes].map((types) => [
    ...new Set(server.textsOf(types, 'event types')),
  ]) as [string[], string[]];
  // An empty list is everything: beside it, the other one counts.
  const types = newer.length === 0 ? older : newer;
  if (older.length > 0 && !isDeepStrictEqual(new Set(types), new Set(older))) {
    notes.lose('it has two lists of event types, which are not the same');
    return null;
  }
  if (types.length === 0) return ['*'];
  for (const type of types) {
    if (!isExact(type)) notes.lose(`the event type ${quoted(type)} is left out: it cannot be one here`);
  }
  const exact = types.filter(isExact);
  // Without any, it would receive everything there.
  return exact.length === 0 ? null : exact;
}

const isExact = (type: string) => TYPE_PATTERN.test(type) && !type.includes('*');

/** An endpoint with channels gets the messages that were sent to one of them. */
function filterOf(channels: readonly string[], notes: Notes): Record<string, unknown> | null {
  const names = [...new Set(channels)];
  if (names.length === 0) return null;
  notes.warn('its channels are a filter on data.channels: send the channels of an event there');
  const conditions = names.map((value) => ({ path: 'data.channels', op: 'contains', value }));
  return conditions.length === 1 ? (conditions[0] ?? null) : { any: conditions };
}
