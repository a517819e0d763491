import type { PersonCaller } from '@/lib/audit/caller';
import { organizationOf } from '@/lib/orgs/organization-of';
import type { ClientInfo } from '@/lib/platform/client-info';
import { AppError } from '@/lib/platform/errors';
import { consumeRateLimit, type Limit, refundRateLimits } from '@/lib/platform/rate-limit';

const DAY_SECONDS = 24 * 60 * 60;
/** Limits the mails to strangers that one organization can cause. */
const BY_ORGANIZATION = { name: 'invitation-organization', points: 50, windowSeconds: DAY_SECONDS };
/** Limits one person too: they can create more organizations. */
const BY_PERSON = { name: 'invitation-person', points: 100, windowSeconds: DAY_SECONDS };
/** Limits the mails that one mailbox gets from all organizations. */
const BY_ADDRESS = { name: 'invitation-address', points: 5, windowSeconds: DAY_SECONDS, isDiscreet: true } as const;

/**
 * Runs `invite` within the limits per day: 100 for the person, 50 for the organization, 5 for the address. Each
 * attempt is counted before it runs, so parallel attempts cannot pass the limit; a refused one is refunded.
 *
 * @throws AppError rate_limited
 */
export async function limitInvitations<T>(caller: PersonCaller, email: string, invite: () => Promise<T>): Promise<T> {
  const byPerson = { ...BY_PERSON, key: caller.userId };
  const byOrganization = { ...BY_ORGANIZATION, key: organizationOf(caller) };
  const byAddress = { ...BY_ADDRESS, key: email };
  const { client } = caller;
  return counted(byPerson, client, 'You’ve reached your daily invitation limit. Try again tomorrow.', () =>
    counted(
      byOrganization,
      client,
      'This organization has reached its daily invitation limit. Try again tomorrow.',
      () =>
        counted(byAddress, client, 'This address has been invited too many times today. Try again tomorrow.', invite),
    ),
  );
}

async function counted<T>(limit: Limit, client: ClientInfo, detail: string, work: () => Promise<T>): Promise<T> {
  const verdict = await consumeRateLimit(limit, client);
  try {
    if (!verdict.allowed) {
      throw new AppError('rate_limited', detail, { retryAfterSeconds: verdict.retryAfterSeconds });
    }
    return await work();
  } catch (error) {
    await refundRateLimits([limit], client);
    throw error;
  }
}
