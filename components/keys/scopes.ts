import type { KeyScope } from '@/lib/keys/schema';

/** What each scope allows, in the words shown beside it (spec 5.4.3). */
export const SCOPES: Record<KeyScope, { label: string; description: string }> = {
  READ_WRITE: { label: 'Read and write', description: 'Sends events and reads. What a server that sends needs.' },
  READ_ONLY: { label: 'Read only', description: 'Reads events and deliveries. Sending an event is refused with 403.' },
};
