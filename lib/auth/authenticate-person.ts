import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import type { ClientInfo } from '@/lib/platform/client-info';
import { type Clock, systemClock } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { type AccessTokenClaims, verifyAccessToken } from './access-token';

/** The tenant that the path of a request names: at most one of the two. */
export interface Tenant {
  organizationId?: string;
  projectId?: string;
}

interface PersonRow {
  organization_id: string | null;
  role: Role | null;
  is_stale: boolean;
}

/*
 * Each request of a person costs this one query: session, user, and membership in the organization, each found by
 * primary key. So logout, demotion, removal, erasure and deletion take effect at the next request.
 */
const PERSON_SQL = `
  SELECT m.organization_id, m.role, s.last_used_at < now() - interval '1 minute' AS is_stale
  FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.erased_at IS NULL
  LEFT JOIN projects p ON p.id = $4 AND p.deleted_at IS NULL
  LEFT JOIN organizations o ON o.deleted_at IS NULL
    AND o.id = CASE WHEN $4::uuid IS NOT NULL THEN p.organization_id ELSE coalesce($3::uuid, s.organization_id) END
  LEFT JOIN memberships m ON m.organization_id = o.id AND m.user_id = u.id
  WHERE s.id = $1 AND s.user_id = $2 AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()`;

/**
 * Finds the live person an access token was issued to, with their live role in the organization of the request: the
 * tenant's own, its project's, or else the session's.
 *
 * @throws AppError token_expired, unauthenticated; not_found when the caller is not a member of the tenant, or it is
 *   deleted
 */
export async function authenticatePerson(
  bearer: string,
  tenant: Tenant,
  client: ClientInfo,
  clock: Clock = systemClock,
): Promise<PersonCaller> {
  const claims = await verifyAccessToken(bearer, clock);
  const row = await findLivePerson(claims, tenant);
  if (row === undefined) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
  if (row.is_stale) touchSession(claims.sid);
  if (row.role === null && tenant.projectId !== undefined) throw notFound('project');
  if (row.role === null && tenant.organizationId !== undefined) throw notFound('organization');
  return {
    type: 'person',
    userId: claims.sub,
    sessionId: claims.sid,
    organizationId: row.organization_id,
    role: row.role,
    tokenExpiresAt: claims.exp,
    client,
  };
}

/** Replaces a path id that is not a UUID by an id no row has, so that the query finds nothing. */
async function findLivePerson(claims: AccessTokenClaims, tenant: Tenant): Promise<PersonRow | undefined> {
  const { rows } = await database().query<PersonRow>({
    name: 'authenticate-person',
    text: PERSON_SQL,
    values: [claims.sid, claims.sub, idOrNothing(tenant.organizationId), idOrNothing(tenant.projectId)],
  });
  return rows[0];
}

const NOBODYS_ID = '00000000-0000-0000-0000-000000000000';

function idOrNothing(id: string | undefined): string | null {
  if (id === undefined) return null;
  return isId(id) ? id : NOBODYS_ID;
}

/** Writes at most once a minute per session, in parallel with the request: nothing depends on the result. */
function touchSession(sessionId: string): void {
  database()
    .query(`UPDATE sessions SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'`, [
      sessionId,
    ])
    .catch((error: unknown) => log().warn({ err: error }, 'could not record the use of a session'));
}
