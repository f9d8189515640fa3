import Anser from 'anser';
import { escapes, withoutUnseen } from './log-line.ts';

/** The colours a log can ask for, as the themes have them. `default` is the text's own. */
export type LogColour = 'default' | 'grey' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** Style of a piece of a line. */
export type LogStyle = {
  readonly colour?: LogColour;
  readonly ground?: LogColour;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly struck?: true;
};

export type LogPiece = { readonly text: string; readonly style: LogStyle };

/**
 * A line as pieces of one look. Its texts together are `plainText` of it. Every line begins without colours: which were
 * on at the end of the line before is not known where only some lines are drawn.
 */
export function piecesOf(raw: string): readonly LogPiece[] {
  if (!raw.includes('\u001b')) {
    const text = withoutUnseen(raw);
    return text === '' ? [] : [{ text, style: {} }];
  }
  const anser = new Anser();
  const pieces: LogPiece[] = [];
  let style: LogStyle = {};
  let from = 0;
  const push = (to: number) => {
    const text = withoutUnseen(raw.slice(from, to));
    if (text !== '') pieces.push({ text, style });
  };
  for (const { 0: code, index } of raw.matchAll(escapes)) {
    push(index);
    from = index + code.length;
    const codes = /^\u005b([\d;:]*)m$/.exec(code.slice(1))?.[1];
    if (codes === undefined) continue;
    style = styleOf(anser.processChunkJson(`${withSemicolons(codes)}m`, { use_classes: true }, true));
  }
  push(raw.length);
  return pieces;
}

/** `38:2::255:0:0` as the older `38;2;255;0;0`, which is what anser reads; `4:3`, a curly underline, as `4`. */
const withSemicolons = (codes: string): string =>
  codes
    .replace(/(^|;)4:\d+/g, '$14')
    .replaceAll('::', ':')
    .replaceAll(':', ';');

type Entry = Pick<Anser.AnserJsonEntry, 'fg' | 'bg' | 'fg_truecolor' | 'bg_truecolor' | 'decorations'>;

function styleOf({ fg, bg, fg_truecolor, bg_truecolor, decorations }: Entry): LogStyle {
  const named = { colour: colourOf(fg, fg_truecolor), ground: colourOf(bg, bg_truecolor) };
  const reverse = decorations.includes('reverse');
  const colour = reverse ? (named.ground ?? 'default') : named.colour;
  const ground = reverse ? (named.colour ?? 'default') : named.ground;
  return {
    ...(colour !== undefined && { colour }),
    ...(ground !== undefined && { ground }),
    ...(decorations.includes('bold') && { bold: true }),
    ...(decorations.includes('dim') && { dim: true }),
    ...(decorations.includes('italic') && { italic: true }),
    ...(decorations.includes('underline') && { underline: true }),
    ...(decorations.includes('strikethrough') && { struck: true }),
  };
}

const named: Readonly<Record<string, LogColour>> = {
  'ansi-black': 'default',
  'ansi-white': 'default',
  'ansi-bright-white': 'default',
  'ansi-bright-black': 'grey',
};

/** anser's class of a colour as one of ours: black and white are the text's own, which differs with the theme. */
function colourOf(name: string | null, trueColour: string | null): LogColour | undefined {
  if (name === null) return undefined;
  if (named[name] !== undefined) return named[name];
  if (name === 'ansi-truecolor') {
    const [red = 0, green = 0, blue = 0] = (trueColour ?? '').split(', ').map(Number);
    return nearest(red, green, blue);
  }
  const index = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  if (index !== undefined) return paletteColour(Number(index));
  const hue = name.replace(/^ansi-(?:bright-)?/, '');
  return hues.find((known) => known === hue);
}

const hues = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;

/** Returns a colour of the 256-colour palette: 16 to 231 are a 6×6×6 cube, the rest are greys. */
function paletteColour(index: number): LogColour {
  if (index >= 232) return nearest((index - 232) * 10 + 8, (index - 232) * 10 + 8, (index - 232) * 10 + 8);
  const at = index - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return nearest(level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6));
}

/** The hue nearest to a colour; what has hardly any is grey, or the text's own near black and white. */
function nearest(red: number, green: number, blue: number): LogColour {
  const high = Math.max(red, green, blue);
  const spread = high - Math.min(red, green, blue);
  if (spread < 40) return high > 70 && high < 190 ? 'grey' : 'default';
  const sixth =
    high === red
      ? (green - blue) / spread + 6
      : high === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4;
  const angle = (sixth * 60) % 360;
  if (angle < 20 || angle >= 345) return 'red';
  if (angle < 70) return 'yellow';
  if (angle < 165) return 'green';
  if (angle < 200) return 'cyan';
  return angle < 265 ? 'blue' : 'magenta';
}
