const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const clock = (hour: string, minute: string): string => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
const isNumber = (field: string): boolean => /^\d+$/.test(field);
const stepOf = (field: string): number | undefined => {
  const step = /^\*\/(\d+)$/.exec(field)?.[1];
  return step === undefined ? undefined : Number(step);
};

/**
 * A cron expression in words, such as `every day at 02:30`; undefined for one whose words would be harder to read than
 * the expression itself. Steps that do not divide their hour or day start anew with it, so they are left to the
 * expression as well.
 */
export function scheduleLabel(expression: string): string | undefined {
  const fields = (macros[expression.trim()] ?? expression).trim().split(/\s+/);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields;
  if (fields.length !== 5 || minute === undefined || hour === undefined || month !== '*') return undefined;
  if (dayOfMonth === undefined || dayOfWeek === undefined) return undefined;
  const days = daysLabel(dayOfMonth, dayOfWeek);
  const often = oftenLabel(minute, hour);
  if (often !== undefined) return days === 'every day' ? often : days && `${often}, ${days}`;
  if (!isNumber(minute) || days === undefined) return undefined;
  const hours = hour.split(',');
  if (!hours.every(isNumber)) return undefined;
  return `${days} at ${listLabel(hours.map((at) => clock(at, minute)))}`;
}

function oftenLabel(minute: string, hour: string): string | undefined {
  const minutes = minute === '*' ? 1 : stepOf(minute);
  const hours = stepOf(hour);
  if (hour === '*' && minutes !== undefined && 60 % minutes === 0)
    return minutes === 1 ? 'every minute' : `every ${minutes} min`;
  if (!isNumber(minute)) return undefined;
  const past = minute === '0' ? '' : ` at ${minute} min past`;
  if (hour === '*' || hours === 1) return minute === '0' ? 'every hour' : `every hour${past}`;
  if (hours !== undefined && 24 % hours === 0) return `every ${hours} h${past}`;
  return undefined;
}

function daysLabel(dayOfMonth: string, dayOfWeek: string): string | undefined {
  if (dayOfMonth === '*' && dayOfWeek === '*') return 'every day';
  if (dayOfWeek === '*') return isNumber(dayOfMonth) ? `every month on day ${dayOfMonth}` : undefined;
  if (dayOfMonth !== '*') return undefined;
  const range = /^([\w]+)-([\w]+)$/.exec(dayOfWeek);
  const [from, to] = [dayName(range?.[1]), dayName(range?.[2])];
  if (from !== undefined && to !== undefined) return `${from} to ${to}`;
  const names = dayOfWeek.split(',').map(dayName);
  return names.every((name) => name !== undefined) ? `every ${listLabel(names)}` : undefined;
}

function dayName(field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  if (/^[0-7]$/.test(field)) return dayNames[Number(field) % 7];
  return dayNames.find((name) => name.slice(0, 3).toLowerCase() === field.toLowerCase());
}

const listLabel = (label: readonly (string | undefined)[]): string =>
  label.length < 2 ? String(label[0]) : `${label.slice(0, -1).join(', ')} and ${label.at(-1)}`;
