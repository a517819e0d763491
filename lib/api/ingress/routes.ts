import type { ApiResponse } from '@/lib/http/api-response';
import type { CallerPolicy } from '@/lib/http/caller-policy';
import { route } from '@/lib/http/route';
import { refuseLate, strangerBudget } from '@/lib/http/stranger-budget';
import {
  cachedIngressSource,
  findIngressSource,
  type IngressSource,
  refreshIngressSource,
} from '@/lib/incoming/ingress/find-ingress-source';
import { keptQuery } from '@/lib/incoming/ingress/kept-request';
import { countRequest, limitSource, receiveRequest } from '@/lib/incoming/ingress/receive-request';
import { IncomingEventReceipt, type SourceProvider } from '@/lib/incoming/schema';
import { type Challenge, metaChallengeOf } from '@/lib/incoming/signatures/challenge';
import { urlOfToken } from '@/lib/incoming/sources/sources';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { systemClock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { AppError, isAppError } from '@/lib/platform/errors';
import { noteOwner } from '@/lib/platform/known-owners';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { clientSite } from '@/lib/platform/net/client-network';

/** These have their signature or token in the body, or sign it in one piece. Their requests are small. */
const SMALL_PROVIDERS: ReadonlySet<SourceProvider> = new Set(['MICROSOFT_GRAPH', 'DISCORD']);
/** Challenges of providers, and receipts for those that take nothing but 200 or 204 for a success. */
const ALTERNATIVES = [
  { status: 200, contentType: 'text/plain' },
  { status: 200, contentType: 'application/json' },
  { status: 204 },
] as const;
/** Paddle and Meta ask for 200, Discord for 204 (docs/specification.md#incoming-events). */
const RECEIPT_STATUS: Partial<Record<SourceProvider, number>> = { PADDLE: 200, META: 200, DISCORD: 204 };

/** Finds the source of the URL. The body is read only once the source is found and within its limit. */
const sourceOfUrl: CallerPolicy<IngressSource> = {
  kind: 'anyone',
  authenticate: async ({ params, client }) => {
    const token = params.token ?? '';
    const source = cachedIngressSource(token) ?? (await findUncached(token, clientSite(client.ipAddress ?? '')));
    client.projectId = source.projectId;
    limitSource(source.id);
    // Before the body is read.
    client.ownerId = admitIntake(source.projectId, 0);
    noteOwner(token, client.ownerId);
    return source;
  },
};

/** A URL without a source costs the network of its client a part of its budget, whether somebody guesses or the source is gone. */
async function findUncached(token: string, network: string): Promise<IngressSource> {
  await refuseLate(() => strangerBudget().refuseWhenSpent(network));
  try {
    return await findIngressSource(token);
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') strangerBudget().count(network);
    throw error;
  }
}

export const receive = route({
  summary: "Receive a provider's request to a source.",
  caller: sourceOfUrl,
  params: ['token'],
  rawBodyBytes: LARGE_BODY_BYTES,
  largerBody: {
    variable: 'SOURCE_MAX_BODY_BYTES',
    bytesFor: ({ provider }) => (SMALL_PROVIDERS.has(provider) ? LARGE_BODY_BYTES : config().SOURCE_MAX_BODY_BYTES),
  },
  errors: ['invalid_signature', 'rate_limited', 'conflict'],
  response: { status: 202, schema: IncomingEventReceipt, alternatives: ALTERNATIVES },
  servedBy: 'node',
  handler: async ({ caller, params, bodyBytes, request }) => {
    const { header, listHeaders, client } = request;
    const query = keptQuery(request.rawQuery);
    const received = await receiveRequest(
      caller,
      {
        token: params.token,
        query,
        url: () => urlOfToken(params.token, query),
        body: bodyBytes,
        header,
        headers: listHeaders(),
        client,
      },
      systemClock(),
    );
    return 'receipt' in received ? acknowledge(caller.provider, received.receipt) : answer(received.challenge);
  },
});

function acknowledge(provider: SourceProvider, receipt: IncomingEventReceipt): ApiResponse<IncomingEventReceipt> {
  const status = RECEIPT_STATUS[provider] ?? 202;
  return status === 204 ? { status } : { status, body: receipt };
}

/** No browser renders it: every response forbids to guess another type. */
function answer({ status, contentType, content }: Challenge): ApiResponse<never> {
  return status === 204 ? { status } : { status, raw: { contentType, content } };
}

/** Finds a source whose provider verifies its URL with a GET. Every other URL refuses the verb. */
const verifiedSource: CallerPolicy<IngressSource> = {
  kind: 'anyone',
  authenticate: async (request) => {
    try {
      const source = await sourceOfUrl.authenticate(request);
      // The source that is cached may have been deleted.
      if (source.provider === 'META') return await refreshIngressSource(source, request.params.token ?? '');
    } catch (error) {
      if (!isAppError(error) || error.code !== 'not_found') throw error;
    }
    const headers = { Allow: 'POST, OPTIONS' };
    throw new AppError('method_not_allowed', `This path supports ${headers.Allow}.`, { headers });
  },
};

export const verifyUrl = route({
  summary: 'Verify the URL of a source, as Meta does.',
  caller: verifiedSource,
  params: ['token'],
  rawBodyBytes: 0,
  errors: ['invalid_signature', 'rate_limited', 'method_not_allowed'],
  response: { status: 200, contentType: 'text/plain' },
  servedBy: 'node',
  handler: async ({ caller, request }) => {
    // A raw route has no parsed query.
    const query = new URLSearchParams(keptQuery(request.rawQuery) ?? '');
    const challenge = metaChallengeOf(query, caller.id);
    countRequest(challenge === null ? 'unverified_dropped' : 'challenged');
    if (challenge !== null) return answer(challenge);
    throw new AppError('invalid_signature', 'The verify token is not the ID of this source, or there is no challenge.');
  },
});
