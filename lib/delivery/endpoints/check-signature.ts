import type { ProjectCaller } from '@/lib/audit/caller';
import { asStandardSecret, tryOpenEndpointSecret } from '@/lib/delivery/credentials';
import { isGuessableSecret } from '@/lib/delivery/endpoint-fields-policy';
import { loadMessages, sentBody } from '@/lib/delivery/engine/messages';
import { parseReceivedHeaders, readerOf } from '@/lib/delivery/received-headers-policy';
import type { SignatureCheck, VerifySignatureBody } from '@/lib/delivery/schema';
import { type CheckedSecrets, diagnoseInSteps } from '@/lib/delivery/signature-diagnosis-policy';
import type { SignatureForm } from '@/lib/delivery/signature-schemes-policy';
import { inSlices } from '@/lib/events/types/run-check';
import { inThreadTurnOfProject, maySeeSecrets } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { prisma } from '@/lib/platform/prisma/client';
import { getEndpointRow } from './endpoints';

/** Data of 256 KiB, and what a delivery puts around it. */
const MAX_BODY_BYTES = 257 * 1024;
const STANDARD: SignatureForm = { provider: 'STANDARD_WEBHOOKS', header: '', encoding: 'base64', prefix: '' };

/**
 * Says whether the receiver of an endpoint accepts a request, and if not, why. It stores nothing.
 * @throws AppError not_found; forbidden for a secret that can be guessed; payload_too_large; rate_limited when too much of the owner waits
 */
export async function checkEndpointSignature(
  caller: ProjectCaller,
  path: { projectId: string; endpointId: string },
  given: VerifySignatureBody,
  now: Date,
): Promise<SignatureCheck> {
  const { projectId, endpointId } = path;
  const body = bodyOf(given, MAX_BODY_BYTES);
  const row = await getEndpointRow(prisma(), path);
  const { secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt: endsAt } = row;
  const current = secretEncrypted && tryOpenEndpointSecret(secretEncrypted, endpointId);
  if (!current) throw notFound('endpoint');
  const previous = previousSecretEncrypted && tryOpenEndpointSecret(previousSecretEncrypted, endpointId);
  const seesSecrets = maySeeSecrets(caller);
  if (!seesSecrets && [current, previous].some((each) => each && isGuessableSecret(each))) {
    throw new AppError(
      'forbidden',
      'Somebody chose the secret of this endpoint, and trying could find it. Only those who may read it can check requests.',
    );
  }
  const headers = await inThreadTurnOfProject(caller, projectId, () => parseReceivedHeaders(given.headers));
  const others = await listOtherSecrets(path, { bytes: body.length, seesSecrets });
  const sent = await findSentBody(projectId, headers, row.bodyFormat === 'DATA');
  const secrets: CheckedSecrets = {
    current: asStandardSecret(current),
    previous: previous && endsAt ? { secret: asStandardSecret(previous), endsAt, isValid: endsAt > now } : null,
    others,
  };
  const request = { headers, body, at: receivedAt(given, now), sent };
  return inSlices(
    (work) => inThreadTurnOfProject(caller, projectId, work),
    () => diagnoseInSteps(STANDARD, request, secrets),
  );
}

/** Returns the time that a timestamp is compared with. */
export function receivedAt({ receivedAt: at }: VerifySignatureBody, now: Date): Date {
  return at === undefined ? now : new Date(at);
}

/** Returns the body of a request, byte for byte. @throws AppError payload_too_large */
export function bodyOf({ body = '', bodyBase64 }: VerifySignatureBody, maxBytes: number): Buffer {
  const bytes = bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
  if (bytes.length <= maxBytes) return bytes;
  throw new AppError('payload_too_large', `The body may have at most ${maxBytes / 1024} KiB.`);
}

/** Hashing with each secret takes a millisecond for each MiB or two. */
const MAX_HASHED_BYTES = 8 * 1024 * 1024;
const MAX_OTHERS = 100;

/**
 * Reads the secrets of the newest other endpoints of a project: fewer for a large body.
 * @param seesSecrets false leaves out those that can be guessed
 */
async function listOtherSecrets(
  { projectId, endpointId }: { projectId: string; endpointId: string },
  { bytes, seesSecrets }: { bytes: number; seesSecrets: boolean },
): Promise<{ name: string; secret: string }[]> {
  const rows = await prisma().endpoint.findMany({
    where: { projectId, deletedAt: null, id: { not: endpointId } },
    select: { id: true, url: true, secretEncrypted: true },
    orderBy: { id: 'desc' },
    take: Math.min(MAX_OTHERS, Math.max(1, Math.floor(MAX_HASHED_BYTES / Math.max(1, bytes)))),
  });
  return rows.flatMap(({ id, url, secretEncrypted }) => {
    const secret = secretEncrypted && tryOpenEndpointSecret(secretEncrypted, id);
    if (!secret || (!seesSecrets && isGuessableSecret(secret))) return [];
    return [{ name: `the endpoint ${url} (${id})`, secret: asStandardSecret(secret) }];
  });
}

/** Returns the body of the event that the headers name, if the project has it. */
async function findSentBody(projectId: string, headers: HeaderPairs, sendsData: boolean): Promise<Buffer | null> {
  const eventId = readerOf(headers)('webhook-id')?.trim().toLowerCase() ?? '';
  if (!isId(eventId)) return null;
  const event = await prisma().event.findFirst({ where: { id: eventId, projectId }, select: { id: true } });
  if (event === null) return null;
  const messages = await loadMessages(database(), [{ eventId, incomingEventId: null }]);
  const message = messages.get(eventId);
  return message === undefined ? null : sentBody(message, sendsData);
}
