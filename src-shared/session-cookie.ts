/** The session cookie (spec/console.md, What the service does 1). */
export const sessionCookie = 'console_session';
