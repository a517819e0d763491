import { authenticatePerson } from '@/lib/auth/authenticate-person';
import type { ApiRequest } from '@/lib/http/request';
import { authenticateKey, readOnlyKey } from '@/lib/keys/authenticate-key';
import { type Action, lowestRole, may } from '@/lib/orgs/permissions-policy';
import { systemClock } from '@/lib/platform/clock';
import { AppError, notFound } from '@/lib/platform/errors';
import { readCredentials } from './callers';

/** What a long-lived connection needs. */
interface NeededAccess {
  projectId: string;
  action: Action;
  /** The access that a key must have. */
  access: 'read' | 'write';
}

/**
 * Returns a function that checks again whether an admitted caller still has access. It accepts an access token that has
 * expired since: a connection ends with the session, the membership, the role or the key, not with the token.
 */
export function accessChecker(request: ApiRequest, { projectId, action, access }: NeededAccess): () => Promise<void> {
  const { bearer, key } = readCredentials(request);
  const connectedAt = systemClock();
  const client = { ipAddress: request.client.ipAddress, userAgent: request.client.userAgent };
  if (key !== null) {
    return async () => {
      const caller = await authenticateKey(key, client);
      if (caller.projectId !== projectId) throw notFound('project');
      if (access === 'write' && caller.scope === 'READ_ONLY') throw readOnlyKey();
    };
  }
  return async () => {
    const { role } = await authenticatePerson(bearer ?? '', { projectId }, client, () => connectedAt);
    if (role === null || !may(role, action)) {
      throw new AppError('forbidden', `This needs the role ${lowestRole(action)} or higher.`);
    }
  };
}
