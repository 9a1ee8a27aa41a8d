import {existsSync, readdirSync, rmSync, statfsSync} from 'node:fs'
import {freemem, tmpdir} from 'node:os'
import {join} from 'node:path'
import {silentLog} from '#server/log.ts'
import {StartFailure} from '#server/start-failure.ts'
import {takeOver} from '#server/store/cluster-processes.ts'
import {lockFolder} from '#server/store/folder-lock.ts'

/** A file system in memory on Linux; a small one in many containers. */
const memory = '/dev/shm'
/** Several times what the databases of a run take at once. */
const plenty = 4 * 2 ** 30

/**
 * Gives the folder for the databases of tests: in memory if there is plenty, else that of temporary files. On a disk
 * each new database costs several times as much (docs/decisions/0134-tests-do-less-work.md), and nothing of it is to
 * outlast the run.
 */
export function databaseFolder(folder = memory, least = plenty): string {
  if (!existsSync(folder)) return tmpdir()
  const {bavail, bsize} = statfsSync(folder)
  return Math.min(bavail * bsize, freemem()) >= least ? folder : tmpdir()
}

/** A run that was killed leaves its database running, and its folder; the next one ends and removes them. */
export async function removeAbandoned(prefix: string, isLeft: (name: string) => boolean = () => true): Promise<void> {
  for (const root of new Set([memory, tmpdir()].filter((each) => existsSync(each)))) {
    for (const name of readdirSync(root).filter((entry) => entry.startsWith(prefix) && isLeft(entry))) {
      const folder = join(root, name)
      if (!existsSync(join(folder, 'atrium.lock'))) continue
      try {
        lockFolder(folder)
      } catch (error) {
        if (error instanceof StartFailure) continue // its run lives
        throw error
      }
      await takeOver(join(folder, 'postgres'), silentLog)
      rmSync(folder, {recursive: true, force: true})
    }
  }
}
