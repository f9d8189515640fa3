import { expect, test } from 'vitest';
import {
  mayNavigate,
  mayRequest,
  opensInBrowser,
  windowOrigin,
} from '../../../src-main/desktop/origin-rules.ts';

const origin = 'http://127.0.0.1:4100';

test('the window goes to addresses of its own origin', () => {
  for (const address of [origin, `${origin}/`, `${origin}/?tab=settings#x`, `${origin}/studio/?chat=new`])
    expect(mayNavigate(address, origin, 'main'), address).toBe(true);
});

test('the window goes nowhere else, however much an address looks like its own', () => {
  for (const address of [
    'http://127.0.0.1:41001/',
    'http://127.0.0.1/',
    'https://127.0.0.1:4100/',
    'http://localhost:4100/',
    'http://127.0.0.1:4100@evil.example/',
    'http://127.0.0.1:4100.evil.example/',
    'http://user:word@127.0.0.1:4100/',
    'http://evil.example/http://127.0.0.1:4100/',
    'blob:http://127.0.0.1:4100/1b4e28ba',
    'data:text/html,x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'chrome://settings',
    'about:blank',
    '//evil.example',
    '',
  ])
    expect(mayNavigate(address, origin, 'main'), address).toBe(false);
});

test('a frame may also be empty or written by its page', () => {
  expect(mayNavigate('about:blank', origin, 'sub')).toBe(true);
  expect(mayNavigate('about:srcdoc', origin, 'sub')).toBe(true);
  expect(mayNavigate('about:config', origin, 'sub')).toBe(false);
  expect(mayNavigate('https://example.com/', origin, 'sub')).toBe(false);
});

test('a request reaches the own origin and https hosts, never another port of the machine or plain http', () => {
  for (const address of [
    `${origin}/api/me`,
    'ws://127.0.0.1:4100/studio/live',
    'https://example.com/logo.png',
  ])
    expect(mayRequest(address, origin), address).toBe(true);
  for (const address of [
    'http://127.0.0.1:4101/',
    'ws://127.0.0.1:4101/',
    'https://127.0.0.1:4100/',
    'https://127.9.9.9/',
    'https://localhost:8443/',
    'https://other.localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://0.0.0.0/',
    'http://192.168.1.1/',
    'http://example.com/',
    'ftp://example.com/',
    'nonsense',
  ])
    expect(mayRequest(address, origin), address).toBe(false);
});

test('only an https link without credentials opens in the browser', () => {
  expect(opensInBrowser('https://github.com/example/app/actions/runs/1')).toBe(true);
  for (const address of [
    'http://github.com/',
    'https://user:word@github.com/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'smb://host/share',
    'operator-console://open',
    `https://example.com/${'a'.repeat(2100)}`,
    'nonsense',
  ])
    expect(opensInBrowser(address), address).toBe(false);
});

test('a console on every address is opened over loopback', () => {
  expect(windowOrigin('http://127.0.0.1:4100')).toBe('http://127.0.0.1:4100');
  expect(windowOrigin('http://0.0.0.0:4100')).toBe('http://127.0.0.1:4100');
  expect(windowOrigin('http://[::]:4100')).toBe('http://[::1]:4100');
});
