import type { ErrorClass } from '#shared/api/symptoms.ts';

/** The speaker of a line. Only a program's and a proxy's own errors are about the program. */
export type Speaker = 'program' | 'kubelet' | 'registry' | 'api_server' | 'test' | 'prose' | 'access_log';

const registry =
  /Failed to pull image|pulling image|ErrImagePull|ImagePullBackOff|failed to pull and unpack|failed to resolve (?:reference|image)|pull access denied|failed to do request: Head|httpReadSeeker|ghcr\.io\/token|\/v2\/[\w./-]{1,200}\/(?:manifests|blobs)\/|error parsing HTTP \d{3} response body|Error response from daemon/i;
const kubelet =
  /\b(?:Liveness|Readiness|Startup) probe (?:failed|errored|warning)|Back-off restarting failed|MountVolume\.|Unable to (?:attach or )?mount volumes|FailedMount|FailedCreatePodSandBox|Failed to create pod sandbox|failed to (?:set up|setup|destroy) (?:sandbox|network)|\bkubelet(?:\[\d+\]|\.go)|\b(?:prober|pod_workers|kuberuntime_\w+|remote_runtime|kubelet_\w+|nestedpendingoperations)\.go:\d+|Kubelet stopped posting/;
const apiServer =
  /^(?:Error from server|The connection to the server \S{1,200} was refused|Unable to connect to the server|error: You must be logged in to the server)|\bE\d{4} .{0,60}(?:trace|dispatcher|controller)\.go:\d+\].{0,200}apiserver/;
/** Errors of the connection to the API server, or from it to a kubelet: no answer to a request. */
const ofConnection: ReadonlySet<ErrorClass> = new Set([
  'refused',
  'timed_out',
  'reset',
  'unresolved',
  'untrusted',
  'expired',
]);
/** An entry about a caller, not about what the program calls. */
const accessLog =
  /"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,2000}(?: HTTP\/[\d.]{1,3})?" \d{3}\b|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/\S{0,1000} (?:HTTP\/[\d.]{1,3} )?\d{3}\b.{0,60}(?:ms|µs|\ds\b|\d{1,10}$)|\[GIN\]|"(?:remote_?addr|client_?ip|user_?agent|remoteAddress)":/i;
/** Classes that an access log has status codes for. */
const ofStatus: ReadonlySet<ErrorClass> = new Set([
  'unauthorised',
  'forbidden',
  'not_found',
  'too_large',
  'rate_limited',
  'unavailable',
  'timed_out',
]);

const test =
  /^\s*(?:=== (?:RUN|PAUSE|CONT)|--- (?:PASS|FAIL|SKIP):|ok {2,}\t?\S+\s+[\d.]+s|PASS\b|FAIL\s+\S+|✓|✔|✗|✘|√|not ok \d|ok \d+ -|Tests?:\s+\d|Tests run: \d|\d+ (?:passing|failing|passed|failed)\b|collected \d+ items|={3,} .{0,60}(?:test session starts|passed|failed|FAILURES|short test summary))|\b(?:PASSED|FAILED) +\[ *\d+%\]|\b\w+_test\.go:\d+|\.(?:spec|test)\.[jt]sx?\b|\bsrc\/test\/|\btest_\w+\.py::|\b(?:should|it) (?:return|reject|throw|fail)s? .{0,80}(?:when|if|on|with)\b/;

const prose =
  /^\s*(?:#{1,6} |> |\* |- (?!-)|\d{1,2}[.)] |<!--|\/\/ |\/\*|\|)|`[^`]{0,200}(?:refused|timed? ?out|denied|not found|unauthori[sz]ed|forbidden|x509|no such|reset by)[^`]{0,200}`|\b(?:e\.g\.|for example|for instance|such as|if you (?:see|get|receive|run into|encounter)|you (?:may|might|will|should|can) (?:see|get|receive)|(?:this|which|that) (?:means|indicates|usually|typically)|usually means|how to fix|troubleshoot(?:ing)? guide|documentation|FAQ|known issue|error messages? like|errors? like|in case of|would be|is expected when)\b/i;

/** A line that a program wrote, however it reads: it begins with a time or a level. */
const logged =
  /^\s*(?:\S{0,80} )?(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]|[IWEF]\d{4} \d\d:|\{"|time=|ts=|level=|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)\b|\w{3} +\d{1,2} \d\d:\d\d:\d\d )/;

/** Returns who a line is by; `isText`: it is of a pasted text, in which a person may write, too. */
export function speakerOf(line: string, error: ErrorClass, isText: boolean): Speaker {
  const start = line.slice(0, 4096);
  if (registry.test(start)) return 'registry';
  if (kubelet.test(start)) return 'kubelet';
  if (apiServer.test(start)) return ofConnection.has(error) ? 'program' : 'api_server';
  if (test.test(start)) return 'test';
  if (ofStatus.has(error) && accessLog.test(start)) return 'access_log';
  if (isText && !logged.test(start) && prose.test(start)) return 'prose';
  return 'program';
}

/** Lines of a test runner in a text from which on all of it is a test's output. */
const fewestTestLines = 2;

/** Returns whether a text is the output of tests, whose errors are theirs: whether it has so many lines of a test runner. */
export function isTestOutput(lines: readonly string[], fewest = fewestTestLines): boolean {
  let count = 0;
  for (const line of lines) {
    if (test.test(line.slice(0, 400))) count += 1;
    if (count >= fewest) return true;
  }
  return false;
}

export type Level = 'debug' | 'info' | 'warning' | 'error';

const levels: readonly (readonly [Level, RegExp])[] = [
  ['debug', /^(?:trace|debug|dbug|verbose|fine|finer|finest|10|20|d|t|v)$/i],
  ['info', /^(?:info|information|notice|log|inf|30|i|n)$/i],
  ['warning', /^(?:warn|warning|40|w|wrn)$/i],
  ['error', /^(?:error|err|fatal|critical|crit|panic|severe|emerg|alert|dpanic|50|60|e|f|c|fail|eror|ftl)$/i],
];

/** The level of a line: as JSON, as logfmt, as klog, in brackets, or as a word in capitals near its beginning. */
const levelPlaces: readonly RegExp[] = [
  /"(?:level|severity|lvl|log\.level|loglevel|@l)"\s*:\s*"?([A-Za-z]{3,11}|\d0)\b/i,
  /(?:^|\s)(?:level|lvl|severity)=\\?"?([A-Za-z]{3,11})\b/i,
  /^\s*([IWEFD])\d{4} \d\d:\d\d/,
  /\[(trace|debug|info|information|notice|warn|warning|error|fatal|critical|crit|emerg|alert|severe|err)\]/i,
  /^.{0,80}?\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|PANIC|LOG|DETAIL|HINT)\b/,
  /^(?:\S+ )?(info|warn|fail|crit|dbug|error)\s*:/,
];

/** Returns the level that a line has, where it says so. */
export function levelOf(line: string): Level | undefined {
  const start = line.slice(0, 400);
  for (const place of levelPlaces) {
    const word = place.exec(start)?.[1];
    const level = word === undefined ? undefined : levels.find(([, pattern]) => pattern.test(word))?.[0];
    if (level !== undefined) return level;
  }
  return undefined;
}
