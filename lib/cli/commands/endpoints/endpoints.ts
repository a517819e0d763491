import type { GroupSpec } from '@/lib/cli/spec';
import { createEndpoint } from './create-endpoint';
import { deleteEndpoint } from './delete-endpoint';
import { getEndpoint } from './get-endpoint';
import { listEndpoints } from './list-endpoints';
import { rotateSecret } from './rotate-secret';
import { showSecret } from './show-secret';
import { disableEndpoint, enableEndpoint } from './switch-endpoint';
import { testEndpoint } from './test-endpoint';
import { updateEndpoint } from './update-endpoint';

export const endpoints: GroupSpec = {
  name: 'endpoints',
  summary: 'Create, test and change the URLs that receive events.',
  commands: [
    ...[listEndpoints, getEndpoint, createEndpoint, updateEndpoint, enableEndpoint, disableEndpoint, testEndpoint],
    ...[showSecret, rotateSecret, deleteEndpoint],
  ],
};
