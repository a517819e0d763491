import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const ANSWER_DEADLINE_MS = 1000;
const NO_SOCKETS_HERE = ['EINVAL', 'EOPNOTSUPP', 'ENOTSUP', 'EPERM'];
/** The least that a system allows is 104; Node cuts what is longer without a word. */
const LONGEST_ADDRESS_BYTES = 100;
const SUFFIXES_BYTES = '.123456.old'.length;

/**
 * Takes a lock that the kernel gives back however its holder ends: a socket that listens at the path. A file with a
 * process id would outlive a kill -9, and the id be given to another process.
 *
 * @param {string} lockPath
 * @param {() => string} tell what a later comer is told of the holder
 * @returns {Promise<{release: () => void, afterCrash: boolean} | {heldBy: string}>} afterCrash: the holder before never
 *   gave it back, and may have left processes behind
 */
export async function takeLock(lockPath, tell) {
  const server = net.createServer((socket) => socket.on('error', () => undefined).end(tell()));
  server.unref();
  if (process.platform === 'win32') return takePipe(server, lockPath);
  const own = await listenSomewhere(server, lockPath);
  try {
    const claimed = await claim(own.socket, own.lock);
    if (!('heldBy' in claimed)) return { ...claimed, release: releaser(server, own.lock) };
    server.close();
    return claimed;
  } catch (error) {
    server.close();
    throw error;
  } finally {
    fs.rmSync(own.socket, { force: true });
  }
}

/**
 * Waits until the lock is free and takes it.
 *
 * @param {string} lockPath
 * @param {() => void} onWait called once when the lock is held by another
 * @returns {Promise<{release: () => void}>}
 */
export async function waitForLock(lockPath, onWait) {
  for (let waited = false; ; waited = true) {
    const lock = await takeLock(lockPath, () => `process ${process.pid}`);
    if ('release' in lock) return lock;
    if (!waited) onWait();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** Listens beside the lock, or, where the path is too long or sockets unknown, in the folder for temporary files. */
async function listenSomewhere(server, lockPath) {
  const folder = fs.realpathSync(path.dirname(lockPath));
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const elsewhere = path.join(os.tmpdir(), `event-delivery-${name}-${path.basename(lockPath)}`);
  const suffix = randomBytes(3).toString('hex');
  if (Buffer.byteLength(lockPath) + SUFFIXES_BYTES <= LONGEST_ADDRESS_BYTES) {
    try {
      return { lock: lockPath, socket: await listen(server, `${lockPath}.${suffix}`) };
    } catch (error) {
      if (!NO_SOCKETS_HERE.includes(error.code)) throw error;
    }
  }
  return { lock: elsewhere, socket: await listen(server, `${elsewhere}.${suffix}`) };
}

function listen(server, address) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve(address);
    });
  });
}

/** Puts the listening socket in the lock's place, unless somebody who lives is there. */
async function claim(socket, lock) {
  for (let afterCrash = false; ; afterCrash = true) {
    try {
      fs.linkSync(socket, lock);
      return { afterCrash };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = await askHolder(lock);
    if (holder !== null) return { heldBy: holder };
    // Moved aside before it is removed: between the question and now another may have put its own socket there.
    const aside = `${socket}.old`;
    try {
      fs.renameSync(lock, aside);
    } catch (error) {
      if (error.code === 'ENOENT') continue;
      throw error;
    }
    const newHolder = await askHolder(aside);
    if (newHolder !== null) fs.linkSync(aside, lock);
    fs.rmSync(aside, { force: true });
    if (newHolder !== null) return { heldBy: newHolder };
  }
}

/** What the holder tells of itself; null when nobody listens any more. */
function askHolder(address) {
  return new Promise((resolve) => {
    let told = '';
    const socket = net.connect(address);
    // A holder that is busy with something synchronous is alive all the same: the kernel took the connection.
    socket.setTimeout(ANSWER_DEADLINE_MS, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk) => {
      told += chunk;
    });
    socket.on('error', (error) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null);
    });
    socket.on('close', () => resolve(told));
  });
}

function releaser(server, lock) {
  const release = () => {
    process.off('exit', release);
    fs.rmSync(lock, { force: true });
    server.close();
  };
  process.once('exit', release);
  return release;
}

async function takePipe(server, lockPath) {
  const name = createHash('sha256').update(path.resolve(lockPath)).digest('hex');
  try {
    await listen(server, `\\\\.\\pipe\\event-delivery-${name}`);
    return { release: () => server.close(), afterCrash: false };
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
    return { heldBy: '' };
  }
}
