import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { Refusal } from './refusal.mjs';
import type { Steps } from './setup-steps';

interface Answer {
  isReady?: boolean;
  result?: unknown;
  error?: { name: string; message: string; stack: string };
}

/** The child process that runs the steps of STEPS, one at a time. */
export class Setup {
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;
  #answer: (answer: Answer) => void = () => undefined;

  /** @param progress where the child writes its progress lines */
  constructor(progress: 'stdout' | 'stderr') {
    this.#child = fork(path.resolve('scripts/start/setup-process.mjs'), [progress], { execArgv: [] });
    this.#ready = this.#nextAnswer();
    // Whoever runs a step gets the error.
    this.#ready.catch(() => undefined);
    this.#child.on('message', (answer: Answer) => this.#answer(answer));
    const end = (reason: string) => {
      const message = `The preparation of the start ended early (${reason}).`;
      this.#answer({ error: { name: 'Refusal', message, stack: message } });
    };
    this.#child.on('error', (error) => end(error.message));
    this.#child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  }

  /** Runs a step and resolves with its result. @throws what the step throws, by its name and message */
  async run<Name extends keyof Steps>(
    step: Name,
    input: Parameters<Steps[Name]>[0],
  ): Promise<Awaited<ReturnType<Steps[Name]>>> {
    await this.#ready;
    if (!this.#child.connected) throw new Refusal('The preparation of the start has ended.');
    const answer = this.#nextAnswer();
    this.#child.send({ step, input });
    return (await answer) as Awaited<ReturnType<Steps[Name]>>;
  }

  /** Ends the child and whatever tool it runs. */
  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  #nextAnswer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#answer = ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(Object.assign(new Error(error.message), error));
      };
    });
  }
}

/** Runs steps in a child process of their own, which has ended or is ending when this returns. */
export async function withSetup<T>(progress: 'stdout' | 'stderr', work: (setup: Setup) => Promise<T>): Promise<T> {
  const setup = new Setup(progress);
  try {
    return await work(setup);
  } finally {
    setup.close();
  }
}
