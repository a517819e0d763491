import type { GroupSpec } from '@/lib/cli/spec';
import { getIncoming } from './get-incoming';
import { listIncoming } from './list-incoming';
import { replayIncoming } from './replay-incoming';
import { showIncomingBody } from './show-incoming-body';

export const incoming: GroupSpec = {
  name: 'incoming',
  summary: 'View and replay incoming events.',
  commands: [listIncoming, getIncoming, showIncomingBody, replayIncoming],
};
