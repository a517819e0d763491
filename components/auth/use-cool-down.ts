'use client';

import { useState } from 'react';
import { ApiError } from '@/components/auth-session/api-error';

export interface CoolDown {
  reason: 'locked' | 'rate-limited';
  /** Epoch milliseconds. */
  until: number;
}

const DEFAULT_WAIT_SECONDS = 60;

/** The wait that a refusal asks for: 423 for this account, 429 for too many tries; null for any other. */
export function coolDownOf(error: unknown, nowMs: number): CoolDown | null {
  if (!(error instanceof ApiError) || (error.status !== 423 && error.status !== 429)) return null;
  return {
    reason: error.status === 423 ? 'locked' : 'rate-limited',
    until: nowMs + (error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS) * 1000,
  };
}

/** Remembers the wait that the last try was answered with. */
export function useCoolDown() {
  const [coolDown, setCoolDown] = useState<CoolDown | null>(null);
  const [isOver, setOver] = useState(false);
  return {
    coolDown,
    isWaiting: coolDown !== null && !isOver,
    /** Takes note of a refusal; true when it asks to wait. */
    handleRefusal: (error: unknown) => {
      const next = coolDownOf(error, Date.now());
      if (next !== null) {
        setCoolDown(next);
        setOver(false);
      }
      return next !== null;
    },
    /** The time has passed: its notice stays, and says so. */
    finish: () => setOver(true),
    end: () => setCoolDown(null),
  };
}

export type CoolDownState = ReturnType<typeof useCoolDown>;
