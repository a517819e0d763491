import type { ProjectCaller } from '@/lib/audit/caller';
import { uidsOf } from '@/lib/customers/customers';
import { optionsOf } from '@/lib/delivery/endpoints/endpoints';
import { EndpointListItem, type EndpointSort, type ListEndpointsQuery } from '@/lib/delivery/schema';
import { targetSearch } from '@/lib/delivery/targets';
import { BoundedPage, mapInTurns, maySeeSecrets, onePageAtATime, READ_AT_ONCE } from '@/lib/orgs/tenant';
import type { Clock } from '@/lib/platform/clock';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { encodePosition, type Listing, newestFirst, type SortPosition } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import {
  rankByDescription,
  rankByDuration,
  rankByHost,
  rankById,
  rankByLastDelivery,
  rankBySuccess,
  selectListDetails,
} from './list-endpoints-sql';
import { namedRange } from './range-policy';
import { attemptQuantilesOf } from './sum-stats';

/** Event types that a list shows of an endpoint. */
const SHOWN_TYPES = 20;
/** Event types that a list counts of an endpoint. */
const COUNTED_TYPES = 1_000;

/**
 * Lists the endpoints of a project, or of a customer (resolveCustomer). A filter, and another order than the newest first, look at the newest 3,000 of them.
 * Statistics move between pages: an endpoint whose place changes meanwhile may appear twice, or on no page.
 */
export async function listEndpoints(
  caller: ProjectCaller,
  projectId: string,
  query: ListEndpointsQuery,
  clock: Clock,
): Promise<Listing<EndpointListItem>> {
  const { q, uid, customer, state, sort, limit, cursor } = query;
  const where = {
    projectId,
    deletedAt: null,
    ...(uid === undefined ? {} : { uid }),
    ...(customer === undefined ? {} : { customerId: customer }),
  };
  if (q === undefined && state === undefined && sort === '-createdAt') {
    const page = newestFirst(where, { limit, cursor: cursor?.id });
    const newest = await prisma().endpoint.findMany({ ...page, select: { id: true } });
    const positions = newest.map(({ id }) => ({ id, key: null }));
    return onePageAtATime(limit, () => toListing(caller, positions, { where, limit }));
  }
  const ranked = await rankEndpoints(caller, projectId, query, clock);
  const compare = orderOf(sort);
  const following = ranked.filter((position) => cursor === undefined || compare(position, cursor) > 0).sort(compare);
  return onePageAtATime(limit, () => toListing(caller, following.slice(0, limit + 1), { where, limit }));
}

const NOT_SHOWN = { secretEncrypted: true, previousSecretEncrypted: true, previousSecretExpiresAt: true } as const;

/** Turns the positions of a page, and of one more row, into a `BoundedPage`. A row that was deleted meanwhile is left out. */
async function toListing(
  caller: ProjectCaller,
  positions: readonly SortPosition[],
  { where, limit }: { where: { projectId: string; deletedAt: null }; limit: number },
): Promise<Listing<EndpointListItem>> {
  const { projectId } = where;
  const shown = positions.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const types = { types: SHOWN_TYPES, counted: COUNTED_TYPES };
  const details = await selectListDetails.all(database(), { project: projectId, endpoints: ids, ...types });
  const detailsById = new Map(details.map((each) => [each.id, each]));
  const showsSecrets = maySeeSecrets(caller);
  const page = new BoundedPage<EndpointListItem>();
  let last: SortPosition | undefined;
  for (let at = 0; at < shown.length && !page.isFull(); at += READ_AT_ONCE) {
    const some = shown.slice(at, at + READ_AT_ONCE);
    const found = await prisma().endpoint.findMany({
      where: { ...where, id: { in: some.map(({ id }) => id) } },
      omit: NOT_SHOWN,
    });
    const customers = found.map(({ customerId }) => customerId);
    const uids = await uidsOf(database(), projectId, customers);
    const byId = new Map(found.map((row) => [row.id, row]));
    const rows = some.flatMap(({ id }) => byId.get(id) ?? []);
    const added = await page.add(caller, projectId, rows, (row) => {
      const more = detailsById.get(row.id);
      return present(EndpointListItem, {
        ...row,
        ...optionsOf(row, showsSecrets),
        customerUid: uids.get(row.customerId) ?? null,
        eventTypes: more?.event_types ?? [],
        eventTypeCount: more?.event_type_count ?? 0,
        lastDeliveryAt: more?.last_delivery_at ?? null,
      });
    });
    last = added === rows.at(-1) ? some.at(-1) : some.find(({ id }) => id === added?.id);
  }
  return { data: page.data, nextCursor: last === undefined || last === positions.at(-1) ? null : encodePosition(last) };
}

/** Reads the endpoints that match, each with what they are ordered by. */
async function rankEndpoints(
  caller: ProjectCaller,
  projectId: string,
  { q, uid, customer, state, sort }: ListEndpointsQuery,
  clock: Clock,
): Promise<SortPosition[]> {
  const filters = { ...targetSearch(projectId, q), customer: customer ?? null, state: state ?? null };
  if (uid !== undefined) {
    const only = await prisma().endpoint.findFirst({
      where: { projectId, uid, deletedAt: null },
      select: { id: true },
    });
    if (only === null || only.id < filters.lowest || only.id > filters.highest) return [];
    Object.assign(filters, { lowest: only.id, highest: only.id });
  }
  const { from } = namedRange('24h', clock());
  const read = <T>(rank: () => Promise<T>) => readHeavily(rank, q === undefined ? 'heavy' : 'search');
  switch (nameOf(sort)) {
    case 'createdAt':
      return read(() => rankById.all(database(), filters));
    case 'host':
      return read(() => rankByHost.all(database(), filters));
    case 'description':
      return read(() => rankByDescription.all(database(), filters));
    case 'lastDeliveryAt': {
      const rows = await read(() => rankByLastDelivery.all(database(), filters));
      return rows.map(({ id, key }) => ({ id, key: key?.getTime() ?? null }));
    }
    case 'success':
      return read(() => rankBySuccess.all(database(), { ...filters, from }));
    case 'p95': {
      const rows = await read(() => rankByDuration.all(database(), { ...filters, from }));
      // Without a place: it waits for the owner's turns of the thread, and others would wait for the place.
      return mapInTurns(caller, projectId, rows, ({ id, key }) => {
        return { id, key: key === null ? null : (attemptQuantilesOf([key])?.p95Ms ?? null) };
      });
    }
  }
}

const nameOf = (sort: ListEndpointsQuery['sort']) => sort.replace('-', '') as EndpointSort;

/** Returns the order of a list. Endpoints without a value come last, but a silent one is the longest silent. Of equal ones, the newest is first. */
export function orderOf(sort: ListEndpointsQuery['sort']): (a: SortPosition, b: SortPosition) => number {
  const sign = sort.startsWith('-') ? -1 : 1;
  const name = nameOf(sort);
  const nullSign = name === 'lastDeliveryAt' ? -sign : 1;
  const idSign = name === 'createdAt' ? sign : -1;
  return (a, b) => {
    if (a.key === null || b.key === null) {
      if (a.key !== b.key) return a.key === null ? nullSign : -nullSign;
    } else if (a.key !== b.key) return a.key < b.key ? -sign : sign;
    return a.id === b.id ? 0 : a.id < b.id ? -idSign : idSign;
  };
}
