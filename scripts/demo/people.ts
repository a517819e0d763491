/** The domain of the demo's people. The top-level domain is reserved for examples (RFC 2606), so no mail reaches anyone. */
export const DEMO_DOMAIN = 'northwind.example';

/** People who have not answered their invitation. */
export const KATHERINE = `katherine@${DEMO_DOMAIN}`;
export const DOROTHY = `dorothy@${DEMO_DOMAIN}`;

/** The address of the owner's machine: of a range for documentation (RFC 5737), as all addresses of the demo. */
export const ADDRESS_OF_ADA = '203.0.113.24';

interface Colleague {
  name: string;
  /** Before the `@`. */
  mailbox: string;
  invitedAs: 'ADMIN' | 'DEVELOPER' | 'VIEWER';
  role: 'ADMIN' | 'DEVELOPER' | 'VIEWER';
  /** When the invitation was accepted. */
  joinedDaysAgo: number;
  address: string;
}

/** Members of the organization, oldest first. Nobody can sign in as one of them: they have no password. */
export const COLLEAGUES = [
  {
    name: 'Grace Hopper',
    mailbox: 'grace',
    invitedAs: 'ADMIN',
    role: 'ADMIN',
    joinedDaysAgo: 29,
    address: '203.0.113.31',
  },
  {
    name: 'Linus Torvalds',
    mailbox: 'linus',
    invitedAs: 'VIEWER',
    role: 'DEVELOPER',
    joinedDaysAgo: 21,
    address: '198.51.100.7',
  },
  {
    name: 'Margaret Hamilton',
    mailbox: 'margaret',
    invitedAs: 'DEVELOPER',
    role: 'DEVELOPER',
    joinedDaysAgo: 13,
    address: '203.0.113.58',
  },
  {
    name: 'Alan Kay',
    mailbox: 'alan',
    invitedAs: 'VIEWER',
    role: 'VIEWER',
    joinedDaysAgo: 6,
    address: '198.51.100.92',
  },
] as const satisfies readonly Colleague[];
