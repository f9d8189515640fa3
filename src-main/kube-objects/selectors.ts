import { isJsonObject, listAt, objectAt, textAt, textsAt } from '../base/json-fields.ts';

/** Labels as kubectl prints them: `a=1,b=2` in the order of their names. */
export function labelsText(labels: unknown, none = '<none>'): string {
  const entries = isJsonObject(labels) ? Object.entries(labels) : [];
  const text = entries
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');
  return text === '' ? none : text;
}

/** A LabelSelector as kubectl prints it: `app=web,tier in (a,b),!old`, in the order of the names. */
export function selectorText(selector: unknown, none = '<none>'): string {
  const equal = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  const others = listAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key');
    const values = textsAt(expression, 'values').toSorted().join(',');
    return { key, text: expressionText(key, textAt(expression, 'operator'), values) };
  });
  const text = [...equal, ...others]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map((each) => each.text)
    .join(',');
  return text === '' ? none : text;
}

function expressionText(key: string, operator: string, values: string): string {
  if (operator === 'In') return `${key} in (${values})`;
  if (operator === 'NotIn') return `${key} notin (${values})`;
  return operator === 'DoesNotExist' ? `!${key}` : key;
}

export type Labels = Readonly<Record<string, string>>;

/**
 * Reads the text of a label selector, both forms of it (`app=web,!old`, `tier in (a,b)`). Returns whether labels have what
 * it wants; undefined for a text that is none.
 */
export function parseSelector(text: string): ((labels: Labels) => boolean) | undefined {
  const wanted = splitOutsideParentheses(text).map(requirement);
  if (wanted.some((matches) => matches === undefined)) return undefined;
  return (labels) => wanted.every((matches) => matches?.(labels) === true);
}

function requirement(text: string): ((labels: Labels) => boolean) | undefined {
  const [, setKey = '', operator, values = ''] = /^([^\s!=]+)\s+(in|notin)\s*\((.*)\)$/.exec(text) ?? [];
  if (operator !== undefined) {
    const set = new Set(values.split(',').map((value) => value.trim()));
    return operator === 'in'
      ? (labels) => has(labels, setKey) && set.has(labels[setKey] ?? '')
      : (labels) => !has(labels, setKey) || !set.has(labels[setKey] ?? '');
  }
  const [, key = '', equality, value = ''] = /^([^\s!=]+)\s*(==|=|!=)\s*([^\s=!]*)$/.exec(text) ?? [];
  if (equality !== undefined)
    return equality === '!='
      ? (labels) => !has(labels, key) || labels[key] !== value
      : (labels) => has(labels, key) && labels[key] === value;
  const [, absent, present] = /^(?:!\s*([^\s!=]+)|([^\s!=]+))$/.exec(text) ?? [];
  if (absent !== undefined) return (labels) => !has(labels, absent);
  if (present !== undefined) return (labels) => has(labels, present);
  return undefined;
}

function has(labels: object, key: string): boolean {
  return Object.hasOwn(labels, key);
}

function splitOutsideParentheses(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns whether a LabelSelector of an object takes labels; an empty one takes all, one that is absent nothing. */
export function selects(selector: unknown, labels: Readonly<Record<string, unknown>>): boolean {
  if (!isJsonObject(selector)) return false;
  const equal = Object.entries(objectAt(selector, 'matchLabels'));
  return (
    equal.every(([key, value]) => has(labels, key) && labels[key] === value) &&
    listAt(selector, 'matchExpressions').every((expression) => {
      const key = textAt(expression, 'key');
      const values = textsAt(expression, 'values');
      const value = labels[key];
      switch (textAt(expression, 'operator')) {
        case 'In':
          return values.some((each) => each === value);
        case 'NotIn':
          return !values.some((each) => each === value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
        default:
          return false;
      }
    })
  );
}
