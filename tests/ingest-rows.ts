import type { IngestOutcome, IngestRow } from '@/lib/events/ingest-sql';
import { newId } from '@/lib/platform/ids';

/** Returns an event to ingest with an unknown API key. */
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

/** The outcome of a stored event. */
export const STORED: IngestOutcome = {
  keyId: 'k',
  keyProjectId: 'p',
  keyState: 'active',
  keyScope: 'READ_WRITE',
  stored: true,
};
