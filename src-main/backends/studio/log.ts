/** The part of a pino logger the studio uses. Nothing a person wrote is logged, only ids and failures. */
export type StudioLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** A log that keeps nothing, for callers that bring none. */
export const silentLog: StudioLog = { info() {}, warn() {}, error() {} };
