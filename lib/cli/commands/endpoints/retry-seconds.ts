import { usageError } from '@/lib/cli/input/usage-error';
import { text } from '@/lib/cli/options';

export const RETRY_SECONDS = text(
  '--retry-seconds <list>',
  'seconds before each retry, such as 5,60,3600; empty for the schedule of the deployment',
);

/** Parses the value of that option. @throws CliError when it is not a list of whole numbers */
export function parseRetrySeconds(list: string | undefined): number[] | undefined {
  if (list === undefined) return undefined;
  const parts = list.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.every((part) => /^\d{1,9}$/.test(part))) return parts.map(Number);
  throw usageError('--retry-seconds must be whole numbers, such as 5,60,3600.');
}
