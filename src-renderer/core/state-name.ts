/** The six states of the product. Colour is never their only sign: each has its own shape. */
export type StateName = 'healthy' | 'degraded' | 'failing' | 'unknown' | 'idle' | 'working';
