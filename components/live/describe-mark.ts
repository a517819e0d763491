import type { Tone } from '@/components/ui/badge';
import type { StreamState } from './types';
import type { HoldReason } from './use-hold';

/** What the mark of a list depends on. */
export interface MarkFacts {
  stream: StreamState;
  /** Whether the last request of the list got no usable response. */
  hasFailed: boolean;
  /** Whether the person paused it. */
  isPaused: boolean;
  /** Why new rows wait, if they do; `pages` when more than the first page is shown. */
  hold: HoldReason | 'pages' | null;
  pollMs: number;
}

interface Mark {
  label: string;
  tone: Tone;
  explanation: string;
  /** For screen readers: what the person should know without asking. Empty while they point at something. */
  announcement: string;
}

const WAITING = {
  pointer: 'New rows wait while the pointer is over the list.',
  focus: 'New rows wait while the focus is in the list.',
  selection: 'New rows wait while something in the list is selected.',
  scroll: 'New rows wait until you scroll to the top.',
  pages: 'New rows wait while more than the first page is shown.',
};

/** Describes the state of a list: live, paused, offline, or read at intervals. */
export function describeMark({ stream, hasFailed, isPaused, hold, pollMs }: MarkFacts): Mark {
  if (stream === 'offline' || hasFailed) {
    const explanation = 'The server cannot be reached. The list is not up to date.';
    return { label: 'Offline', tone: 'danger', explanation, announcement: explanation };
  }
  if (isPaused) {
    const explanation = 'You paused updates. New rows wait.';
    return { label: 'Paused', tone: 'neutral', explanation, announcement: 'Updates paused.' };
  }
  if (hold !== null && hold !== 'touch') {
    return { label: 'Paused', tone: 'neutral', explanation: WAITING[hold], announcement: '' };
  }
  if (stream === 'polling') {
    const every = `${Math.round(pollMs / 1000)} s`;
    const explanation = `The list is read every ${every}, because the live connection is not available.`;
    return { label: `Every ${every}`, tone: 'warning', explanation, announcement: '' };
  }
  return { label: 'Live', tone: 'success', explanation: 'New rows appear as they arrive.', announcement: '' };
}
