'use client';

import { Ban, CircleCheck, CircleX, type LucideIcon, RotateCw, TriangleAlert } from 'lucide-react';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { useSourceNames } from '@/components/sources/use-sources';
import { Badge, type Tone } from '@/components/ui/badge';
import { Progress } from '@/components/ui/job-card';
import type { Job } from '@/lib/jobs/schema';
import { describeDone, percentOfJob } from './describe-job';

const STATES: Record<Job['status'], { tone: Tone; icon: LucideIcon; word: string }> = {
  RUNNING: { tone: 'accent', icon: RotateCw, word: 'Running' },
  COMPLETED: { tone: 'success', icon: CircleCheck, word: 'Completed' },
  CANCELED: { tone: 'neutral', icon: Ban, word: 'Canceled' },
  FAILED: { tone: 'danger', icon: CircleX, word: 'Failed' },
};

const FAILING = { tone: 'warning', icon: TriangleAlert, word: 'Failing' } as const;

/** Whether a job runs and its tries fail, or how it has ended. */
export function JobState({ job: { status, failedTries } }: { job: Job }) {
  const { word, ...look } = status === 'RUNNING' && failedTries > 0 ? FAILING : STATES[status];
  return <Badge {...look}>{word}</Badge>;
}

/** How far a job is, as a bar and in numbers. */
export function JobProgress({ job }: { job: Job }) {
  return (
    <span className="grid w-full min-w-40 gap-1">
      <span className="text-sm tabular-nums">{describeDone(job)}</span>
      <Progress label="Progress" percent={percentOfJob(job)} tone={job.status === 'FAILED' ? 'danger' : 'accent'} />
    </span>
  );
}

/** What a job sends to, or what it comes from: the URL of an endpoint, or the name of a source. */
export function JobTarget({ job }: { job: Job }) {
  const endpoints = useEndpointNames();
  const sources = useSourceNames();
  const { bulkRetry, eventReplay, incomingEventReplay } = job;
  if (incomingEventReplay !== null) return sources.find(incomingEventReplay.sourceId)?.name ?? 'A deleted source';
  const endpointId = eventReplay?.endpointId ?? bulkRetry?.filter.endpointId;
  if (endpointId !== undefined && endpointId !== null) {
    const url = endpoints.find(endpointId)?.url;
    // A project may have more endpoints than were loaded.
    return <span className="font-mono text-xs">{url ?? endpointId}</span>;
  }
  const customer = eventReplay?.customerId ?? bulkRetry?.filter.customer;
  if (customer !== undefined && customer !== null) return 'Endpoints of one customer';
  if (eventReplay !== null) return 'All endpoints';
  return bulkRetry?.filter.status === undefined ? 'Chosen deliveries' : 'Matching deliveries';
}
