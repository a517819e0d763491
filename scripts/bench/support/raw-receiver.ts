import { fork } from 'node:child_process';
import { once } from 'node:events';

/** How a receiver treats every request. */
export type Behavior = 'ok' | 'fail' | 'hang';

/** What a receiver has seen since its last reset. A hanging one reads nothing and knows of connections only. */
export interface RawReport {
  requests: number;
  /** Different events, and how many of them came more than once. */
  events: number;
  repeated: number;
  /** Connections now, and the most at once. */
  open: number;
  mostOpen: number;
  /** Event id and when it came first, in milliseconds since 1970. Empty unless asked for `times`. */
  seen: [string, number][];
}

/** A receiver in a process of its own, listening on several ports: a port is an origin to the sender. */
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
    // Answers carry no question: one is asked after the other.
    ask(command) {
      const answer = lastAnswer.then(() => ask(command));
      lastAnswer = answer;
      return answer;
    },
    stop: () => child.kill('SIGKILL'),
  };
}
