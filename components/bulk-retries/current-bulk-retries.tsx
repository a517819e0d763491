'use client';

import { useEffect, useRef, useState } from 'react';
import type { BulkRetry } from '@/lib/delivery/schema';
import { BulkRetryProgress } from './bulk-retry-progress';
import { useBulkRetries } from './use-bulk-retries';

const RECENT_MS = 10 * 60_000;
const CLOSED = 'eds-closed-bulk-retry';

/** The running bulk retries, and the newest one for ten minutes after its end, also after a reload, until it is closed. */
export function CurrentBulkRetries({
  projectId,
  endpointId,
  onEnded,
}: {
  projectId: string;
  /** Only those of this endpoint. */
  endpointId?: string;
  /** Called when one has ended. */
  onEnded?: () => void;
}) {
  const { bulkRetries, cancel } = useBulkRetries(projectId);
  const [closed, setClosed] = useState<string | null>(null);
  useEffect(() => setClosed(sessionStorage.getItem(CLOSED)), []);
  const close = (id: string) => {
    sessionStorage.setItem(CLOSED, id);
    setClosed(id);
  };
  const ours = (bulkRetries ?? []).filter(({ filter }) => endpointId === undefined || filter.endpointId === endpointId);
  const shown = ours.filter(
    (each, index) => each.status === 'RUNNING' || (index === 0 && each.id !== closed && isRecent(each)),
  );
  const running = shown.filter(({ status }) => status === 'RUNNING').length;
  const endedId = shown.find(({ status }) => status !== 'RUNNING')?.id;
  const latest = useRef({ onEnded, running });
  useEffect(() => {
    // Also when a page opens after the end: it may have read its rows before that.
    if (endedId !== undefined || running < latest.current.running) latest.current.onEnded?.();
    latest.current.running = running;
  }, [running, endedId]);
  latest.current.onEnded = onEnded;
  return shown.map((each) => (
    <BulkRetryProgress
      key={each.id}
      projectId={projectId}
      bulkRetry={each}
      cancel={() => cancel(each.id)}
      onClose={() => close(each.id)}
    />
  ));
}

function isRecent({ total, completedAt }: BulkRetry): boolean {
  return total > 0 && completedAt !== null && Date.now() - new Date(completedAt).getTime() < RECENT_MS;
}
