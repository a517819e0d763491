/** The letters of a user code: consonants that no other looks like, and that make no words (RFC 8628 section 6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
/** How many of them, shown in two halves. */
export const USER_CODE_LENGTH = 8;
