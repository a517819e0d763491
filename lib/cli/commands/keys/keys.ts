import type { GroupSpec } from '@/lib/cli/spec';
import { createKey } from './create-key';
import { listKeys } from './list-keys';
import { revokeKey } from './revoke-key';
import { rotateKey } from './rotate-key';

export const keys: GroupSpec = {
  name: 'keys',
  summary: 'Create, rotate and revoke the API keys of a project.',
  commands: [listKeys, createKey, rotateKey, revokeKey],
};
