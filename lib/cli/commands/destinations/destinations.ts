import type { GroupSpec } from '@/lib/cli/spec';
import { createDestination } from './create-destination';
import { deleteDestination } from './delete-destination';
import { getDestination } from './get-destination';
import { listDestinations } from './list-destinations';
import { rotateDestinationSecret } from './rotate-destination-secret';
import { showDestinationSecret } from './show-destination-secret';
import { updateDestination } from './update-destination';

export const destinations: GroupSpec = {
  name: 'destinations',
  summary: 'Manage the URLs that sources forward to.',
  commands: [
    listDestinations,
    getDestination,
    createDestination,
    updateDestination,
    deleteDestination,
    showDestinationSecret,
    rotateDestinationSecret,
  ],
};
