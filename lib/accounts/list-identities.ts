import type { PersonCaller } from '@/lib/audit/caller';
import { config } from '@/lib/platform/config/config';
import { prisma } from '@/lib/platform/prisma/client';
import type { Identity } from './schema';

/** Lists the provider accounts linked to the caller's account, oldest first. */
export async function listIdentities(caller: PersonCaller): Promise<Identity[]> {
  const rows = await prisma().identity.findMany({
    where: { userId: caller.userId },
    select: { id: true, issuer: true, createdAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ id, issuer, createdAt }) => ({
    id,
    provider: nameProvider(issuer),
    createdAt: createdAt.toISOString(),
  }));
}

/** Returns the provider's configured name; for an earlier issuer, only its host is known. */
export function nameProvider(issuer: string): string {
  const { IDP_OAUTH_ISSUER, IDP_OAUTH_NAME } = config();
  const bare = (url: string) => url.replace(/\/$/, '');
  if (bare(issuer) === bare(IDP_OAUTH_ISSUER)) return IDP_OAUTH_NAME;
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}
