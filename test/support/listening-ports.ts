import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns the TCP ports a process listens on over IPv4; none where the system has no `/proc`. */
export function listeningPorts(pid: number): number[] {
  const inodes = new Set(
    entries(`/proc/${pid}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode === undefined ? [] : [inode];
    }),
  );
  if (inodes.size === 0) return [];
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      // 0A is LISTEN (include/net/tcp_states.h).
      if (state !== '0A' || !inodes.has(inode)) return [];
      return [Number.parseInt(local.split(':')[1] ?? '', 16)];
    });
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty for a descriptor that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
