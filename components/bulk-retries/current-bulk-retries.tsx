'use client';

import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '@/components/ui/stored';
import type { BulkRetry } from '@/lib/delivery/schema';
import { useBulkRetries } from './use-bulk-retries';

const BulkRetryProgress = dynamic(() => import('./bulk-retry-progress').then((part) => part.BulkRetryProgress), {
  loading: () => null,
});

const RECENT_MS = 10 * 60_000;
/** What a bulk retry has made due is sent soon after its end. */
const SETTLING_MS = 2_000;
const CLOSED = 'eds-closed-bulk-retry';

/** The running bulk retries, and the newest one for ten minutes after its end, also after a reload, until it is closed. */
export function CurrentBulkRetries({
  isShown = () => true,
  onEnded,
}: {
  /** Whether those with a filter are shown; by default all are. */
  isShown?: (filter: BulkRetry['filter']) => boolean;
  /** Called when one has ended, and again when most of its deliveries have been sent. */
  onEnded?: () => void;
}) {
  const { bulkRetries, cancel } = useBulkRetries();
  const [closed, setClosed] = useState<string | null>(null);
  useEffect(() => setClosed(readStored(CLOSED, 'sessionStorage')), []);
  const close = (id: string) => {
    writeStored(CLOSED, id, 'sessionStorage');
    setClosed(id);
  };
  const ours = (bulkRetries ?? []).filter(({ filter }) => isShown(filter));
  const shown = ours.filter(
    (each, index) => each.status === 'RUNNING' || (index === 0 && each.id !== closed && isRecent(each)),
  );
  const running = shown.filter(({ status }) => status === 'RUNNING').length;
  const endedId = shown.find(({ status }) => status !== 'RUNNING')?.id;
  const latest = useRef({ onEnded, running });
  useEffect(() => {
    // Also when a page opens after the end: it may have read its rows before that.
    const hasEnded = endedId !== undefined || running < latest.current.running;
    latest.current.running = running;
    if (!hasEnded) return;
    latest.current.onEnded?.();
    const settled = setTimeout(() => latest.current.onEnded?.(), SETTLING_MS);
    return () => clearTimeout(settled);
  }, [running, endedId]);
  latest.current.onEnded = onEnded;
  return shown.map((each) => (
    <BulkRetryProgress key={each.id} bulkRetry={each} cancel={() => cancel(each.id)} onClose={() => close(each.id)} />
  ));
}

function isRecent({ total, completedAt }: BulkRetry): boolean {
  return total > 0 && completedAt !== null && Date.now() - new Date(completedAt).getTime() < RECENT_MS;
}
