import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';

/** @throws CliError when the options of an update name nothing to change */
export function requireChange(change: Record<string, unknown>): void {
  if (Object.values(change).some((value) => value !== undefined)) return;
  throw new CliError({
    message: 'Name what to change.',
    code: 'usage',
    exitCode: EXIT.usage,
    next: 'Add --help to see the options.',
  });
}
