import { accepted } from '@/lib/http/api-response';
import type { CallerPolicy } from '@/lib/http/caller-policy';
import { route } from '@/lib/http/route';
import { refuseLate, strangerBudget } from '@/lib/http/stranger-budget';
import { cachedIngressSource, findIngressSource, type IngressSource } from '@/lib/incoming/ingress/find-ingress-source';
import { keptQuery } from '@/lib/incoming/ingress/kept-request';
import { limitSource, receiveRequest } from '@/lib/incoming/ingress/receive-request';
import { IncomingEventReceipt } from '@/lib/incoming/schema';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { systemClock } from '@/lib/platform/clock';
import { isAppError } from '@/lib/platform/errors';
import { noteOwner } from '@/lib/platform/known-owners';
import { clientSite } from '@/lib/platform/net/client-network';

const BODY_LIMIT_BYTES = 512 * 1024;
const CHALLENGE = { status: 200, contentType: 'text/plain' };

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
  rawBodyBytes: BODY_LIMIT_BYTES,
  errors: ['invalid_signature', 'rate_limited', 'conflict'],
  response: { status: 202, schema: IncomingEventReceipt, alternative: CHALLENGE },
  servedBy: 'node',
  handler: async ({ caller, params, bodyBytes, request }) => {
    const { header, listHeaders, client } = request;
    const received = await receiveRequest(
      caller,
      {
        token: params.token,
        query: keptQuery(request.rawQuery),
        body: bodyBytes,
        header,
        headers: listHeaders(),
        client,
      },
      systemClock(),
    );
    if ('receipt' in received) return accepted(received.receipt);
    return { status: CHALLENGE.status, raw: { contentType: CHALLENGE.contentType, content: received.challenge } };
  },
});
