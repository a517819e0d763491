import type { ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange } from '@/lib/audit/record-audit';
import { patternsOf } from '@/lib/events/type-pattern-policy';
import { lockProject } from '@/lib/orgs/projects';
import { refuseIfMoved } from '@/lib/orgs/tenant';
import { isUniqueViolation } from '@/lib/platform/database-errors';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { type Listing, newestFirst, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Subscription as SubscriptionRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { getEndpointRow } from './endpoints/endpoints';
import { type CreateSubscriptionBody, Subscription, type UpdateSubscriptionBody } from './schema';

/** Converts a row to a subscription of the API. */
export function presentSubscription(row: Omit<SubscriptionRow, 'customerId' | 'receivesCustomerEvents'>): Subscription {
  return present(Subscription, row);
}

interface SubscriptionFilter {
  endpointId?: string | undefined;
  customer?: string | undefined;
  /** Only enabled ones that events of this type match. */
  matches?: string | undefined;
}

/** Lists the subscriptions of a project, of one of its endpoints, or of a customer (resolveCustomer), newest first. */
export async function listSubscriptions(
  projectId: string,
  { endpointId, customer, matches, ...page }: Page & SubscriptionFilter,
): Promise<Listing<Subscription>> {
  const where = {
    projectId,
    ...(endpointId === undefined ? {} : { endpointId }),
    ...(customer === undefined ? {} : { customerId: customer }),
    ...(matches === undefined ? {} : { enabled: true, eventType: { in: patternsOf(matches) } }),
  };
  const rows = await prisma().subscription.findMany(newestFirst(where, page));
  return toListing(rows, page.limit, presentSubscription);
}

/** Reads a subscription of a project. @throws AppError not_found */
export async function getSubscription(projectId: string, subscriptionId: string): Promise<Subscription> {
  return presentSubscription(await getRow(prisma(), projectId, subscriptionId));
}

/** Reads the row of a subscription. @throws AppError not_found */
async function getRow(db: PrismaQueries, projectId: string, subscriptionId: string): Promise<SubscriptionRow> {
  const row = await db.subscription.findFirst({ where: { id: subscriptionId, projectId } });
  if (row === null) throw notFound('subscription');
  return row;
}

/** Subscribes an endpoint of the project to an event type. @throws AppError not_found, conflict, limit_reached */
export async function createSubscription(
  caller: ProjectCaller,
  projectId: string,
  body: CreateSubscriptionBody,
): Promise<Subscription> {
  return change(async (tx) => {
    const { endpointId, eventType } = body;
    await lockProject(tx, projectId);
    const { customerId, receivesCustomerEvents } = await getEndpointRow(tx.prisma, { projectId, endpointId });
    const count = await tx.prisma.subscription.count({ where: { projectId, customerId } });
    refuseBeyondLimit('PROJECT_MAX_SUBSCRIPTIONS', count);
    const row = await tx.prisma.subscription.create({
      data: { id: newId(), projectId, customerId, receivesCustomerEvents, ...body },
    });
    await auditChange(tx, caller, 'subscription.created', row.id, { projectId, endpointId, eventType });
    return presentSubscription(row);
  });
}

/** Changes the given fields of a subscription. @throws AppError not_found, conflict */
export async function updateSubscription(
  caller: ProjectCaller,
  projectId: string,
  subscriptionId: string,
  body: UpdateSubscriptionBody,
): Promise<Subscription> {
  const { eventType, enabled } = body;
  return change(async (tx) => {
    // The audit log tells what each of two changes at once replaced.
    await lockProject(tx, projectId);
    const current = await getRow(tx.prisma, projectId, subscriptionId);
    const fields = Object.keys(body);
    if (fields.length === 0) return presentSubscription(current);
    const row = await tx.prisma.subscription.update({
      where: { id: subscriptionId, projectId },
      data: { ...(eventType === undefined ? {} : { eventType }), ...(enabled === undefined ? {} : { enabled }) },
    });
    const changed = presentSubscription(row);
    const changes = changedFields(presentSubscription(current), changed, fields);
    const details = { projectId, endpointId: row.endpointId, eventType: row.eventType, changes };
    if (changes !== null) await auditChange(tx, caller, 'subscription.updated', subscriptionId, details);
    return changed;
  });
}

/** Deletes a subscription. Its deliveries remain. @throws AppError not_found */
export async function deleteSubscription(
  caller: ProjectCaller,
  projectId: string,
  subscriptionId: string,
): Promise<void> {
  await inTransaction(async (tx) => {
    const { endpointId, eventType } = await getRow(tx.prisma, projectId, subscriptionId);
    const { count } = await tx.prisma.subscription.deleteMany({ where: { id: subscriptionId, projectId } });
    if (count === 0) {
      await refuseIfMoved(tx, projectId);
      throw notFound('subscription');
    }
    await auditChange(tx, caller, 'subscription.deleted', subscriptionId, { projectId, endpointId, eventType });
  });
}

/** Runs a change in a transaction. @throws AppError conflict when the endpoint would have two subscriptions for a type */
async function change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(work).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', 'This endpoint already has a subscription for this event type.');
  });
}
