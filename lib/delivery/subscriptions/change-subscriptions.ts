import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import { getEndpointRow } from '@/lib/delivery/endpoints/queries';
import type { CreateSubscriptionBody, Subscription, UpdateSubscriptionBody } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/lock-project';
import { isUniqueViolation } from '@/lib/platform/database-errors';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { presentSubscription } from './queries';

type Caller = PersonCaller | KeyCaller;

/** Subscribes an endpoint of the project to an event type. @throws AppError not_found, conflict, limit_reached */
export async function createSubscription(
  caller: Caller,
  projectId: string,
  body: CreateSubscriptionBody,
): Promise<Subscription> {
  return refuseDuplicates(() =>
    inTransaction(async (tx) => {
      await lockProject(tx, projectId);
      await getEndpointRow(tx.prisma, projectId, body.endpointId);
      refuseBeyondLimit('PROJECT_MAX_SUBSCRIPTIONS', await tx.prisma.subscription.count({ where: { projectId } }));
      const row = await tx.prisma.subscription.create({ data: { id: newId(), projectId, ...body } });
      const { endpointId, eventType } = row;
      await record(tx, caller, 'subscription.created', row.id, { projectId, endpointId, eventType });
      return presentSubscription(row);
    }),
  );
}

/** Changes the given fields of a subscription. @throws AppError not_found, conflict */
export async function updateSubscription(
  caller: Caller,
  projectId: string,
  subscriptionId: string,
  body: UpdateSubscriptionBody,
): Promise<Subscription> {
  const { eventType, enabled } = body;
  return refuseDuplicates(() =>
    inTransaction(async (tx) => {
      const present = await getRow(tx, projectId, subscriptionId);
      if (Object.keys(body).length === 0) return presentSubscription(present);
      const row = await tx.prisma.subscription.update({
        where: { id: subscriptionId, projectId },
        data: { ...(eventType === undefined ? {} : { eventType }), ...(enabled === undefined ? {} : { enabled }) },
      });
      const { endpointId } = row;
      const details = { projectId, endpointId, eventType: row.eventType, fields: Object.keys(body) };
      await record(tx, caller, 'subscription.updated', subscriptionId, details);
      return presentSubscription(row);
    }),
  );
}

/** Deletes a subscription. Its deliveries remain. @throws AppError not_found */
export async function deleteSubscription(caller: Caller, projectId: string, subscriptionId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const { endpointId, eventType } = await getRow(tx, projectId, subscriptionId);
    const { count } = await tx.prisma.subscription.deleteMany({ where: { id: subscriptionId, projectId } });
    if (count === 0) throw notFound('subscription');
    await record(tx, caller, 'subscription.deleted', subscriptionId, { projectId, endpointId, eventType });
  });
}

/** Reads the row of a subscription. @throws AppError not_found */
async function getRow(tx: Transaction, projectId: string, subscriptionId: string) {
  const row = await tx.prisma.subscription.findFirst({ where: { id: subscriptionId, projectId } });
  if (row === null) throw notFound('subscription');
  return row;
}

function record(
  tx: Transaction,
  caller: Caller,
  action: AuditAction,
  subscriptionId: string,
  details: Record<string, unknown> & { projectId: string },
): Promise<void> {
  return recordAudit(tx, caller, {
    action,
    organizationId: caller.organizationId,
    target: { type: 'subscription', id: subscriptionId },
    details,
  });
}

async function refuseDuplicates<T>(change: () => Promise<T>): Promise<T> {
  return change().catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', 'This endpoint already has a subscription for this event type.');
  });
}
