import type { GroupSpec } from '@/lib/cli/spec';
import { createEndpoint } from './create-endpoint';
import { deleteEndpoint } from './delete-endpoint';
import { getEndpoint } from './get-endpoint';
import { listEndpoints } from './list-endpoints';
import { rotateEndpointSecret } from './rotate-endpoint-secret';
import { showEndpointSecret } from './show-endpoint-secret';
import { disableEndpoint, enableEndpoint } from './switch-endpoint';
import { testEndpoint } from './test-endpoint';
import { updateEndpoint } from './update-endpoint';

export const endpoints: GroupSpec = {
  name: 'endpoints',
  summary: 'Manage and test the receivers of your events.',
  commands: [
    listEndpoints,
    getEndpoint,
    createEndpoint,
    updateEndpoint,
    enableEndpoint,
    disableEndpoint,
    testEndpoint,
    showEndpointSecret,
    rotateEndpointSecret,
    deleteEndpoint,
  ],
};
