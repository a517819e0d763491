import type { Subscription } from '@/lib/delivery/schema';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { Subscription as SubscriptionRow } from '@/lib/platform/prisma/generated/client';

/** Converts a row to a subscription of the API. */
export function presentSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    endpointId: row.endpointId,
    eventType: row.eventType,
    enabled: row.enabled,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Lists the subscriptions of a project or of one of its endpoints, newest first. */
export async function listSubscriptions(
  projectId: string,
  page: Page & { endpointId?: string | undefined },
): Promise<Listing<Subscription>> {
  const rows = await prisma().subscription.findMany({
    where: {
      projectId,
      ...(page.endpointId === undefined ? {} : { endpointId: page.endpointId }),
      ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  return toListing(rows, page.limit, presentSubscription);
}

/** Reads a subscription of a project. @throws AppError not_found */
export async function getSubscription(projectId: string, subscriptionId: string): Promise<Subscription> {
  const row = await prisma().subscription.findFirst({ where: { id: subscriptionId, projectId } });
  if (row === null) throw notFound('subscription');
  return presentSubscription(row);
}
