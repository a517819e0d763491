/** Tells `npm start` that the configuration is bad, so restarting is pointless. The value of EX_CONFIG in sysexits.h. */
export const CONFIGURATION_EXIT_CODE = 78;
