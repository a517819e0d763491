import type { GroupSpec } from '@/lib/cli/spec';
import { createTunnel } from './create-tunnel';
import { deleteTunnel } from './delete-tunnel';
import { getTunnel } from './get-tunnel';
import { listTunnels } from './list-tunnels';
import { replayRequest } from './replay-request';
import { showRequests } from './show-requests';

export const tunnels: GroupSpec = {
  name: 'tunnels',
  summary: 'Manage tunnels and view their requests.',
  commands: [listTunnels, getTunnel, createTunnel, deleteTunnel, showRequests, replayRequest],
};
