/**
 * Returns what a person copies into a report of a fault in the window: the error with its stacks, the page and the
 * browser. The address is without its values, which may name things of the platform.
 */
export function failureReport(part: string, error: unknown, componentStack: string): string {
  const names = [...new URLSearchParams(location.search)].map(([name, value]) =>
    name === 'tab' ? `tab=${value}` : name,
  );
  return [
    `Operator Console: ${part} failed`,
    `Time: ${new Date().toISOString()}`,
    `Address: /?${names.join('&')}`,
    `Browser: ${navigator.userAgent}`,
    '',
    error instanceof Error ? (error.stack ?? String(error)) : String(error),
    ...(componentStack === '' ? [] : ['', `Components:${componentStack}`]),
    '',
  ].join('\n');
}
