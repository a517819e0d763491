/** How a child process or the database server ended. */
export interface Exit {
  /** Null when a signal ended it, or when it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last line it wrote, usually the reason. May be empty. */
  lastLine: string;
  /** It says that its configuration is at fault: another start with the same one ends the same way. */
  isConfigFault?: boolean;
  isOutOfMemory?: boolean;
}

/** One run of a child process or of the database server. */
export interface Running {
  /** Resolves once it does its work; stays pending when it ends before that. */
  ready: Promise<void>;
  exited: Promise<Exit>;
  /** Asks it to end. */
  stop(): void;
  /** Ends it at once. */
  kill(): void;
}

/** "worker ended (exit code 1: the reason)". */
export function describeExit(name: string, { code, signal, lastLine, isOutOfMemory }: Exit): string {
  const how = signal ?? (code === null ? 'not started' : `exit code ${code}`);
  const verb = isOutOfMemory ? 'ran out of memory' : 'ended';
  return `${name} ${verb} (${lastLine === '' ? how : `${how}: ${lastLine}`})`;
}

/** Runs `start`; what it throws counts as an exit, so that a full disk or table of processes is tried again too. */
export function startSafely(start: () => Running): Running {
  try {
    return start();
  } catch (error) {
    const lastLine = error instanceof Error ? error.message : String(error);
    const nothing = () => undefined;
    return {
      ready: new Promise(nothing),
      exited: Promise.resolve({ code: null, signal: null, lastLine }),
      stop: nothing,
      kill: nothing,
    };
  }
}
