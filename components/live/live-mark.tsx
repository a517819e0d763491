'use client';

import { Pause, Play } from 'lucide-react';
import type { Tone } from '@/components/ui/badge';
import { StatusDot } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Tooltip } from '@/components/ui/tooltip';
import type { StreamState } from './project-stream';
import type { HoldReason } from './use-hold';

export interface LiveStatus extends MarkFacts {
  pause: () => void;
  resume: () => void;
}

/**
 * Says whether a list is live, and pauses and resumes it. Its text changes, so it is the first of the actions at the right
 * of a header, and on narrow screens in the corner of the header, which is `relative`: there it moves nothing.
 */
export function LiveMark({ status, className }: { status: LiveStatus; className?: string }) {
  const { label, tone, explanation, announcement } = describeMark(status);
  const [action, Icon] = status.isPaused ? ['Resume updates', Play] : ['Pause updates', Pause];
  return (
    <>
      <Tooltip content={explanation}>
        <Button
          variant="ghost"
          size="sm"
          className={cn('text-muted tabular-nums max-sm:absolute max-sm:top-0 max-sm:right-0 max-sm:px-0', className)}
          aria-label={`${label}. ${action}`}
          onClick={status.isPaused ? status.resume : status.pause}
        >
          <StatusDot tone={tone} />
          {label}
          <Icon aria-hidden="true" />
        </Button>
      </Tooltip>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </>
  );
}

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
  pointer: 'New rows wait while the pointer moves over the list.',
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
