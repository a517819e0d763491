import { text } from '@/lib/cli/options';

/** The option that chooses events by their type. A pattern means what it does in a subscription. */
export const TYPE_FILTER = text('-t, --type <type>', 'only events of this type or pattern, such as `order.*`');
