'use client';

import { Pause, Play } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { StatusDot } from '@/components/ui/status-dot';
import { Tooltip } from '@/components/ui/tooltip';
import { describeMark, type MarkFacts } from './describe-mark';

export interface LiveStatus extends MarkFacts {
  pause: () => void;
  resume: () => void;
}

/** Says whether a list is live, and pauses and resumes it. */
export function LiveMark({ status }: { status: LiveStatus }) {
  const { label, tone, explanation, announcement } = describeMark(status);
  const [action, Icon] = status.isPaused ? ['Resume updates', Play] : ['Pause updates', Pause];
  return (
    <>
      <Tooltip content={explanation}>
        <Button
          variant="ghost"
          size="sm"
          className="min-w-28 text-muted max-sm:justify-start max-sm:px-0 tabular-nums"
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
