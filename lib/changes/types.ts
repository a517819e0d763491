/** What of a project can change while somebody watches it. */
export const CHANGE_KINDS = ['events', 'deliveries', 'incomingEvents', 'tunnelRequests'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];
