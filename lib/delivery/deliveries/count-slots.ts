import { findTenant } from '@/lib/orgs/find-tenant';
import { type SlotKind, takeSlot } from '@/lib/platform/slots';

/** A count reads up to 100,000 rows, and requests of all tenants share the connections. */
const SHARE = {
  atOnce: 4,
  perOrganization: 2,
  perOwner: 2,
  noun: 'count',
  holderHas: 'This project already has',
  retryAfterSeconds: 1,
};
/** What somebody looks at, which is counted again and again. */
export const SHOWN_COUNTS: SlotKind = { name: 'shown-counts', ...SHARE };
/** What a bulk retry or a replay is about to work on. It must not fail because somebody looks at a number. */
export const STARTED_COUNTS: SlotKind = { name: 'started-counts', ...SHARE };

/**
 * Does some work while it holds a slot for counting.
 * @throws AppError rate_limited when the project has one under way, or its organization or owner two; overloaded when the process has
 *   too many
 */
export async function whileCounting<Result>(
  kind: SlotKind,
  project: { projectId: string; organizationId: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const slot = takeSlot(kind, { id: project.projectId, ...(await findTenant(project.organizationId)) });
  try {
    return await work();
  } finally {
    slot.release();
  }
}
