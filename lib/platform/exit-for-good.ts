/** Exit code that tells `npm start` of a configuration fault: another start with the same configuration ends the same way. */
export const EXIT_FOR_GOOD = 78;
