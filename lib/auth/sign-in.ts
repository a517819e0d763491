import { getUser } from '@/lib/accounts/accounts';
import type { PersonCaller } from '@/lib/audit/caller';
import { findHomeOrganization, listOwnMemberships } from '@/lib/orgs/organizations';
import type { OrganizationSummary } from '@/lib/orgs/schema';
import type { ClientInfo } from '@/lib/platform/client-info';
import type { Clock } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { noteOwner } from '@/lib/platform/known-owners';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { signAccessToken } from './access-token';
import type { Me, SignedIn } from './schema';
import { type IssuedRefreshToken, openSession } from './sessions';

/** The response for a session that was opened or refreshed, and its next refresh token. */
export interface SignIn {
  response: SignedIn;
  refresh: IssuedRefreshToken;
}

interface AuthenticatedPerson {
  userId: string;
  method: SessionMethod;
  /** The organization of the person's last session. */
  lastOrganizationId: string | null;
  client: ClientInfo;
}

/** Opens a session for a person who has just authenticated. */
export async function signIn(tx: Sql, person: AuthenticatedPerson, clock: Clock): Promise<SignIn> {
  const { userId, method, client } = person;
  const organization = await findHomeOrganization(tx, userId, person.lastOrganizationId);
  const { sessionId, refresh } = await openSession(tx, {
    userId,
    organizationId: organization?.id ?? null,
    method,
    client,
  });
  return { response: await buildSignedIn(tx, { userId, sessionId, organization }, clock), refresh };
}

/**
 * Builds the response to every sign-in, refresh and switch: a new access token, the person, and the organization of
 * the session.
 * @param notAfter the latest expiry of the new token, in seconds since 1970
 */
export async function buildSignedIn(
  sql: Sql,
  session: { userId: string; sessionId: string; organization: OrganizationSummary | null },
  clock: Clock,
  notAfter?: number,
): Promise<SignedIn> {
  const { userId, sessionId, organization } = session;
  const user = await getUser(sql, userId);
  const { token: accessToken, expiresIn } = await signAccessToken(
    { userId, sessionId, organizationId: organization?.id ?? null, role: organization?.role ?? null },
    clock,
    notAfter,
  );
  // The first request with it waits its turn with those of people, not of strangers.
  noteOwner(accessToken, userId);
  return { accessToken, tokenType: 'Bearer', expiresIn, user, organization };
}

/** Returns the caller's account and their organizations. */
export async function getMe(caller: PersonCaller): Promise<Me> {
  const [user, organizations] = await Promise.all([
    getUser(database(), caller.userId),
    listOwnMemberships(caller.userId),
  ]);
  return { user, organizations };
}
