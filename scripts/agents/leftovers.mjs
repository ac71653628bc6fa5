// Agents leave daemons behind. They are found by the home directory that they were started with.
import { readFileSync, readdirSync } from 'node:fs';

/** Ends every process with this home directory. */
export function endLeftovers(home) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (env.includes(`HOME=${home}`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or is not ours.
    }
}
