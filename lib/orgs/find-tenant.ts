import { prisma } from '@/lib/platform/prisma/client';

/** Who shares the bounds of a process with others. */
export interface Tenant {
  organizationId: string;
  /** A person may own many organizations, which share one part. */
  ownerId: string;
}

/** Returns the tenant of an organization. Of several owners, the one who joined first counts. */
export async function findTenant(organizationId: string): Promise<Tenant> {
  const owner = await prisma().membership.findFirst({
    where: { organizationId, role: 'OWNER' },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    select: { userId: true },
  });
  return { organizationId, ownerId: owner?.userId ?? organizationId };
}
