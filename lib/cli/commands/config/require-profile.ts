import { CliError } from '@/lib/cli/cli-error';
import { DEFAULT_PROFILE, type Settings } from '@/lib/cli/config/settings';
import { EXIT } from '@/lib/cli/exit-codes';

/** @throws CliError when there is no such profile; the default one always exists */
export function requireProfile({ profiles }: Settings, name: string): void {
  if (name === DEFAULT_PROFILE || Object.hasOwn(profiles, name)) return;
  throw new CliError({
    message: `There is no profile “${name}”.`,
    code: 'unknown_profile',
    exitCode: EXIT.notFound,
    next: 'eds config list',
  });
}
