const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** A number to three significant digits without an empty fraction: `0.25`, `1.5`, `12.3`, `1,024`. */
export function formatNumber(value: number): string {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-GB')
    : String(Number(value.toPrecision(3)));
}

/** Memory in its largest binary unit: `512 MiB`, `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatNumber(value)} ${units[unit]}`;
}

/** CPU: `1 core`, `0.25 cores`. */
export const formatCores = (cores: number): string => formatCount(cores, 'core');

/** A number with what it counts: `1 pod`, `3 pods`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** A share of one in percent; a share that is there is never rounded to none: `below 1 %`. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return 'below 1 %';
  return `${Math.round(share * 100)} %`;
}

/** An amount in the smallest unit of its currency, such as `€0.42`; a currency that the browser does not know stands by its code. */
export function formatCost(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
