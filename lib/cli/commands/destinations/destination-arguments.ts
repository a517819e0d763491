import { SOURCE } from '@/lib/cli/commands/sources/find-source';

/** The arguments that name a destination. */
export const DESTINATION = { source: SOURCE, destination: { description: 'ID of the destination' } };
