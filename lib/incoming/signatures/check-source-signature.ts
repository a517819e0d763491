import type { ProjectCaller } from '@/lib/audit/caller';
import { bodyOf, receivedAt } from '@/lib/delivery/endpoints/check-signature';
import { readLargeBody } from '@/lib/delivery/engine/large-bodies';
import { parseReceivedHeaders, readerOf } from '@/lib/delivery/received-headers-policy';
import type { SignatureCheck, VerifySignatureBody } from '@/lib/delivery/schema';
import {
  type CheckedRequest,
  type CheckedSecrets,
  diagnoseInSteps,
  diagnoseSignature,
} from '@/lib/delivery/signature-diagnosis-policy';
import { wordsForSource } from '@/lib/delivery/signature-words-policy';
import { inSlices } from '@/lib/events/types/run-check';
import { findFirstRequest } from '@/lib/incoming/ingress/ingress-sql';
import { formOfSource } from '@/lib/incoming/sources/signature-fields';
import { openSourceSecret, tryOpenSourceSecret } from '@/lib/incoming/sources/source-secret';
import { getSourceRow, type SourcePath, sourceUrl } from '@/lib/incoming/sources/sources';
import { inThreadTurnOfProject } from '@/lib/orgs/tenant';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { withHmacsOfLarge } from '@/lib/platform/hmac-in-pieces';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { type HeaderPairs, parseHeaderPairs } from '@/lib/platform/net/header-pairs';
import { prisma } from '@/lib/platform/prisma/client';
import type { Source } from '@/lib/platform/prisma/generated/client';
import { providerEventIdOf } from './verify-signature';

/**
 * Says whether a source accepts a request, and if not, why. It stores nothing.
 * @throws AppError not_found; conflict when the source checks no signatures; payload_too_large; rate_limited when too much of
 *   the owner waits
 */
export async function checkSourceSignature(
  caller: ProjectCaller,
  path: SourcePath,
  given: VerifySignatureBody,
  now: Date,
): Promise<SignatureCheck> {
  const body = bodyOf(given, LARGE_BODY_BYTES);
  const row = await getSourceRow(prisma(), path);
  const headers = await inThreadTurnOfProject(caller, path.projectId, () => parseReceivedHeaders(given.headers));
  const sent = await findReceivedBody(caller, row, headers, body);
  const request = { headers, body, at: receivedAt(given, now), sent, url: sourceUrl(row) ?? '' };
  return diagnose(caller, row, request, { isKnown: given.receivedAt !== undefined, wasRefused: false }, now);
}

/**
 * Says why an incoming event did not verify, or that it does with the secrets of now: its raw body and headers are checked as when
 * they were received. It changes nothing of what was recorded.
 * @throws AppError not_found, also when its source is deleted; conflict when the source checks no signatures; rate_limited when
 *   too much of the owner waits
 */
export async function checkIncomingEventSignature(
  caller: ProjectCaller,
  { projectId, incomingEventId }: { projectId: string; incomingEventId: string },
  now: Date,
): Promise<SignatureCheck> {
  const row = await prisma().incomingEvent.findFirst({
    where: { id: incomingEventId, projectId },
    select: { headers: true, size: true, createdAt: true, query: true, verified: true, source: true },
  });
  if (row === null) throw notFound('incoming event');
  if (row.source.deletedAt !== null) throw notFound('source');
  const headers = parseHeaderPairs(row.headers) ?? [];
  const { source, query, createdAt, verified } = row;
  const url = `${sourceUrl(source) ?? ''}${query === null ? '' : `?${query}`}`;
  const arrival = { isKnown: true, wasRefused: verified === false };
  const read = () => readLargeBody(incomingEventId, row.size);
  const check = (body: Buffer) => diagnose(caller, source, { headers, body, at: createdAt, url }, arrival, now);
  // The body is in memory while its owner waits for the thread.
  return readHeavily(async () => check(await read()), row.size > LARGE_BODY_BYTES ? 'large' : 'trial');
}

async function diagnose(
  caller: ProjectCaller,
  source: Source,
  request: CheckedRequest,
  arrival: { isKnown: boolean; wasRefused: boolean },
  now: Date,
): Promise<SignatureCheck> {
  const { provider, projectId } = source;
  if (provider === 'NONE') throw new AppError('conflict', 'This source checks no signatures.');
  const form = formOfSource(source, provider);
  const secrets = secretsOf(source, now);
  const words = wordsForSource(provider, arrival);
  if (request.body.length > LARGE_BODY_BYTES) {
    return withHmacsOfLarge(projectId, (hmac) => diagnoseSignature(form, { ...request, hmac }, secrets, words));
  }
  return inSlices(
    (work) => inThreadTurnOfProject(caller, projectId, work),
    () => diagnoseInSteps(form, request, secrets, words),
  );
}

function secretsOf(
  { id, secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt: endsAt }: Source,
  now: Date,
): CheckedSecrets {
  const previous = previousSecretEncrypted && tryOpenSourceSecret(previousSecretEncrypted, id);
  return {
    current: secretEncrypted && openSourceSecret(secretEncrypted, id),
    previous: previous && endsAt ? { secret: previous, endsAt, isValid: endsAt > now } : null,
  };
}

/** Returns the body that the source has received and verified for the same event of the provider. */
async function findReceivedBody(
  caller: ProjectCaller,
  source: Source,
  headers: HeaderPairs,
  body: Buffer,
): Promise<Buffer | null> {
  const { provider, projectId, idHeader } = source;
  const request = { header: readerOf(headers), body, url: () => '' };
  const readId = () => providerEventIdOf(provider, request, idHeader ?? '');
  const id = await inThreadTurnOfProject(caller, projectId, readId);
  if (id === null) return null;
  const found = await findFirstRequest.first(database(), { source: source.id, providerEventId: id });
  return found === undefined || found.size > LARGE_BODY_BYTES ? null : readLargeBody(found.id, found.size);
}
