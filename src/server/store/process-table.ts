import {execFileSync} from 'node:child_process'
import {existsSync, readdirSync, readFileSync, readlinkSync} from 'node:fs'
import {basename} from 'node:path'

const hasProc = existsSync('/proc/self/stat')

/**
 * The start time of a process, as text that can only be compared with another of the same machine: it tells a reused
 * pid apart. `undefined` if no such process lives; a zombie does not live.
 */
export function processStartTime(pid: number): string | undefined {
  if (!hasProc) {
    try {
      const [state = '', ...start] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {encoding: 'utf8'})
        .trim()
        .split(/\s+/)
      return state.startsWith('Z') || start.length === 0 ? undefined : start.join(' ')
    } catch {
      return undefined // `ps` exits with 1 when there is no such process
    }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

/** Living postgres processes that work in `folder` (its real path): the postmaster and its children. */
export function postgresProcessesIn(folder: string, postmasterPid: number | undefined): number[] {
  if (!hasProc) return postmasterPid !== undefined && isPostgres(postmasterPid) ? [postmasterPid] : []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === folder &&
          basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '') === 'postgres'
        )
      } catch {
        return false // ended since, a zombie, or another user's: then it is not ours to end
      }
    })
}

function isPostgres(pid: number): boolean {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {encoding: 'utf8'}).includes('postgres')
  } catch {
    return false // no such process
  }
}
