import { SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { declareCounter } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { storageRoom } from '@/lib/platform/storage-room';
import { ROW_BYTES } from './orgs-sql';
import { currentOf, hasStored, STORED_RETRY_SECONDS, sumWhenDue } from './stored-bytes';
import { knownOwnerOfProject } from './tenant';

const STORAGE_RETRY_SECONDS = 30;
/** Keys that this process has not seen share one owner, so invented keys gain no share. */
const UNKNOWN = 'unknown';

/**
 * Counts bytes that are about to be stored for a project, by the owner of its organization, and returns the owner. Without waiting:
 * a process that does not know the owner yet lets the first requests pass, and counts for the project.
 *
 * @param projectId null while it is unknown: then only storage is asked
 * @param bytes 0 to ask only whether any may be stored
 * @throws AppError rate_limited beyond OWNER_MAX_INTAKE_BYTES_PER_MINUTE or OWNER_MAX_STORED_BYTES; unavailable while storage
 *   is nearly full
 */
export function admitIntake(projectId: string | null, bytes: number): string {
  if (storageRoom().isNearlyFull) throw refused('storage_nearly_full', 'unavailable', STORAGE_RETRY_SECONDS);
  if (projectId === null) return UNKNOWN;
  const ownerId = knownOwnerOfProject(projectId) ?? projectId;
  const now = performance.now();
  const owner = currentOf(ownerId, now);
  const { OWNER_MAX_INTAKE_BYTES_PER_MINUTE: perMinute, OWNER_MAX_STORED_BYTES: maxStored } = config();
  if (perMinute > 0 && owner.bytes >= perMinute) {
    throw refused('owner_bytes_per_minute', 'rate_limited', Math.max(1, Math.ceil((owner.endsAt - now) / SECOND_MS)));
  }
  if (maxStored > 0) {
    sumWhenDue(ownerId, owner);
    if (hasStored(owner, maxStored)) throw refused('owner_stored_bytes', 'rate_limited', STORED_RETRY_SECONDS);
  }
  if (bytes === 0) return ownerId;
  owner.bytes += bytes;
  owner.since += bytes + ROW_BYTES;
  storageRoom().take(bytes);
  return ownerId;
}

const REFUSALS = {
  owner_bytes_per_minute: 'Too many bytes are being sent to this account. Send this again later.',
  owner_stored_bytes: 'This account has stored as much as it may. Delete projects, or wait until older events expire.',
  storage_nearly_full: 'Storage is nearly full. Send this again later.',
};

function refused(
  reason: keyof typeof REFUSALS,
  code: 'rate_limited' | 'unavailable',
  retryAfterSeconds: number,
): AppError {
  refusals().inc({ reason });
  return new AppError(code, REFUSALS[reason], { retryAfterSeconds });
}

const refusals = declareCounter({
  name: 'intake_refused_total',
  help: 'Events and requests to sources that this process refused: bytes of an owner, or storage is nearly full',
  labelNames: ['reason'],
});

/** Shows each reason from the start. */
export const INTAKE_REFUSALS: Collector = {
  name: 'intake',
  async collect() {
    for (const reason of Object.keys(REFUSALS)) refusals().inc({ reason }, 0);
  },
};
