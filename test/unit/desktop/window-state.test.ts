import { expect, test } from 'vitest';
import { parseWindowState, placeWindow } from '../../../src-main/desktop/window-state.ts';

const left = { x: 0, y: 25, width: 1920, height: 1055 };
const right = { x: 1920, y: 0, width: 2560, height: 1440 };
const smallest = { minWidth: 1100, minHeight: 700 };

test('a state file is read when every number is sane, and is as none otherwise', () => {
  const state = { x: -10, y: 20, width: 1200, height: 800, maximized: true };
  expect(parseWindowState(JSON.stringify(state))).toEqual(state);
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...state, width: 'wide' }),
    JSON.stringify({ ...state, width: 0 }),
    JSON.stringify({ ...state, x: 1.5 }),
    JSON.stringify({ ...state, y: 1e99 }),
    JSON.stringify({ ...state, maximized: 1 }),
  ])
    expect(parseWindowState(text), text).toBeUndefined();
});

test('without a remembered state the window is centred at its first size', () => {
  expect(placeWindow(undefined, [left])).toEqual({ width: 1360, height: 860, ...smallest });
});

test('a window on a display that is there keeps its place and size', () => {
  const state = { x: 2000, y: 100, width: 1400, height: 900, maximized: false };
  expect(placeWindow(state, [left, right])).toEqual({
    x: 2000,
    y: 100,
    width: 1400,
    height: 900,
    ...smallest,
  });
});

test('a window on a display that was unplugged is centred, its size kept', () => {
  const state = { x: 2000, y: 100, width: 1400, height: 900, maximized: false };
  expect(placeWindow(state, [left])).toEqual({ width: 1400, height: 900, ...smallest });
});

test('a window that hangs over an edge is moved in, and one too large is made smaller', () => {
  expect(placeWindow({ x: 1500, y: -300, width: 1200, height: 800, maximized: false }, [left])).toEqual({
    x: 720,
    y: 25,
    width: 1200,
    height: 800,
    ...smallest,
  });
  expect(placeWindow({ x: 0, y: 0, width: 4000, height: 3000, maximized: false }, [left])).toEqual({
    ...left,
    ...smallest,
  });
});

test('a display smaller than the smallest window is filled, not overflowed', () => {
  const small = { x: 0, y: 0, width: 1024, height: 600 };
  expect(placeWindow(undefined, [small])).toEqual({
    width: 1024,
    height: 600,
    minWidth: 1024,
    minHeight: 600,
  });
});

test('a window is never smaller than its pages are drawn for', () => {
  expect(placeWindow({ x: 10, y: 30, width: 200, height: 100, maximized: false }, [left])).toMatchObject({
    width: 1100,
    height: 700,
  });
});

test('without any display the first size stands', () => {
  expect(placeWindow(undefined, [])).toMatchObject({ width: 1360, height: 860 });
});
