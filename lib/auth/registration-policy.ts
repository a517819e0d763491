/** Who may create an account: everybody, those whom an organization invites, or nobody. */
export type Registration = 'open' | 'invited' | 'closed';
