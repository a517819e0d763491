import type { Suggestion } from '@/components/data-table/suggest-filter';
import type { Customer } from '@/lib/customers/schema';

/** As many as fit on a screen without scrolling. */
const MAX_SUGGESTIONS = 8;

/** Returns the customers whose uid or name begins with a text, each with its name. One whose uid is the text is chosen already. */
export function suggestCustomers(customers: readonly Pick<Customer, 'uid' | 'name'>[], text: string): Suggestion[] {
  const start = text.toLowerCase();
  return customers
    .filter(({ uid, name }) => uid !== text && [uid, name].some((each) => each?.toLowerCase().startsWith(start)))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ uid, name }) => ({ value: uid, ...(name === null ? {} : { hint: name }) }));
}
