import type { OptionSpec } from '@/lib/cli/spec';

/** When failed deliveries are sent again. */
export const retrySeconds: OptionSpec<number[] | undefined> = {
  flags: '--retry-seconds <list>',
  description: 'seconds before each retry, such as 5,60,600',
  kind: 'value',
  parse: (text) => {
    if (!/^\d{1,9}(,\d{1,9})*$/.test(text)) throw new Error('be whole numbers with commas, such as 5,60,600');
    return text.split(',').map(Number);
  },
};
