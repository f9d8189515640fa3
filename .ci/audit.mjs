// Fails when a package that ships has a known vulnerability of severity high or critical. A registry without an
// audit is reported as skipped: a mirror often has none, and that is no reason to stop a build.
import { spawnSync } from 'node:child_process';

const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 64 * 1024 * 1024,
});
if (error) throw error;

/** The report, or undefined when the registry gave none. */
function reportOf(text) {
  try {
    const report = JSON.parse(text);
    return typeof report.auditReportVersion === 'number' ? report : undefined;
  } catch {
    return undefined;
  }
}

const report = reportOf(stdout);
if (report === undefined) {
  console.log('npm audit: skipped: the registry gives no audit');
} else {
  const severe = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) =>
    ['high', 'critical'].includes(severity),
  );
  for (const { name, severity, range } of severe) console.log(`npm audit: ${severity}: ${name} ${range}`);
  console.log(`npm audit: ${severe.length} of severity high or critical in what ships`);
  process.exitCode = severe.length > 0 ? 1 : 0;
}
