import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import { type Action, lowestRole, may } from '@/lib/orgs/permissions-policy';
import type { ClientInfo } from '@/lib/platform/client-info';
import { type Clock, systemClock } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import type { Verdict } from '@/lib/platform/open-connections';
import { verifyAccessToken } from './access-token';
import { findPerson, findPersons, recordUse } from './sessions-sql';

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
  const row = await findPerson.first(database(), {
    session: claims.sid,
    user: claims.sub,
    organization: idOrNothing(organizationId),
    project: idOrNothing(projectId),
  });
  if (row === undefined) throw sessionEnded();
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

/** A person who was admitted to a connection that stays open. */
interface AdmittedPerson extends Pick<PersonCaller, 'sessionId' | 'userId' | 'organizationId'> {
  projectId: string | undefined;
  /** What their role must allow. */
  action: Action | undefined;
}

/**
 * Checks that persons still have what admitted them. Their access tokens may have expired since: a connection ends with the
 * session, the membership or the role, not with the token.
 */
export async function checkPersons(admitted: readonly AdmittedPerson[]): Promise<Verdict[]> {
  const rows = await findPersons.all(database(), {
    sessions: admitted.map(({ sessionId }) => sessionId),
    users: admitted.map(({ userId }) => userId),
    organizations: admitted.map(({ organizationId }) => organizationId),
    projects: admitted.map(({ projectId }) => projectId ?? null),
  });
  return rows.map((row, index) => {
    const { projectId, action } = admitted[index] as AdmittedPerson;
    return {
      refusal: row.is_open ? findRoleFault(row.role, action, projectId) : sessionEnded(),
      endsInMs: row.ends_in_ms,
    };
  });
}

function findRoleFault(role: Role | null, action: Action | undefined, projectId: string | undefined): AppError | null {
  if (role === null) return notFound(projectId === undefined ? 'organization' : 'project');
  return action === undefined || may(role, action) ? null : roleTooLow(action);
}

/** A person's role does not allow an action. */
export function roleTooLow(action: Action): AppError {
  return new AppError('forbidden', `This needs the role ${lowestRole(action)} or higher.`);
}

function sessionEnded(): AppError {
  return new AppError('unauthenticated', 'This session has ended. Sign in again.');
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
    .run(database(), { session: sessionId })
    .catch((error: unknown) => log().warn({ err: error }, 'could not record the use of a session'));
}
