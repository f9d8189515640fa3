/** The session cookie (CON-002). */
export const sessionCookie = 'console_session';
