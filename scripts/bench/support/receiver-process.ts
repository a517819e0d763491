import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

interface Report {
  type: string;
  /** Requests since the last reset, and the number of distinct events. */
  requests: number;
  events: number;
  /** Event id and its first arrival, in milliseconds since 1970. */
  seen: [string, number][];
}

/** The receiver for both the service and the bare client. */
export interface ReceiverProcess {
  port: number;
  ask(command: 'reset' | 'count' | 'times'): Promise<Report>;
  stop(): void;
}

/**
 * Starts the receiver in a separate process, so that it shares no event loop with a sender.
 *
 * @param delayMs the time before each response, in milliseconds
 */
export async function startReceiverProcess(delayMs = 0): Promise<ReceiverProcess> {
  const child: ChildProcess = fork('scripts/bench/support/receiver.mjs', [String(delayMs)]);
  const [ready] = (await once(child, 'message')) as [{ port: number }];
  return {
    port: ready.port,
    async ask(command) {
      child.send(command);
      const [report] = (await once(child, 'message')) as [Report];
      return report;
    },
    stop: () => child.kill('SIGKILL'),
  };
}
