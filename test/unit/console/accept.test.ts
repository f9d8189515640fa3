import { describe, expect, it } from 'vitest';
import { prefersToJson } from '../../../src-main/console/accept.ts';

const prometheus = 'text/plain; version=0.0.4';

describe('a caller of /api/metrics', () => {
  it.each([
    'text/plain',
    'text/*',
    'text/plain; version=0.0.4',
    'text/plain;version="0.0.4"',
    'TEXT/PLAIN; Version=0.0.4; charset=utf-8',
    'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'application/json;q=0.4, text/plain;q=0.5',
    'application/json;q=0, */*',
    'text/plain, application/json',
  ])('gets text for Accept: %s', (accept) => {
    expect(prefersToJson(accept, prometheus)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/plain;q=0',
    'text/plain;version=0.0.4;q=0, text/*;q=0.5, */*;q=0.4',
    'text/plain;q=0.3, */*;q=0.4, application/json;q=0.4',
    'text/plain;version=1.0.0',
    'text/html, */*',
    'text/plain;q=high',
    'text/plain;q=0.4, application/*;q=0.5',
  ])('gets JSON for Accept: %s', (accept) => {
    expect(prefersToJson(accept, prometheus)).toBe(false);
  });
});

it('is not misled by commas and semicolons in quoted strings, and ends soon on any text', () => {
  expect(prefersToJson('application/json;a="text/plain, text/plain;q=1"', prometheus)).toBe(false);
  const began = performance.now();
  prefersToJson(`text/plain;a="${'\\"'.repeat(8000)}`, prometheus);
  prefersToJson(`${'"'.repeat(16_000)},;`, prometheus);
  expect(performance.now() - began).toBeLessThan(200);
});
