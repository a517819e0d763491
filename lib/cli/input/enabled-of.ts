import { usageError } from './usage-error';

/** Returns the field that --enable or --disable changes; nothing without them. @throws CliError when both are given */
export function enabledOf({ enable, disable }: { enable: boolean; disable: boolean }): { enabled?: boolean } {
  if (enable && disable) {
    throw usageError('Give --enable or --disable, not both.');
  }
  return enable || disable ? { enabled: enable } : {};
}
