/**
 * A backend that will not start: its message is the one line that is logged, and names what to do (BCK-061 to
 * BCK-073). The program ends with exit code 1 and nothing is left running.
 */
export class StartupRefused extends Error {
  override readonly name = 'StartupRefused';
}

/** A plain route that says no: its status with the sentence of the answer, `{"error": message}`. */
export class RouteRefused extends Error {
  override readonly name = 'RouteRefused';
  readonly status: number;
  /** Further headers of the answer, such as `www-authenticate`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
