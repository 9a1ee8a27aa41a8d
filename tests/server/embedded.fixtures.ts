import {execFileSync, spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {silentLog} from '#server/log.ts'
import {startEmbeddedPostgres} from '#server/store/embedded-postgres.ts'

export const newDataFolder = () => mkdtempSync(join(tmpdir(), 'atrium-embedded-'))

/** A folder with a stopped cluster, for copies: initdb is the slow part. */
export async function createCluster(): Promise<string> {
  const folder = newDataFolder()
  await (await startEmbeddedPostgres(folder, silentLog, {fsync: 'off'})).stop()
  return folder
}

/** Puts the stopped cluster into a data folder, with its owner and modes. */
export const copyCluster = (from: string, dataDir: string) =>
  execFileSync('cp', ['-a', join(from, 'postgres'), join(dataDir, 'postgres')])

/** Starts a process that holds the folder; resolves with its first line. */
export async function holdFolder(
  folder: string,
  children: Set<ChildProcess>,
): Promise<{child: ChildProcess; line: string}> {
  const script = join(import.meta.dirname, 'hold-cluster.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder], {stdio: ['ignore', 'pipe', 'inherit']})
  children.add(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {child, line}
}

/** Ends the processes that still run. */
export function endChildren(children: Set<ChildProcess>): void {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  children.clear()
}
