import type { OptionSpec } from '@/lib/cli/spec';

/** The schedule with which failed deliveries are sent again. */
export const retrySeconds: OptionSpec<number[] | undefined> = {
  flags: '--retry-seconds <list>',
  description: 'seconds before each retry, such as `5,60,3600`; empty for the default schedule',
  kind: 'value',
  parse: (list) => {
    const parts = list.split(/[\s,]+/).filter((part) => part !== '');
    if (parts.every((part) => /^\d{1,9}$/.test(part))) return parts.map(Number);
    throw new Error('be whole numbers, such as 5,60,3600');
  },
};
