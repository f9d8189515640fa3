import { describe, expect, it } from 'vitest';
import { explained, StoreError, storeTrouble } from '../../../src-main/store/trouble.ts';

const failure = (code: string, more: object = {}): Error =>
  Object.assign(new Error('driver words'), { code, ...more });

describe('trouble with the store', () => {
  it('names the store for whoever starts the console, and not for callers', () => {
    const error = explained(failure('SQLITE_FULL'), 'sqlite', 'The store /home/mira/console.db');
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toHaveProperty('message', expect.stringContaining('/home/mira/console.db'));
    expect(storeTrouble(error)).toBe(
      'The disk of the store is full: nothing was written. Free some space and try again.',
    );
  });

  it('is found by the start of a code, the longest first', () => {
    const told = (code: string) => storeTrouble(explained(failure(code), 'sqlite', 'The store x'));
    expect(told('SQLITE_IOERR_WRITE')).toContain('the disk reports an error');
    expect(told('SQLITE_READONLY_DBMOVED')).toContain('moved or replaced');
    expect(told('SQLITE_READONLY_DIRECTORY')).toContain('opened for writing');
  });

  it('is told by the server’s own code only where the server said it', () => {
    const told = (error: Error) => storeTrouble(explained(error, 'postgres', 'The database x'));
    expect(told(failure('57P01', { severity: 'FATAL' }))).toContain('does not answer');
    expect(told(failure('57P01'))).toBeUndefined();
    expect(told(failure('DEPTH_ZERO_SELF_SIGNED_CERT'))).toContain('is not trusted');
    expect(told(Object.assign(failure('ECONNREFUSED'), { errors: [] }))).toContain('does not answer');
  });

  it('is not another service that refuses, nor a constraint or a bug', () => {
    expect(storeTrouble(failure('ECONNREFUSED'))).toBeUndefined();
    const unique = failure('23505', { severity: 'ERROR' });
    expect(explained(unique, 'postgres', 'The database x')).toBe(unique);
    const constraint = failure('SQLITE_CONSTRAINT_PRIMARYKEY');
    expect(explained(constraint, 'sqlite', 'The store x')).toBe(constraint);
    expect(explained('no error', 'sqlite', 'The store x')).toBe('no error');
  });

  it('keeps the driver’s error as its cause, for the log', () => {
    const cause = failure('SQLITE_CORRUPT');
    expect(explained(cause, 'sqlite', 'The store x')).toHaveProperty('cause', cause);
  });
});
