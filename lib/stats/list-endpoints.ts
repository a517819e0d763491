import type { ProjectCaller } from '@/lib/audit/caller';
import { uidsOf } from '@/lib/customers/customers';
import { optionsOf } from '@/lib/delivery/endpoints/endpoints';
import { EndpointListItem, type EndpointSort, type ListEndpointsQuery } from '@/lib/delivery/schema';
import { targetSearch } from '@/lib/delivery/targets';
import { maySeeSecrets } from '@/lib/orgs/tenant';
import type { Clock } from '@/lib/platform/clock';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { encodePosition, type Listing, newestFirst, type SortPosition } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';
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
  const show = (rows: readonly EndpointRow[], positions: readonly SortPosition[]) =>
    toListing({ projectId, showsSecrets: maySeeSecrets(caller), limit }, rows, positions);
  if (q === undefined && state === undefined && sort === '-createdAt') {
    const rows = await prisma().endpoint.findMany(newestFirst(where, { limit, cursor: cursor?.id }));
    return show(rows, positionsOf(rows));
  }
  const ranked = await readHeavily(() => rankEndpoints(projectId, query, clock));
  const compare = orderOf(sort);
  const following = ranked.filter((position) => cursor === undefined || compare(position, cursor) > 0).sort(compare);
  const page = following.slice(0, limit + 1);
  const rows = await prisma().endpoint.findMany({ where: { ...where, id: { in: page.map(({ id }) => id) } } });
  return show(rows, page);
}

const positionsOf = (rows: readonly EndpointRow[]) => rows.map(({ id }): SortPosition => ({ id, key: null }));

/** Turns the positions of a page, and of one more row, into the page. A row that was deleted meanwhile is left out. */
async function toListing(
  { projectId, showsSecrets, limit }: { projectId: string; showsSecrets: boolean; limit: number },
  rows: readonly EndpointRow[],
  positions: readonly SortPosition[],
): Promise<Listing<EndpointListItem>> {
  const shown = positions.slice(0, limit);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const details = await selectListDetails.all(database(), {
    project: projectId,
    endpoints: shown.map(({ id }) => id),
    types: SHOWN_TYPES,
    counted: COUNTED_TYPES,
  });
  const detailsById = new Map(details.map((each) => [each.id, each]));
  const uids = await uidsOf(
    database(),
    projectId,
    rows.map(({ customerId }) => customerId),
  );
  const last = shown.at(-1);
  return {
    data: shown.flatMap(({ id }) => {
      const row = byId.get(id);
      if (row === undefined) return [];
      const more = detailsById.get(id);
      return present(EndpointListItem, {
        ...row,
        ...optionsOf(row, showsSecrets),
        customerUid: uids.get(row.customerId) ?? null,
        eventTypes: more?.event_types ?? [],
        eventTypeCount: more?.event_type_count ?? 0,
        lastDeliveryAt: more?.last_delivery_at ?? null,
      });
    }),
    nextCursor: positions.length > limit && last !== undefined ? encodePosition(last) : null,
  };
}

/** Reads the endpoints that match, each with what they are ordered by. */
async function rankEndpoints(
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
  switch (nameOf(sort)) {
    case 'createdAt':
      return rankById.all(database(), filters);
    case 'host':
      return rankByHost.all(database(), filters);
    case 'description':
      return rankByDescription.all(database(), filters);
    case 'lastDeliveryAt': {
      const rows = await rankByLastDelivery.all(database(), filters);
      return rows.map(({ id, key }) => ({ id, key: key?.getTime() ?? null }));
    }
    case 'success':
      return rankBySuccess.all(database(), { ...filters, from });
    case 'p95': {
      const rows = await rankByDuration.all(database(), { ...filters, from });
      return rows.map(({ id, key }) => ({ id, key: attemptQuantilesOf([key])?.p95Ms ?? null }));
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
