import type { KeyScope } from '@/lib/keys/schema';

/** The label and description of each scope. */
export const SCOPES: Record<KeyScope, { label: string; description: string }> = {
  READ_WRITE: { label: 'Read and write', description: 'Sends and reads events. For servers that send events.' },
  READ_ONLY: { label: 'Read only', description: 'Reads events and deliveries. Sending events fails with 403.' },
};
