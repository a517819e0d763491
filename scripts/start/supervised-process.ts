/** How a process ended. */
export interface Exit {
  /** Null after a signal, or when the process could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last line of its output, usually the reason. May be empty. */
  lastLine: string;
  /** The configuration is invalid: another start with the same one ends the same way. */
  isConfigFault?: boolean;
  isOutOfMemory?: boolean;
}

/** A process under supervision: a part of the service, or PostgreSQL. */
export interface SupervisedProcess {
  /** Resolves when the process is ready; stays pending when it exits earlier. */
  ready: Promise<void>;
  exited: Promise<Exit>;
  /** Asks the process to exit. */
  stop(): void;
  /** Kills the process. */
  kill(): void;
}

/** "worker ended (exit code 1: the reason)". */
export function describeExit(name: string, { code, signal, lastLine, isOutOfMemory }: Exit): string {
  const how = signal ?? (code === null ? 'not started' : `exit code ${code}`);
  const verb = isOutOfMemory ? 'ran out of memory' : 'ended';
  return `${name} ${verb} (${lastLine === '' ? how : `${how}: ${lastLine}`})`;
}

/** Calls `start` and turns an exception into an exit, so that a full disk or process table leads to a restart too. */
export function startSafely(start: () => SupervisedProcess): SupervisedProcess {
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
