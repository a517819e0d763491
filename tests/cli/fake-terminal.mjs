// Loaded into `eds` by tests: pipes that say that they are a terminal. EDS_TEST_TTY names the streams, such as "stdout,stderr".
for (const name of (process.env.EDS_TEST_TTY ?? '').split(',').filter(Boolean)) {
  Object.defineProperty(process[name], 'isTTY', { value: true });
  if (name !== 'stdin')
    Object.defineProperty(process[name], 'columns', { value: Number(process.env.EDS_TEST_COLUMNS ?? 100) });
}
