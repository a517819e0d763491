import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';

/** Returns the field that --enable or --disable changes; nothing without them. @throws CliError when both are given */
export function enabledOf({ enable, disable }: { enable: boolean; disable: boolean }): { enabled?: boolean } {
  if (enable && disable) {
    throw new CliError({ message: 'Give --enable or --disable, not both.', code: 'usage', exitCode: EXIT.usage });
  }
  return enable || disable ? { enabled: enable } : {};
}
