import { expect, it } from 'vitest';
import { dialableAddress } from '../../../src-main/base/loopback.ts';

it('dials names under localhost at localhost, which every resolver knows, and leaves all others as they are', () => {
  for (const [given, dialled] of [
    ['http://console.localhost:8700', 'http://localhost:8700/'],
    ['http://Console.LOCALHOST.:8700/x?y=1', 'http://localhost:8700/x?y=1'],
    ['https://console.example.com', 'https://console.example.com'],
    ['http://localhost:8700', 'http://localhost:8700'],
    ['http://127.0.0.1:8700', 'http://127.0.0.1:8700'],
    ['http://localhost.example.com', 'http://localhost.example.com'],
    ['http://notlocalhost', 'http://notlocalhost'],
  ] as const)
    expect(dialableAddress(given)).toBe(dialled);
});
