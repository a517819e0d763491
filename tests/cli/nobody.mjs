/** The user without rights. */
export const NOBODY = 65_534;
