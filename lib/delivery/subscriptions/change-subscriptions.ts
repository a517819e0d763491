import { getEndpointRow } from '@/lib/delivery/endpoints/queries';
import type { CreateSubscriptionBody, Subscription, UpdateSubscriptionBody } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/lock-project';
import { isUniqueViolation } from '@/lib/platform/database-errors';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { prisma } from '@/lib/platform/prisma/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getSubscription, presentSubscription } from './queries';

/** Subscribes an endpoint of the project to an event type. @throws AppError not_found, conflict, limit_reached */
export async function createSubscription(projectId: string, body: CreateSubscriptionBody): Promise<Subscription> {
  return refuseDuplicates(() =>
    inTransaction(async (tx) => {
      await lockProject(tx, projectId);
      await getEndpointRow(tx.prisma, projectId, body.endpointId);
      refuseBeyondLimit('PROJECT_MAX_SUBSCRIPTIONS', await tx.prisma.subscription.count({ where: { projectId } }));
      return presentSubscription(await tx.prisma.subscription.create({ data: { id: newId(), projectId, ...body } }));
    }),
  );
}

/** Changes the given fields of a subscription. @throws AppError not_found, conflict */
export async function updateSubscription(
  projectId: string,
  subscriptionId: string,
  body: UpdateSubscriptionBody,
): Promise<Subscription> {
  const { eventType, enabled } = body;
  const { count } = await refuseDuplicates(() =>
    prisma().subscription.updateMany({
      where: { id: subscriptionId, projectId },
      data: { ...(eventType === undefined ? {} : { eventType }), ...(enabled === undefined ? {} : { enabled }) },
    }),
  );
  if (count === 0) throw notFound('subscription');
  return getSubscription(projectId, subscriptionId);
}

/** Deletes a subscription. Its deliveries remain. @throws AppError not_found */
export async function deleteSubscription(projectId: string, subscriptionId: string): Promise<void> {
  const { count } = await prisma().subscription.deleteMany({ where: { id: subscriptionId, projectId } });
  if (count === 0) throw notFound('subscription');
}

async function refuseDuplicates<T>(change: () => Promise<T>): Promise<T> {
  return change().catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', 'This endpoint already has a subscription for this event type.');
  });
}
