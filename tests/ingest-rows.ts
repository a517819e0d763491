import type { IngestOutcome, IngestRow } from '@/lib/events/ingest-sql';
import { newId } from '@/lib/platform/ids';

/** An event on its way in, of a key that nobody knows. */
export const ingestRow = (payload = '{}'): IngestRow => ({
  keyHash: Buffer.alloc(32),
  projectId: null,
  id: newId(),
  type: 'a',
  payload,
  idempotencyKey: null,
  bodyHash: null,
  createdAt: new Date(),
});

/** What the statement says of an event that it has stored. */
export const STORED: IngestOutcome = {
  keyId: 'k',
  keyProjectId: 'p',
  keyState: 'active',
  keyScope: 'READ_WRITE',
  stored: true,
};
