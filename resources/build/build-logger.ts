import { createLogger, type Logger } from 'vite';

/** Returns Vite's logger for warnings, without those about what Vite itself does: nobody here can act on them. */
export function buildLogger(): Logger {
  const logger = createLogger('warn');
  const { warnOnce } = logger;
  // Vite says this of styles that its own CSS modules make.
  logger.warnOnce = (message, options) => {
    if (!message.includes('A PostCSS plugin did not pass the `from` option')) warnOnce(message, options);
  };
  return logger;
}

/** Options of Rolldown for every build: on a busy machine it would say which plugin took its time. */
export const quietChecks = { bundlerTimings: false } as const;
