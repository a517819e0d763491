import type { PersonCaller } from '@/lib/audit/caller';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import type { Identity } from './schema';

interface IdentityRow {
  id: string;
  issuer: string;
  created_at: Date;
}

/** Lists the provider accounts linked to the caller's account, oldest first. */
export async function listIdentities(caller: PersonCaller): Promise<Identity[]> {
  const { rows } = await database().query<IdentityRow>(
    'SELECT id, issuer, created_at FROM identities WHERE user_id = $1 ORDER BY created_at, id',
    [caller.userId],
  );
  return rows.map((row) => ({
    id: row.id,
    provider: nameProvider(row.issuer),
    createdAt: row.created_at.toISOString(),
  }));
}

/** Returns the provider's configured name; for an earlier issuer, only its host is known. */
export function nameProvider(issuer: string): string {
  const { IDP_OAUTH_ISSUER, IDP_OAUTH_NAME } = config();
  const bare = (url: string) => url.replace(/\/$/, '');
  if (bare(issuer) === bare(IDP_OAUTH_ISSUER)) return IDP_OAUTH_NAME;
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}
