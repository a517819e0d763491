import type { GroupSpec } from '@/lib/cli/spec';
import { getEvent } from './get-event';
import { listEvents } from './list-events';
import { sendEvent } from './send-event';
import { tailEvents } from './tail-events';

export const events: GroupSpec = {
  name: 'events',
  summary: 'Send, find and follow events.',
  commands: [sendEvent, listEvents, getEvent, tailEvents],
};
