import type { GroupSpec } from '@/lib/cli/spec';
import { getEvent } from './get-event';
import { listEvents } from './list-events';
import { sendEvent } from './send-event';
import { tailEvents } from './tail-events';

export const events: GroupSpec = {
  name: 'events',
  summary: 'Send events, find them, and follow them as they arrive.',
  commands: [sendEvent, listEvents, getEvent, tailEvents],
};
