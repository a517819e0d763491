'use client';

import { useState } from 'react';
import { ApiError } from '@/components/auth-session/api-error';

export interface CoolDown {
  reason: 'locked' | 'rate-limited';
  /** Epoch milliseconds. */
  until: number;
}

const DEFAULT_WAIT_SECONDS = 60;

/** Returns the wait that a refusal asks for: 423 locks the account, 429 limits the client; null for any other error. */
export function coolDownOf(error: unknown, nowMs: number): CoolDown | null {
  if (!(error instanceof ApiError) || (error.status !== 423 && error.status !== 429)) return null;
  return {
    reason: error.status === 423 ? 'locked' : 'rate-limited',
    until: nowMs + (error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS) * 1000,
  };
}

/** Holds the wait that the server asked for after the last attempt. */
export function useCoolDown() {
  const [current, setCurrent] = useState<CoolDown | null>(null);
  const [isOver, setOver] = useState(false);
  const isWaiting = current !== null && !isOver;
  return {
    /** The wait that is shown; null when none is. */
    current,
    isWaiting,
    /** Why the form cannot be sent; undefined when it can. */
    disabledReason: isWaiting ? 'Wait until the countdown ends' : undefined,
    /** Starts the cool-down that an error asks for. Returns false when it asks for none. */
    handleRefusal: (error: unknown) => {
      const next = coolDownOf(error, Date.now());
      if (next !== null) {
        setCurrent(next);
        setOver(false);
      }
      return next !== null;
    },
    /** Ends the wait and keeps the notice, which then says that another attempt is possible. */
    finish: () => setOver(true),
    /** Removes the notice. */
    end: () => setCurrent(null),
  };
}

export type CoolDownState = ReturnType<typeof useCoolDown>;
