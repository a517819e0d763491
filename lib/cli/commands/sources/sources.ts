import type { GroupSpec } from '@/lib/cli/spec';
import { createSource } from './create-source';
import { deleteSource } from './delete-source';
import { getSource } from './get-source';
import { listSources } from './list-sources';
import { rotateSourceSecret } from './rotate-source-secret';
import { rotateSourceUrl } from './rotate-source-url';
import { showSourceSecret } from './show-source-secret';
import { updateSource } from './update-source';

export const sources: GroupSpec = {
  name: 'sources',
  summary: 'Manage sources, which receive webhooks from providers.',
  commands: [
    listSources,
    getSource,
    createSource,
    updateSource,
    deleteSource,
    showSourceSecret,
    rotateSourceSecret,
    rotateSourceUrl,
  ],
};
