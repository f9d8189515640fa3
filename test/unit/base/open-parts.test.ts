import { describe, expect, test } from 'vitest';
import { closeOnce, closeTogether, openParts } from '../../../src-main/base/open-parts.ts';

type Line = { readonly message: string; readonly err: unknown };

function listening() {
  const lines: Line[] = [];
  return {
    lines,
    error: (fields: object, message: string) => {
      lines.push({ message, err: 'err' in fields ? fields.err : undefined });
    },
  };
}

const failing = (message: string) => async (): Promise<void> => {
  throw new Error(message);
};

describe('a start that fails', () => {
  test('closes what was open, last first, although one does not close, and throws its own reason', async () => {
    const log = listening();
    const closed: string[] = [];
    const starting = openParts(log, async (opened) => {
      opened.defer(() => void closed.push('store'));
      opened.defer(failing('the registry hangs'));
      opened.defer(() => void closed.push('server'));
      throw new Error('the port is taken');
    });
    await expect(starting).rejects.toThrow('the port is taken');
    expect(closed).toEqual(['server', 'store']);
    expect(log.lines).toEqual([{ message: 'a part did not close', err: new Error('the registry hangs') }]);
  });
});

describe('a stop', () => {
  test('closes every part, logs each failure, and names them all', async () => {
    const log = listening();
    const closed: string[] = [];
    const close = await openParts(log, async (opened) => {
      opened.defer(() => void closed.push('store'));
      opened.defer(failing('first'));
      opened.defer(() => closeTogether([{ close: failing('second') }, { close: failing('third') }]));
      return closeOnce(opened, log);
    });
    await expect(close()).rejects.toThrow('3 parts did not close: second; third; first');
    expect(closed).toEqual(['store']);
    expect(log.lines.map(({ err }) => (err instanceof Error ? err.message : err))).toEqual([
      'second',
      'third',
      'first',
    ]);
  });

  test('that is asked for twice closes once and tells both the same', async () => {
    let closed = 0;
    const log = listening();
    const close = await openParts(log, async (opened) => {
      opened.defer(async () => {
        closed += 1;
        throw new Error('late');
      });
      return closeOnce(opened, log);
    });
    const both = await Promise.allSettled([close(), close()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(closed).toBe(1);
    expect(log.lines).toHaveLength(1);
  });
});
