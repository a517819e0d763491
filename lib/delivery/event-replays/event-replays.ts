import type { ProjectCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import { selectNow } from '@/lib/delivery/bulk-retries/bulk-retries-sql';
import { countToStart, whileStartIsCounted } from '@/lib/delivery/deliveries/count-deliveries';
import { type CreateEventReplayBody, EventReplay } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/projects';
import { organizationOf, ownerOfProject } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { limitReached } from '@/lib/platform/limits';
import { type Listing, newestFirst, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { EventReplay as EventReplayRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { countRunning, countRunningOfCustomers, deleteOldEventReplays, notifyEventReplays } from './event-replays-sql';
import { readScope } from './replay-scope';
import { type ReplayScope, replayedEventScan } from './replayed-events-sql';

/** Lists the event replays of a project, newest first. */
export async function listEventReplays(projectId: string, page: Page): Promise<Listing<EventReplay>> {
  const rows = await prisma().eventReplay.findMany(newestFirst({ projectId }, page));
  return toListing(rows, page.limit, presentEventReplay);
}

/** Reads an event replay of a project. @throws AppError not_found */
export async function getEventReplay(projectId: string, eventReplayId: string): Promise<EventReplay> {
  return presentEventReplay(await getEventReplayRow(prisma(), projectId, eventReplayId));
}

/** Reads the row of an event replay. @throws AppError not_found */
async function getEventReplayRow(db: PrismaQueries, projectId: string, id: string): Promise<EventReplayRow> {
  const row = await db.eventReplay.findFirst({ where: { id, projectId } });
  if (row === null) throw notFound('event replay');
  return row;
}

/**
 * Cancels a running event replay. The deliveries that it has made due are still sent. Does not change a finished one.
 * @throws AppError not_found
 */
export async function cancelEventReplay(
  caller: ProjectCaller,
  projectId: string,
  eventReplayId: string,
): Promise<EventReplay> {
  return inTransaction(async (tx) => {
    await getEventReplayRow(tx.prisma, projectId, eventReplayId);
    const { count } = await tx.prisma.eventReplay.updateMany({
      where: { id: eventReplayId, projectId, status: 'RUNNING' },
      data: { status: 'CANCELED', completedAt: new Date() },
    });
    if (count > 0) {
      await auditChange(tx, caller, 'event_replay.canceled', eventReplayId, { projectId });
    }
    return presentEventReplay(await getEventReplayRow(tx.prisma, projectId, eventReplayId));
  });
}

/** Converts a row to an event replay of the API. */
export function presentEventReplay(
  row: Omit<EventReplayRow, 'ownerId' | 'lastEventId' | 'lastEndpointId' | 'nextBatchAt' | 'tryBeganAt'>,
): EventReplay {
  const { skippedPending: pending, skippedDisabled: disabled, skippedDeleted: deleted, skippedGone: gone } = row;
  const { selection: select, createdFrom: from, createdTo: to } = row;
  return present(EventReplay, { ...row, select, from, to, skipped: { pending, disabled, deleted, gone } });
}

/** The most event replays of a project that run at once. Workers take turns between them. */
const MAX_RUNNING = 3;
/** Those that a customer has started in the portal. They do not keep the project from starting its own. */
const MAX_RUNNING_OF_CUSTOMER = 1;
/** Those of all customers of an owner. Each batch of any owner sorts all that run. Starts at the same time may exceed it by a few. */
const MAX_RUNNING_OF_CUSTOMERS = 500;

/**
 * Starts to send the events of a period to endpoints: what is missing, has failed, or all. Workers do it in batches, oldest first;
 * `checked` shows the progress.
 * @throws AppError as `readScope`; conflict when too many events match or too many replays run; limit_reached when customers of the
 *   owner run too many; rate_limited when the project counts for another one, or its organization or owner for two, or the owner has
 *   started 60 within a minute; overloaded
 */
export async function createEventReplay(
  caller: ProjectCaller,
  projectId: string,
  body: CreateEventReplayBody,
): Promise<EventReplay> {
  const choose = async () => {
    const { at } = await selectNow.one(database());
    const scope = await readScope(projectId, body, at);
    // Without the lock of the project: counting takes seconds, and a deletion would wait for it.
    const total = await countToStart(replayedEventScan(scope), 'events', 'Choose a shorter time, or an event type.');
    return { scope, total, ownerId: await ownerOfProject(projectId) };
  };
  const project = { projectId, organizationId: organizationOf(caller), customerId: starterOf(caller) };
  const { scope, ...counted } = await whileStartIsCounted(project, choose);
  return inTransaction((tx) => insert(tx, caller, scope, counted));
}

/** Returns the customer who starts a replay in the portal. */
export function starterOf(caller: ProjectCaller): string | undefined {
  return caller.type === 'portal' ? caller.customerId : undefined;
}

async function insert(
  tx: Transaction,
  caller: ProjectCaller,
  scope: ReplayScope,
  { total, ownerId }: { total: number; ownerId: string },
): Promise<EventReplay> {
  const { projectId, select, from, to, endpoint, customerId, eventType, at } = scope;
  await lockProject(tx, projectId);
  const starter = starterOf(caller);
  const running = await countRunning.one(tx, { project: projectId, customer: starter ?? null });
  if (running.count >= (starter === undefined ? MAX_RUNNING : MAX_RUNNING_OF_CUSTOMER)) throw tooMany(starter);
  if (starter !== undefined) await refuseForAllCustomers(tx, ownerId);
  const row = await tx.prisma.eventReplay.create({
    data: {
      id: newId(),
      projectId,
      ownerId,
      selection: select,
      createdFrom: from,
      createdTo: to,
      endpointId: endpoint?.id ?? null,
      customerId: starter ?? customerId,
      eventType,
      total,
      createdAt: at,
      ...(total === 0 ? { status: 'COMPLETED', completedAt: at } : {}),
    },
  });
  await deleteOldEventReplays.run(tx, { project: projectId, isOfPortal: starter !== undefined });
  await notifyEventReplays.run(tx);
  await auditChange(tx, caller, 'event_replay.created', row.id, {
    projectId,
    total,
    ...(endpoint === null ? {} : { endpointId: endpoint.id }),
    ...(customerId === null ? {} : { customerId }),
  });
  return presentEventReplay(row);
}

/** A customer does not learn of others, so the detail has no number. @throws AppError limit_reached */
async function refuseForAllCustomers(tx: Transaction, ownerId: string): Promise<void> {
  const most = MAX_RUNNING_OF_CUSTOMERS;
  const running = await countRunningOfCustomers.one(tx, { owner: ownerId, most });
  if (running.count >= most)
    throw limitReached('Too many replays are running. Try again when some of them have ended.');
}

function tooMany(starter: string | undefined): AppError {
  const detail =
    starter === undefined
      ? `${MAX_RUNNING} event replays of this project are running. Wait until one ends, or cancel one.`
      : 'Missed events are being sent already. Wait until that has ended.';
  return new AppError('conflict', detail);
}
