import os from 'node:os';

/** A stream as commands see it. */
export interface TextStream {
  write(text: string | Uint8Array): void;
  /** Resolves once all of it is written, or cannot be. */
  flush(): Promise<void>;
  isTTY: boolean;
  /** Characters in a row; 80 where it is not known. */
  columns: number;
}

/** What a command knows of the machine that it runs on. */
export interface Terminal {
  stdout: TextStream;
  stderr: TextStream;
  stdin: NodeJS.ReadStream;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Shown to the person who approves a sign-in. */
  hostName: string;
}

/** The terminal of this process. @param onFault called once, when an output can take no more */
export function processTerminal(onFault: (fault: NodeJS.ErrnoException) => void): Terminal {
  return {
    stdout: textStream(process.stdout, onFault),
    stderr: textStream(process.stderr, onFault),
    stdin: process.stdin,
    env: process.env,
    platform: process.platform,
    hostName: os.hostname(),
  };
}

function textStream(stream: NodeJS.WriteStream, onFault: (fault: NodeJS.ErrnoException) => void): TextStream {
  stream.on('error', onFault);
  return {
    write: (text) => void stream.write(text),
    flush: () => new Promise((resolve) => stream.write('', () => resolve())),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
}
