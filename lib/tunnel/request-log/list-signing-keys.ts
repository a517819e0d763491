import { signingKey, tryOpenEndpointSecret } from '@/lib/delivery/endpoint-secret';
import { prisma } from '@/lib/platform/prisma/client';

/** More endpoints with the URL of one tunnel are unusual. */
const MAX_ENDPOINTS = 20;

/**
 * Returns the signing keys, present and previous, of the endpoints of a project that deliver to a tunnel.
 * @param url the public URL of the tunnel, with a slash at its end
 */
export async function listSigningKeys(projectId: string, url: string, at: Date): Promise<Buffer[]> {
  const rows = await prisma().endpoint.findMany({
    where: { projectId, deletedAt: null, url: { startsWith: url.replace(/\/$/, '') } },
    select: { id: true, secretEncrypted: true, previousSecretEncrypted: true, previousSecretExpiresAt: true },
    orderBy: { id: 'desc' },
    take: MAX_ENDPOINTS,
  });
  return rows.flatMap(({ id, secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt }) => {
    const isPreviousValid = previousSecretExpiresAt !== null && previousSecretExpiresAt > at;
    const sealed = [secretEncrypted, isPreviousValid ? previousSecretEncrypted : null];
    return sealed.flatMap((each) => {
      const secret = each === null ? null : tryOpenEndpointSecret(each, id);
      return secret === null ? [] : [signingKey(secret)];
    });
  });
}
