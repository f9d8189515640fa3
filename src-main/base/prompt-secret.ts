/**
 * Reads a line from the terminal without echoing it. Ctrl-C ends the process as usual. Only where standard
 * input is a terminal.
 */
export function promptSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  // First, so that an answer that follows the question at once is not shown either.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding('utf8');
  stdin.resume();
  return new Promise((resolve) => {
    let typed = '';
    const end = (): void => {
      stdin.off('data', read);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const read = (text: string): void => {
      const letters = [...text];
      for (const [at, letter] of letters.entries()) {
        if (letter === '\r' || letter === '\n' || letter === '\u0004') {
          end();
          // Pasted together with this line: it belongs to the next question.
          const rest = letters.slice(at + 1).join('');
          if (rest !== '') stdin.unshift(rest, 'utf8');
          resolve(typed);
          return;
        }
        if (letter === '\u0003') {
          end();
          process.kill(process.pid, 'SIGINT');
          return;
        }
        if (letter === '\u007f' || letter === '\b') typed = [...typed].slice(0, -1).join('');
        else if (letter >= ' ') typed += letter;
      }
    };
    stdin.on('data', read);
  });
}
