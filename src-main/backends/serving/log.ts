/** The part of a pino logger that backends use. Nothing a person wrote is logged, and no secret: ids and failures only. */
export type BackendLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** A log that keeps nothing, for callers that bring none. */
export const silentLog: BackendLog = { info() {}, warn() {}, error() {} };
