import type { PersonCaller } from '@/lib/audit/caller';
import type { ClientInfo } from '@/lib/platform/client-info';
import { type Clock, systemClock } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { verifyAccessToken } from './access-token';
import { findPerson, recordUse } from './authenticate-sql';

/** The tenant that the path of a request names: at most one of the two. */
export interface Tenant {
  organizationId?: string;
  projectId?: string;
}

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
  const { organizationId, projectId } = tenant;
  const row = await findPerson.first(
    database(),
    claims.sid,
    claims.sub,
    idOrNothing(organizationId),
    idOrNothing(projectId),
  );
  if (row === undefined) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
  if (row.is_stale) touchSession(claims.sid);
  if (row.role === null && projectId !== undefined) throw notFound('project');
  if (row.role === null && organizationId !== undefined) throw notFound('organization');
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

const NOBODYS_ID = '00000000-0000-0000-0000-000000000000';

/** Replaces a path id that is not a UUID by an id no row has, so that the query finds nothing. */
function idOrNothing(id: string | undefined): string | null {
  if (id === undefined) return null;
  return isId(id) ? id : NOBODYS_ID;
}

/** Writes at most once a minute per session, in parallel with the request: nothing depends on the result. */
function touchSession(sessionId: string): void {
  recordUse
    .run(database(), sessionId)
    .catch((error: unknown) => log().warn({ err: error }, 'could not record the use of a session'));
}
