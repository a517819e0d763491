import type { GroupSpec } from '@/lib/cli/spec';
import { getIncoming } from './get-incoming';
import { listIncoming } from './list-incoming';
import { replayIncoming } from './replay-incoming';
import { showIncomingBody } from './show-incoming-body';

export const incoming: GroupSpec = {
  name: 'incoming',
  summary: 'Look at what sources took in, and forward it again.',
  commands: [listIncoming, getIncoming, showIncomingBody, replayIncoming],
};
