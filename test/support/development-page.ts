import { rooms } from './rooms.ts';

/** The part of docs/development.md that is written from the table of rooms. */
const marked =
  /(<!-- rooms: written by npm run docs from test\/support\/rooms\.ts -->\n)[\s\S]*?(<!-- end of rooms -->\n)/;

/** Returns docs/development.md with its table of rooms written anew. Throws when the page has lost the lines around it. */
export function developmentPage(page: string): string {
  if (!marked.test(page))
    throw new Error('docs/development.md has lost the lines around its table of rooms.');
  return page.replace(marked, (_, begin: string, end: string) => `${begin}\n${table()}\n${end}`);
}

function table(): string {
  const rows = rooms.map(({ path, holds, imports, units }) => {
    const others =
      imports.length === 0 ? 'nothing' : imports.map((each) => `\`${shortName(each)}\``).join(', ');
    const unit =
      units === undefined ? '' : units === 'apart' ? '; no cross-imports' : '; imported by `index.ts`';
    return `| \`${path}\` | ${holds}${unit} | ${others} |\n`;
  });
  return `| room | what lives there | may import |\n|---|---|---|\n${rows.join('')}`;
}

/** Without the folder of the program, which the row says already. */
const shortName = (path: string): string => path.replace(/^src-(?:main|renderer)\//, '');
