// Endpoints and destinations are paused by people and disabled by the service; either can be resumed.
import type { Column } from '@/lib/cli/output/column';

interface Target {
  enabled: boolean;
  failingSince: string | null;
  disabledAt: string | null;
  disabledReason: string | null;
  pauseReason: string | null;
}

const REASONS: Readonly<Record<string, string>> = {
  gone: 'The receiver answered 410 Gone.',
  failing: 'Every attempt in the last 120 hours failed.',
};

/** Whether a target gets events, and whether they arrive. */
export const TARGET_STATE: Column<Target> = {
  header: 'STATE',
  kind: 'state',
  value: ({ enabled, failingSince, disabledReason }) => {
    if (enabled) return failingSince === null ? 'enabled' : 'failing';
    return disabledReason === null ? 'paused' : 'disabled';
  },
};

/** Since when it is paused, disabled or failing. */
export const TARGET_SINCE: Column<Target> = {
  header: 'SINCE',
  value: ({ disabledAt, failingSince }) => disabledAt ?? failingSince,
  kind: 'time',
};

/** Why a person paused it, or the service disabled it. */
export const TARGET_REASON: Column<Target> = {
  header: 'REASON',
  value: ({ disabledReason, pauseReason }) =>
    disabledReason === null ? pauseReason : (REASONS[disabledReason] ?? disabledReason),
};
