/** One media range of an Accept header. */
type Range = {
  readonly type: string;
  readonly parameters: readonly string[];
  readonly weight: number;
  /** Place in the header. */
  readonly at: number;
};

/**
 * Whether a caller prefers a media type, given with its parameters, to JSON (RFC 9110 section 12.5.1): the most specific range
 * that matches a form says its weight, a weight of 0 refuses it, and of two with the same the one named first is sent. A
 * wildcard names neither, and no Accept is content with JSON.
 */
export function prefersToJson(accept: string | undefined, type: string): boolean {
  const ranges = rangesOf(accept ?? '*/*');
  const wanted = bestFor(ranges, type);
  if (wanted === undefined || wanted.weight === 0) return false;
  const json = bestFor(ranges, 'application/json');
  if (json === undefined || json.weight !== wanted.weight) return wanted.weight > (json?.weight ?? 0);
  return specificity(wanted) > 1 && (specificity(json) <= 1 || wanted.at < json.at);
}

function rangesOf(accept: string): Range[] {
  return split(accept, ',').flatMap((text, at) => {
    const [type = '', ...rest] = split(text, ';').map((part) => part.trim().toLowerCase());
    const end = rest.findIndex((part) => /^q\s*=/.test(part));
    const weight =
      end < 0 ? 1 : Number(/^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(rest[end] ?? '')?.[1] ?? Number.NaN);
    // A weight that is none makes a range nobody can follow.
    if (type === '' || !(weight >= 0 && weight <= 1)) return [];
    return [{ type, parameters: (end < 0 ? rest : rest.slice(0, end)).map(unquoted), weight, at }];
  });
}

/** The range that says most about a media type: the one with parameters before the bare one, that before `text/*`. */
function bestFor(ranges: readonly Range[], mediaType: string): Range | undefined {
  const [type = '', ...given] = mediaType.split(';').map((part) => part.trim());
  // Every form is sent in UTF-8.
  const parameters = [...given, 'charset=utf-8'];
  return ranges
    .filter(
      (range) =>
        (range.type === type || range.type === `${type.split('/', 1)[0]}/*` || range.type === '*/*') &&
        range.parameters.every((parameter) => parameters.includes(parameter)),
    )
    .toSorted((a, b) => specificity(b) - specificity(a) || a.at - b.at)[0];
}

function specificity({ type, parameters }: Range): number {
  if (type === '*/*') return 0;
  return type.endsWith('/*') ? 1 : 2 + parameters.length;
}

/** Splits at a separator that stands in no quoted string (RFC 9110 section 5.6.4), in one pass: the text is anybody's. */
function split(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** A parameter without spaces around its `=` and without quotes, which mean nothing (RFC 9110 section 8.3.1). */
function unquoted(parameter: string): string {
  const [, name = '', value = ''] = /^([^=\s]+)\s*=\s*"?(.*?)"?$/.exec(parameter) ?? [];
  return `${name}=${value}`;
}
