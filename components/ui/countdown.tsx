'use client';

import { useEffect, useRef } from 'react';
import { useNow } from './clock';

/** Seconds at which screen readers hear that at most these remain; every second would be too often. */
const ANNOUNCED_SECONDS = [300, 120, 60, 30, 10];

/** Counts down to `until` (epoch milliseconds), then calls `onEnd` once. */
export function Countdown({ until, onEnd }: { until: number; onEnd?: () => void }) {
  const now = useNow(250);
  const remainingMs = Math.max(0, until - now.getTime());
  const remainingSeconds = Math.ceil(remainingMs / 1000);
  const ended = useRef(false);
  useEffect(() => {
    if (remainingMs > 0) ended.current = false;
    else if (!ended.current) {
      ended.current = true;
      onEnd?.();
    }
  }, [remainingMs, onEnd]);
  return (
    <>
      <time aria-hidden="true" className="font-medium font-mono tabular-nums" dateTime={`PT${remainingSeconds}S`}>
        {formatCountdown(remainingMs)}
      </time>
      <span role="status" className="sr-only">
        {announceRemaining(remainingSeconds)}
      </span>
    </>
  );
}

/** Returns what screen readers hear, which changes only at a few times: "at most 5 minutes left". */
export function announceRemaining(remainingSeconds: number): string {
  if (remainingSeconds === 0) return 'now';
  const seconds = ANNOUNCED_SECONDS.filter((each) => each >= remainingSeconds).at(-1);
  if (seconds === undefined) return 'more than 5 minutes left';
  if (seconds < 60) return `at most ${seconds} seconds left`;
  return `at most ${seconds / 60} ${seconds === 60 ? 'minute' : 'minutes'} left`;
}

/** Formats a countdown: "0:42", "12:05", "1:02:00". Rounds seconds up, so that 0:00 appears only at the end. */
export function formatCountdown(remainingMs: number): string {
  const total = Math.max(0, Math.ceil(remainingMs / 1000));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  const padded = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(seconds)}` : `${minutes}:${padded(seconds)}`;
}
