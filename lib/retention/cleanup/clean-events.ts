import type { CleanupStep } from '@/lib/retention/jobs/job-run';
import { cleanOrigins } from './clean-origins';
import { EVENT, INCOMING_EVENT } from './origin-sql';
import { previewOrigins } from './preview-origins';

/** Events past DATA_RETENTION_EVENTS_DAYS (SPEC 8.1), with all that came of them. */
export const cleanEvents: CleanupStep = {
  clean: (run) => cleanOrigins(run, EVENT, run.policy.eventsDays),
  preview: (run) => previewOrigins(run, EVENT, run.policy.eventsDays),
};

/** Incoming events past DATA_RETENTION_INCOMING_EVENTS_DAYS (SPEC 8.1), with all that came of them. */
export const cleanIncomingEvents: CleanupStep = {
  clean: (run) => cleanOrigins(run, INCOMING_EVENT, run.policy.incomingEventsDays),
  preview: (run) => previewOrigins(run, INCOMING_EVENT, run.policy.incomingEventsDays),
};
