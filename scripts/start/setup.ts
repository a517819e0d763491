import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Steps } from './setup-steps';
import { StartupError } from './startup-error.mjs';

interface Reply {
  isReady?: boolean;
  result?: unknown;
  error?: { name: string; message: string; stack: string };
}

/** A child process that runs the steps of STEPS, one at a time. */
export class Setup {
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;
  #onReply: (reply: Reply) => void = () => undefined;

  /** @param progress the stream for the progress lines of the child */
  constructor(progress: 'stdout' | 'stderr') {
    this.#child = fork(path.resolve('scripts/start/setup-process.mjs'), [progress], { execArgv: [] });
    this.#ready = this.#nextReply();
    // The caller of run() gets the error.
    this.#ready.catch(() => undefined);
    this.#child.on('message', (reply: Reply) => this.#onReply(reply));
    const end = (reason: string) => {
      const message = `Setup ended early (${reason}).`;
      this.#onReply({ error: { name: 'StartupError', message, stack: message } });
    };
    this.#child.on('error', (error) => end(error.message));
    this.#child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  }

  /** Runs a step and resolves with its result. @throws Error with the name and message of the step's error */
  async run<Name extends keyof Steps>(
    step: Name,
    input: Parameters<Steps[Name]>[0],
  ): Promise<Awaited<ReturnType<Steps[Name]>>> {
    await this.#ready;
    if (!this.#child.connected) throw new StartupError('Setup has ended.');
    const reply = this.#nextReply();
    this.#child.send({ step, input });
    return (await reply) as Awaited<ReturnType<Steps[Name]>>;
  }

  /** Ends the child and the tool that it runs. */
  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  #nextReply(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#onReply = ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(Object.assign(new Error(error.message), error));
      };
    });
  }
}

/** Runs steps in a child process, which has ended or is ending when this resolves. */
export async function withSetup<T>(progress: 'stdout' | 'stderr', work: (setup: Setup) => Promise<T>): Promise<T> {
  const setup = new Setup(progress);
  try {
    return await work(setup);
  } finally {
    setup.close();
  }
}
