'use client';

import { Pause, Play } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { StatusDot } from '@/components/ui/status-dot';
import { Tooltip } from '@/components/ui/tooltip';
import { describeMark, type MarkFacts } from './describe-mark';

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
