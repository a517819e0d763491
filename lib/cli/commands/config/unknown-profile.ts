import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';

export function unknownProfile(name: string): CliError {
  return new CliError({
    message: `There is no profile “${name}”.`,
    code: 'unknown_profile',
    exitCode: EXIT.notFound,
    next: 'eds config list',
  });
}
