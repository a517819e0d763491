import { COMMANDS } from '@/lib/cli/commands';
import { describeCommands } from '@/lib/cli/describe-commands';
import type { GroupDescription } from '@/lib/cli/types';

/** Returns what the reference of the command line shows. */
export function loadCommands(): GroupDescription[] {
  return describeCommands(COMMANDS);
}
