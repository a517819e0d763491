import { describe, expect, it } from 'vitest';
import { describeDatabaseFault } from './database';

describe('the fault that an error describes', () => {
  const error = (code: string) => Object.assign(new Error('the\n reason'), { code });

  it.each(['ECONNREFUSED', '57P03', '28P01', '3D000', '42501'])('%s: the database cannot be reached', (code) => {
    expect(describeDatabaseFault(error(code))).toBe('The database is unreachable: the reason');
  });

  it.each(['40P01', '57014', '23505'])('%s is not a fault that prevents a start', (code) => {
    expect(describeDatabaseFault(error(code))).toBeNull();
  });
});
