import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../start/program.ts';

/**
 * Returns the frame of the window as an address without a server: the rail and the top bar of the built page, without its
 * scripts and files. It is what the page itself paints first, so nothing moves when that takes its place. Where the
 * window is not built, the frame is an empty page in its colour.
 */
export function framePage(dark: boolean): string {
  const page = builtPage()
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    .replace(/<(?:link|base)\b[^>]*>/g, '')
    .replace('<html ', `<html data-mantine-color-scheme="${dark ? 'dark' : 'light'}" `)
    .replace(
      '<head>',
      `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
  return `data:text/html;charset=utf-8;base64,${Buffer.from(page).toString('base64')}`;
}

function builtPage(): string {
  try {
    return readFileSync(join(projectRoot(), 'out', 'renderer', 'index.html'), 'utf8');
  } catch {
    return '<!doctype html><html lang="en"><head><title>Operator Console</title></head><body></body></html>';
  }
}
