/** Between two commands of a script: no argument of the one is an argument of the other. */
export const commandEnd = ';';

type Variables = ReadonlyMap<string, string>;

const variable = /^\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/;

/**
 * Splits a shell script into words as its commands get them (POSIX Shell Command Language, 2.2 and 2.3):
 * quotes, escapes, comments, line continuations and plain variables; `commandEnd` between commands. Anything
 * only a running shell can evaluate, such as `$(...)`, stays as written.
 */
export function shellWords(script: string, variables: Variables): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  const end = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  for (let at = 0; at < script.length; at += 1) {
    const char = script.charAt(at);
    if (quote === "'" && char !== "'") word += char;
    else if (char === '\\') {
      at += 1;
      if (script.charAt(at) !== '\n') word = (word ?? '') + script.charAt(at);
    } else if (char === "'" || char === '"') {
      if (quote === '' || quote === char) {
        quote = quote === '' ? char : '';
        word ??= '';
      } else word += char;
    } else if (char === '$') {
      const [reference, braced, fallback = '', plain] = variable.exec(script.slice(at)) ?? [];
      word =
        (word ?? '') + (reference === undefined ? char : (variables.get(braced ?? plain ?? '') ?? fallback));
      at += Math.max(0, (reference?.length ?? 1) - 1);
    } else if (quote !== '') word += char;
    else if (char === '#' && word === undefined) {
      const line = script.indexOf('\n', at);
      at = line === -1 ? script.length : line - 1;
    } else if (/[;&|\n]/.test(char)) {
      end();
      words.push(commandEnd);
    } else if (/\s/.test(char)) end();
    else word = (word ?? '') + char;
  }
  end();
  return words;
}
