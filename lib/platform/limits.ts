import { config } from './config/config';
import { AppError } from './errors';

/** How a limit is put into words. */
interface Wording {
  /** Who has them, with the verb. */
  has: string;
  /** What they may do: `the most …`. */
  may: string;
  one: string;
  many: string;
  /** What frees so many places. */
  free: (howMany: string) => string;
}

const PROJECT = { has: 'This project has', may: 'it may have' };
const ORGANIZATION = { has: 'This organization has', may: 'it may have' };
const byDeleting = (howMany: string) => `Delete ${howMany}`;

/** The limits on what a tenant may have at once, by the variable that sets them. */
const LIMITS = {
  USER_MAX_ORGANIZATIONS: {
    has: 'You own',
    may: 'you may own',
    one: 'organization',
    many: 'organizations',
    free: byDeleting,
  },
  ORGANIZATION_MAX_PROJECTS: { ...ORGANIZATION, one: 'project', many: 'projects', free: byDeleting },
  ORGANIZATION_MAX_MEMBERS: {
    ...ORGANIZATION,
    one: 'member',
    many: 'members and pending invitations',
    free: (howMany) => `Remove or withdraw ${howMany}`,
  },
  PROJECT_MAX_ENDPOINTS: { ...PROJECT, one: 'endpoint', many: 'endpoints', free: byDeleting },
  PROJECT_MAX_SUBSCRIPTIONS: { ...PROJECT, one: 'subscription', many: 'subscriptions', free: byDeleting },
  PROJECT_MAX_API_KEYS: {
    ...PROJECT,
    one: 'API key that works',
    many: 'API keys that work',
    free: (howMany) => `Revoke ${howMany}`,
  },
} satisfies Record<string, Wording>;

export type LimitVariable = keyof typeof LIMITS;

/**
 * Refuses to make one more where there are `count` already. It holds against others at the same moment only if the row of
 * the owner (the project, organization or account) was locked before they were counted.
 * @throws AppError limit_reached
 */
export function refuseBeyondLimit(variable: LimitVariable, count: number): void {
  const limit = config()[variable];
  if (count < limit) return;
  const { has, may, one, many, free }: Wording = LIMITS[variable];
  const excess = count - limit + 1;
  const present = `${has} ${inWords(count)} ${count === 1 ? one : many}`;
  const allowed = excess === 1 ? `the most ${may}` : `more than the ${inWords(limit)} ${may}`;
  const remedy = free(excess === 1 ? 'one' : inWords(excess));
  throw limitReached(`${present}, ${allowed} (${variable}). ${remedy}, or ask the operator to raise the limit.`);
}

/** The refusal of what would be one too many. `detail` names the variable and what to do. */
export function limitReached(detail: string): AppError {
  return new AppError('limit_reached', detail);
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}
