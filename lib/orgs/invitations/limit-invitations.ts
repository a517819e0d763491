import type { PersonCaller } from '@/lib/audit/caller';
import { organizationOf } from '@/lib/orgs/organization-of';
import { AppError } from '@/lib/platform/errors';
import type { Origin } from '@/lib/platform/origin';
import { consumeRateLimit, type Limit, refundRateLimits } from '@/lib/platform/rate-limit';

const DAY_SECONDS = 24 * 60 * 60;
/** Mails that one organization may have us send to strangers. */
const BY_ORGANIZATION = { name: 'invitation-organization', points: 50, windowSeconds: DAY_SECONDS };
/** The same for one person: organizations are made as one likes. */
const BY_PERSON = { name: 'invitation-person', points: 100, windowSeconds: DAY_SECONDS };
/** Mails that one mailbox may get, from whichever organization. */
const BY_ADDRESS = { name: 'invitation-address', points: 5, windowSeconds: DAY_SECONDS, isDiscreet: true } as const;

/**
 * Lets `invite` send one more mail, within 100 a day for the person, 50 for the organization and 5 for the address.
 * Counted before it is sent, so that of many at once no more than that are; what is refused, here or by `invite`, is taken
 * off again.
 *
 * @throws AppError rate_limited
 */
export async function limitInvitations<T>(caller: PersonCaller, email: string, invite: () => Promise<T>): Promise<T> {
  const byPerson = { ...BY_PERSON, key: caller.userId };
  const byOrganization = { ...BY_ORGANIZATION, key: organizationOf(caller) };
  const byAddress = { ...BY_ADDRESS, key: email };
  const { origin } = caller;
  return counted(byPerson, origin, 'You have sent as many invitations as you may in a day.', () =>
    counted(byOrganization, origin, 'This organization has sent as many invitations as it may in a day.', () =>
      counted(byAddress, origin, 'This address was invited several times in the last day.', invite),
    ),
  );
}

async function counted<T>(limit: Limit, origin: Origin, detail: string, work: () => Promise<T>): Promise<T> {
  const verdict = await consumeRateLimit(limit, origin);
  try {
    if (!verdict.allowed) {
      throw new AppError('rate_limited', detail, { retryAfterSeconds: verdict.retryAfterSeconds });
    }
    return await work();
  } catch (error) {
    await refundRateLimits([limit], origin);
    throw error;
  }
}
