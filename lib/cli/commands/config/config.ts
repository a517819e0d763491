import type { GroupSpec } from '@/lib/cli/spec';
import { listProfiles } from './list-profiles';
import { removeProfile } from './remove-profile';
import { setConfig } from './set-config';
import { showConfig } from './show-config';
import { useProfile } from './use-profile';

export const config: GroupSpec = {
  name: 'config',
  summary: 'Show and change profiles.',
  commands: [showConfig, listProfiles, useProfile, setConfig, removeProfile],
};
