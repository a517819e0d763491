import type { GroupSpec } from '@/lib/cli/spec';
import { showConfig } from './show-config';

export const config: GroupSpec = {
  name: 'config',
  summary: 'Show and change profiles.',
  commands: [showConfig],
};
