/** Who may create an account: anyone, people whom an organization has invited, or no one. */
export type Registration = 'open' | 'invited' | 'closed';
