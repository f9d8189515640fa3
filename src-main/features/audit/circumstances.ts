import type { AuditDetail } from '#shared/api/handler.ts';

/** Most UTF-16 units kept of what a program calls itself. */
const longestAgent = 300;

/** Returns the origin of a request, for its audit record. */
export function circumstancesOf(request: {
  readonly address: string;
  readonly userAgent: string | undefined;
}): AuditDetail {
  const { address, userAgent } = request;
  return { address, ...(userAgent === undefined ? {} : { user_agent: userAgent.slice(0, longestAgent) }) };
}
