import { config } from './config/config';
import { AppError } from './errors';

/** The wording of a limit. */
interface Wording {
  /** Who has them, with the verb. */
  has: string;
  /** What they may do: `the most …`. */
  may: string;
  one: string;
  many: string;
  /** The instruction that makes room for that many. */
  free: (howMany: string) => string;
  /** When deleted ones are removed; a day after their deletion if absent. */
  removed?: string;
}

const PROJECT = { has: 'This project has', may: 'it may have' };
const ORGANIZATION = { has: 'This organization has', may: 'it may have' };
const byDeleting = (howMany: string) => `Delete ${howMany}`;
const removed = 'Workers remove them within minutes.';

/** The limits of a tenant (docs/specification.md#limits), by variable. */
const LIMITS = {
  USER_MAX_ORGANIZATIONS: {
    has: 'You own',
    may: 'you may own',
    one: 'organization',
    many: 'organizations',
    free: byDeleting,
    removed,
  },
  ORGANIZATION_MAX_PROJECTS: { ...ORGANIZATION, one: 'project', many: 'projects', free: byDeleting, removed },
  ORGANIZATION_MAX_MEMBERS: {
    ...ORGANIZATION,
    one: 'member',
    many: 'members and pending invitations',
    free: (howMany) => `Remove or revoke ${howMany}`,
  },
  PROJECT_MAX_CUSTOMERS: { ...PROJECT, one: 'customer', many: 'customers', free: byDeleting },
  CUSTOMER_MAX_ENDPOINTS: {
    has: 'This customer has',
    may: 'it may have',
    one: 'endpoint',
    many: 'endpoints',
    free: byDeleting,
  },
  PROJECT_MAX_ENDPOINTS: { ...PROJECT, one: 'endpoint', many: 'endpoints', free: byDeleting },
  PROJECT_MAX_EVENT_TYPES: { ...PROJECT, one: 'event type', many: 'event types', free: byDeleting },
  PROJECT_MAX_SUBSCRIPTIONS: { ...PROJECT, one: 'subscription', many: 'subscriptions', free: byDeleting },
  PROJECT_MAX_SOURCES: { ...PROJECT, one: 'source', many: 'sources', free: byDeleting },
  PROJECT_MAX_DESTINATIONS: { ...PROJECT, one: 'destination', many: 'destinations', free: byDeleting },
  PROJECT_MAX_TUNNELS: { ...PROJECT, one: 'tunnel', many: 'tunnels', free: byDeleting },
  PROJECT_MAX_ALERTS: { ...PROJECT, one: 'alert', many: 'alerts', free: byDeleting },
  PROJECT_MAX_API_KEYS: {
    ...PROJECT,
    one: 'active API key',
    many: 'active API keys',
    free: (howMany) => `Revoke ${howMany}`,
  },
} satisfies Record<string, Wording>;

export type LimitVariable = keyof typeof LIMITS;

/**
 * Checks that one more may be created when there are `count`. Concurrent requests are covered only if the row of the owner
 * (project, organization or account) was locked before the count.
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

/** How many deleted rows there may be for each that the limit allows. They stay until workers remove them. */
const DELETED_PER_ALLOWED = 10;
const A_DAY_LATER = 'They are removed a day after their deletion, once nothing refers to them.';

/**
 * Checks that one more may be created, after many were deleted: lists and deliveries refer to deleted rows for a while, so creating
 * and deleting in turns would fill the database.
 * @param findBeyond whether there are more deleted rows than so many
 * @throws AppError limit_reached
 */
export async function refuseBeyondDeleted(
  variable: LimitVariable,
  findBeyond: (most: number) => Promise<unknown>,
): Promise<void> {
  const most = DELETED_PER_ALLOWED * config()[variable];
  if ((await findBeyond(most)) === null) return;
  const { has, may, many, removed: when = A_DAY_LATER }: Wording = LIMITS[variable];
  throw limitReached(
    `${has} more than ${inWords(most)} deleted ${many}, ten times the most ${may} (${variable}). ${when}`,
  );
}

/** The error for one too many. `detail` names the variable and says what to do. */
export function limitReached(detail: string): AppError {
  return new AppError('limit_reached', detail);
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}
