/** How the process ends. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  notSignedIn: 4,
  forbidden: 5,
  rateLimited: 6,
  network: 7,
  /** Ctrl-C, as shells count signals: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
