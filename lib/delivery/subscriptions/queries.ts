import type { Subscription } from '@/lib/delivery/schema';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { Subscription as SubscriptionRow } from '@/lib/platform/prisma/generated/client';

/** A subscription as the API shows it. */
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

/** The subscriptions of a project, newest first; of one endpoint where it is named. */
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

/** One subscription of a project. @throws AppError not_found */
export async function getSubscription(projectId: string, subscriptionId: string): Promise<Subscription> {
  const row = await prisma().subscription.findFirst({ where: { id: subscriptionId, projectId } });
  if (row === null) throw notFound('subscription');
  return presentSubscription(row);
}
