import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../../support/repo-root.ts';

const own = 'src-main/base/process-end.ts';
/** Calls that begin what outlives a request to end, and how far above one the end is asked for. */
const begins = /(?<![.\w])(?:spawn|fork|execFile|new Worker)\(/;
const above = 12;

const sources = globSync('src-main/**/*.ts', { cwd: repoRoot, exclude: ['**/web/**'] })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== own)
  .map((file) => ({ file, lines: readFileSync(join(repoRoot, file), 'utf8').split('\n') }));

/** What begins without asking whether the process is to end. */
function unasked(lines: readonly string[]): number[] {
  return lines.flatMap((line, i) => {
    if (!begins.test(line) || line.trimStart().startsWith('*')) return [];
    const before = lines.slice(Math.max(0, i - above), i).join('\n');
    return before.includes('processEnd.') ? [] : [i + 1];
  });
}

/** Runs a module in a process of its own: its end cannot be taken back. */
function inProcess(code: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: repoRoot,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('the end of the process', () => {
  it('is asked for before every program and thread that is started', () => {
    const places = sources
      // The command line starts the window as its whole work, and the exit watch is for the end itself.
      .filter(({ file }) => !/commands\/command-line\.ts$|desktop\/exit-watch\.ts$/.test(file))
      .flatMap(({ file, lines }) => unasked(lines).map((line) => `${file}:${line}`));
    expect(places).toEqual([]);
    expect(unasked(['const a = 1;', "const child = spawn('sh', []);"])).toEqual([2]);
  });

  it('is asked for before every listener and every computed key, by the one place that does either', () => {
    const places = sources.flatMap(({ file, lines }) =>
      lines.flatMap((line, i) =>
        /[sS]erver(?:\.net)?\.listen\(|\.listen\(\s*(?:0|\{)|(?<![.\w'])scrypt\(/.test(line)
          ? [`${file}:${i + 1}`]
          : [],
      ),
    );
    expect(places).toEqual([]);
  });

  it('refuses a listener, also one that was on its way, and a key', () => {
    const heard = inProcess(`
      import { createServer } from 'node:net';
      import { beginProcessEnd, deriveKey, isComputing, isProcessEnding, listenOn } from './${own}';
      const said = (work) => work.then(() => 'done', (error) => isProcessEnding(error));
      const before = createServer();
      const late = createServer();
      const address = await listenOn(before, { port: 0, host: '127.0.0.1' });
      const key = deriveKey('a', 'b', 32, { N: 1024 });
      const computing = isComputing();
      const onItsWay = said(listenOn(late, { port: 0, host: '127.0.0.1' }));
      beginProcessEnd();
      const answers = {
        listened: address.port > 0,
        computing,
        onItsWay: await onItsWay,
        listener: await said(listenOn(createServer(), { port: 0, host: '127.0.0.1' })),
        key: await said(deriveKey('a', 'b', 32, {})),
        begun: (await key).length,
        over: isComputing(),
        closed: !late.listening,
      };
      before.close();
      console.log(JSON.stringify(answers));
    `);
    expect(heard).toEqual({
      listened: true,
      computing: true,
      onItsWay: true,
      listener: true,
      key: true,
      begun: 32,
      over: false,
      closed: true,
    });
  });
});
