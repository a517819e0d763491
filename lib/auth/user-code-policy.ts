/**
 * The letters of a user code: consonants that look different from each other and form no words (RFC 8628 section
 * 6.1).
 */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
/** The number of letters, shown in two halves. */
export const USER_CODE_LENGTH = 8;
