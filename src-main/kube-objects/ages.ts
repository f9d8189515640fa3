/** Length of time as kubectl prints it (apimachinery, HumanDuration): `35s`, `3m20s`, `2d5h`, `7y355d`. Takes ms. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const years = Math.floor(days / 365);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return withRest(`${minutes}m`, seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return withRest(`${hours}h`, minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (hours < 192) return withRest(`${days}d`, hours % 24, 'h');
  if (days < 730) return `${days}d`;
  if (years < 8) return withRest(`${years}y`, days % 365, 'd');
  return `${years}y`;
}

function withRest(whole: string, rest: number, unit: string): string {
  return rest === 0 ? whole : `${whole}${rest}${unit}`;
}

/** Age of an RFC 3339 time, `<unknown>` without one. */
export function ageOf(time: string, now: number): string {
  return time === '' ? '<unknown>' : humanDuration(now - Date.parse(time));
}
