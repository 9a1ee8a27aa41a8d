import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi} from 'vitest'
import {lockFolder, lockFolderSoon} from '#server/store/folder-lock.ts'
import {processStartTime} from '#server/store/process-table.ts'
import {copyCluster, createCluster, endChildren, holdFolder, newDataFolder} from './embedded.fixtures.ts'

/** Made once: initdb is the slow part, and one test is about it. */
let made: string
let folder: string
const children = new Set<ChildProcess>()

beforeAll(async () => {
  made = await createCluster()
})
afterAll(() => rmSync(made, {recursive: true}))

const prepare = (dataDir = folder) => copyCluster(made, dataDir)

beforeEach(() => {
  folder = newDataFolder()
})
afterEach(() => {
  endChildren(children)
  rmSync(folder, {recursive: true, force: true})
})

const hold = () => holdFolder(folder, children)

describe('a second start (R61)', () => {
  test('is refused while the first runs, and works after it', async () => {
    prepare()
    const {child} = await hold()
    const second = await hold()
    expect(second.line).toBe(
      `refused The data folder ${folder} is in use by process ${child.pid}. Stop that server, or set DATA_DIR to another folder.`,
    )
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect((await hold()).line).toMatch(/^ready \d+$/)
  })

  test('a lock of a pid that was given again, of a dead process and of nobody is replaced', () => {
    const file = join(folder, 'atrium.lock')
    for (const content of [
      JSON.stringify({pid: process.pid, startTime: 'another'}),
      JSON.stringify({pid: 2 ** 22 + 1, startTime: '1'}),
      '{"pid":',
      '',
    ]) {
      writeFileSync(file, content)
      const unlock = lockFolder(folder)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
        pid: process.pid,
        startTime: processStartTime(process.pid),
      })
      unlock()
      expect(existsSync(file)).toBe(false)
    }
  })

  describe('beside one that is about to end', () => {
    const self = () => ({pid: process.pid, startTime: processStartTime(process.pid) ?? ''})
    const gone = {pid: 2 ** 22 + 1, startTime: '1'}
    const holdBy = (holder: object) => writeFileSync(join(folder, 'atrium.lock'), JSON.stringify(holder))
    const refusal = () => `The data folder ${folder} is in use by process ${process.pid}. Stop that server`

    test('waits until it has given the folder back, says so once, and leaves nothing of itself behind', async () => {
      const first = await lockFolderSoon(folder)
      first.leave()
      const said: string[] = []
      let pauses = 0
      const second = await lockFolderSoon(folder, {
        tell: (sentence) => said.push(sentence),
        pause: async () => {
          pauses += 1
          if (pauses === 3) first.unlock()
        },
      })
      expect([said, pauses]).toEqual([
        [`The server that ran before (process ${process.pid}) is still stopping; waiting for it.`],
        3,
      ])
      second.unlock()
      expect(readdirSync(folder)).toEqual([])
    })

    test('waits for one whose supervisor was killed until it has ended', async () => {
      const child = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 60_000)'], {stdio: 'ignore'})
      children.add(child)
      const pid = child.pid ?? 0
      holdBy({pid, startTime: processStartTime(pid), supervisor: gone})
      const ended = once(child, 'exit')
      const lock = await lockFolderSoon(folder, {
        tell: () => child.kill('SIGKILL'),
        pause: async () => void (await ended),
      })
      expect(JSON.parse(readFileSync(join(folder, 'atrium.lock'), 'utf8'))).toEqual(self())
      lock.unlock()
    })

    test('is refused at once while the other and its supervisor are well', async () => {
      holdBy({...self(), supervisor: {pid: process.ppid, startTime: processStartTime(process.ppid)}})
      const tell = vi.fn()
      const pause = vi.fn()
      await expect(lockFolderSoon(folder, {tell, pause})).rejects.toThrow(refusal())
      expect([tell.mock.calls, pause.mock.calls]).toEqual([[], []])
    })

    test('is refused in the end where the other never ends, and ends its wait when it is told to', async () => {
      holdBy({...self(), isLeaving: true})
      const pause = vi.fn(() => Promise.resolve())
      await expect(lockFolderSoon(folder, {pause})).rejects.toThrow(refusal())
      expect(pause).toHaveBeenCalledTimes(150)
      const reason = new Error('foo')
      const stopping = new AbortController()
      const wait = lockFolderSoon(folder, {
        tell: () => stopping.abort(reason),
        signal: stopping.signal,
        pause: () => Promise.resolve(),
      })
      await expect(wait).rejects.toBe(reason)
    })

    test('says to the next who keeps it running', async () => {
      const lock = await lockFolderSoon(folder, {supervisorPid: process.ppid})
      const supervisor = {pid: process.ppid, startTime: processStartTime(process.ppid)}
      const written = () => JSON.parse(readFileSync(join(folder, 'atrium.lock'), 'utf8')) as unknown
      expect(written()).toEqual({...self(), supervisor})
      lock.leave()
      expect(written()).toEqual({...self(), supervisor, isLeaving: true})
      lock.unlock()
    })
  })

  test('giving back does not take the lock of another process', () => {
    const unlock = lockFolder(folder)
    const other = JSON.stringify({pid: 1, startTime: 'foo'})
    writeFileSync(join(folder, 'atrium.lock'), other)
    unlock()
    expect(readFileSync(join(folder, 'atrium.lock'), 'utf8')).toBe(other)
  })
})
