import type { ChangeKind } from '@/lib/changes/types';

/**
 * `connecting` until the first answer, `live` while hints arrive, `polling` while the stream cannot be had, `offline` while
 * the browser has no network.
 */
export type StreamState = 'connecting' | 'live' | 'polling' | 'offline';

/** What a list watches. */
export interface LiveSource {
  /** The project whose stream tells of changes; without one the list is polled. */
  projectId?: string;
  /** The rows that the list shows something of. */
  kinds?: readonly ChangeKind[];
  /** The time between two requests while there is no stream. */
  pollMs: number;
}
