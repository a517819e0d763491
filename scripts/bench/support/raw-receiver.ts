import { fork } from 'node:child_process';
import { once } from 'node:events';

/** How a receiver responds to every request. */
type Behavior = 'ok' | 'fail' | 'hang';

/** What a receiver has counted since its last reset. A hanging one reads nothing and counts connections only. */
export interface RawReport {
  requests: number;
  /** Distinct events, and how many of them arrived more than once. */
  events: number;
  repeated: number;
  /** Open connections, and their maximum. */
  open: number;
  mostOpen: number;
  /** Event id and its first arrival, in milliseconds since 1970. Empty unless asked for `times`. */
  seen: [string, number][];
}

/** A receiver in a separate process that listens on several ports; to the sender each port is an origin. */
export interface RawReceiver {
  ports: number[];
  ask(command: 'reset' | 'count' | 'times'): Promise<RawReport>;
  stop(): void;
}

export async function startRawReceiver(behavior: Behavior, portCount: number): Promise<RawReceiver> {
  const child = fork('scripts/bench/support/raw-receiver.mjs', [behavior, String(portCount)]);
  const [ready] = (await once(child, 'message')) as [{ ports: number[] }];
  let lastAnswer: Promise<unknown> = Promise.resolve();
  const ask = async (command: string) => {
    const answered = once(child, 'message');
    child.send(command);
    return (await answered)[0] as RawReport;
  };
  return {
    ports: ready.ports,
    // Replies do not name their command, so commands run one at a time.
    ask(command) {
      const answer = lastAnswer.then(() => ask(command));
      lastAnswer = answer;
      return answer;
    },
    stop: () => child.kill('SIGKILL'),
  };
}
