import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { captureLog } from '@/tests/monitoring/captured-log';
import { sendConsoleToLog, sendWarningsToLog } from './console-to-log';

function capture() {
  const log = captureLog({});
  const target: Partial<Console> = {};
  sendConsoleToLog(target);
  return { log, print: target as Pick<Console, 'error' | 'log' | 'warn'> };
}

it('what a library prints becomes one line of the log, without colors, at the level of its method', () => {
  const { log, print } = capture();
  print.log(' \u001b[32m✓\u001b[39m Running %s\ntook 12 ms', 'next.config.mjs');
  print.warn('slow');
  expect(log.text.trim().split('\n')).toHaveLength(2);
  expect(log.withMessage('✓ Running next.config.mjs\ntook 12 ms')).toMatchObject([{ level: 20 }]);
  expect(log.withMessage('slow')).toMatchObject([{ level: 40 }]);
});

it('an error that a library prints keeps its stack, and loses the values of the database', () => {
  const { log, print } = capture();
  print.error('⨯', Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(ada@example.com)' }));
  print.error(new Error('no page'));
  expect(log.withMessage('⨯')).toMatchObject([{ level: 50, err: { stack: expect.stringContaining('duplicate key') } }]);
  expect(log.withMessage('no page')).toHaveLength(1);
  expect(log.text).not.toContain('ada@example.com');
});

it('a warning of Node is logged once, as a warning', () => {
  const { log, print } = capture();
  const node = new EventEmitter();
  node.on('warning', (warning: Error) => print.error(String(warning)));
  sendWarningsToLog(node);
  node.emit('warning', Object.assign(new Error('11 listeners added'), { name: 'MaxListenersExceededWarning' }));
  expect(log.text.trim().split('\n')).toHaveLength(1);
  expect(log.withMessage('warning of Node')).toMatchObject([{ level: 40, err: { message: '11 listeners added' } }]);
});
