'use client';

import { useProjectPath } from '@/components/projects/use-projects';
import { useFirstHundred } from '@/components/projects/use-resource';
import type { ApiKey } from '@/lib/keys/schema';

/** Loads the newest hundred API keys, to show their names and to choose from them. */
export function useKeyNames() {
  return useFirstHundred<ApiKey>(useProjectPath('api-keys'));
}
