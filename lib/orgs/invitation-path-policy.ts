/** The page that accepts an invitation. Its link has the token in the query. */
export const INVITATION_PATH = '/accept-invitation';
