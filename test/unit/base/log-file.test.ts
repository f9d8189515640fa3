import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLogFile } from '../../../src-main/base/log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const logs = () => join(folder, 'logs');
const open = (mostBytes = 100, files = 3) =>
  openLogFile({ file: join(logs(), 'console.log'), mostBytes, files });

describe('the log file', () => {
  test('is its owner’s only, and goes on where an earlier program left it', () => {
    for (const line of ['first\n', 'second\n']) {
      const log = open();
      log.write(line);
      log.close();
      log.write('after its end\n');
    }
    expect(readFileSync(join(logs(), 'console.log'), 'utf8')).toBe('first\nsecond\n');
    expect(statSync(join(logs(), 'console.log')).mode & 0o777).toBe(0o600);
    expect(statSync(logs()).mode & 0o777).toBe(0o700);
  });

  test('never grows over its bound, whoever writes to it', () => {
    const [one, other] = [open(), open()];
    for (let i = 0; i < 60; i += 1) {
      one.write(`one ${i} ${'x'.repeat(20)}\n`);
      other.write(`two ${i} ${'x'.repeat(20)}\n`);
    }
    expect(readdirSync(logs()).toSorted()).toEqual(['console.1.log', 'console.2.log', 'console.log']);
    for (const name of readdirSync(logs()))
      expect(statSync(join(logs(), name)).size).toBeLessThanOrEqual(200);
    const kept = ['console.2.log', 'console.1.log', 'console.log']
      .map((name) => readFileSync(join(logs(), name), 'utf8'))
      .join('');
    expect(kept).toContain('one 59');
    expect(kept).toContain('two 59');
    expect(kept).not.toContain('one 0 ');
  });

  test('leaves out a line that would push all others out, and says so', () => {
    const log = open(10_000_000);
    log.write(`${'x'.repeat(300_000)}\n`);
    expect(JSON.parse(readFileSync(log.file, 'utf8'))).toMatchObject({
      level: 40,
      msg: 'a log line of 300001 characters was left out',
    });
  });

  test('harms nobody when it cannot be written', () => {
    writeFileSync(logs(), 'a file where the folder should be');
    const log = open();
    expect(() => log.write('lost\n')).not.toThrow();
    expect(() => log.close()).not.toThrow();
  });

  test.skipIf(process.platform !== 'linux')('harms nobody when the disk is full', () => {
    const log = openLogFile({ file: '/dev/full', mostBytes: 100, files: 3 });
    expect(() => log.write('lost\n')).not.toThrow();
  });
});
