import {execFileSync} from 'node:child_process'
import {mkdtempSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {describeSchema} from '#server/admin/schema.ts'
import {silentLog} from '#server/log.ts'
import {migrate, ownSchema} from '#server/store/migrate.ts'
import {headOf, textOf} from './ai.harness.ts'
import {builtServer} from './built-server.ts'
import {textFor} from './kill-loop.provider.ts'
import {call, Nodes, stream} from './nodes.harness.ts'

/*
 * The last release, built from its commit, beside this server on one database. Where the history of the project does
 * not reach back to it (a shallow clone), there is nothing to build.
 */

const release = {version: '0.1.0', commit: '53c99e59'}
const root = resolve(import.meta.dirname, '../..')
const hasRelease = (): boolean => {
  try {
    execFileSync('git', ['cat-file', '-e', `${release.commit}^{commit}`], {cwd: root, stdio: 'ignore'})
    return true
  } catch {
    return false
  }
}

/** Builds the release with the packages of this project; gives its server. */
function buildRelease(folder: string): string {
  const archive = execFileSync('git', ['archive', release.commit], {cwd: root, maxBuffer: 500_000_000})
  execFileSync('tar', ['-x', '-C', folder], {input: archive})
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['src/tools/build.mjs'], {
    cwd: folder,
    env: {PATH: process.env['PATH']},
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(folder, 'dist/server/main.js')
}

describe.skipIf(!hasRelease())('a rolling upgrade from the last release', {timeout: 240_000}, () => {
  let folder: string
  let entry: string
  let nodes: Nodes
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-release-'))
    entry = buildRelease(folder)
    // now: a build would hold up the lines of nodes to the database, which are in this process
    builtServer()
    const steps = ownSchema.steps.filter(({kind}) => kind === 'baseline')
    nodes = await Nodes.open({
      restore: async (connection) => {
        await migrate(connection, silentLog, {schema: {version: release.version, steps}})
      },
    })
  }, 600_000)
  afterAll(async () => {
    await nodes.close()
    rmSync(folder, {recursive: true, force: true})
  })

  test('both serve at once: answers, tasks and stops of one are followed, made and given at the other, and a task of a killed old node goes on', async () => {
    const old = await nodes.start({}, entry)
    const asker = await nodes.asker()
    const begun = await stream(old, asker, {question: 'foo 800', model: 'foo-model', stateful: true})
    const head = await headOf(begun)

    // expands the schema under the running answer
    const fresh = await nodes.start()
    const schema = (await describeSchema(nodes.server.connection)).join('\n')
    expect(schema).toMatch(/Nodes: .*1 of 0\.1\.0/)
    expect(schema).toContain(`1 of ${ownSchema.version}`)
    const follower = await stream(fresh, asker, {action: 'resume', ...head, last_seq: 0})
    expect(textOf(await follower.rest())).toBe(textFor('foo 800'))
    expect(textOf(await begun.rest())).toBe(textFor('foo 800'))

    // the other way round: begun at the new node, followed and stopped at the old one
    const other = await stream(fresh, asker, {question: 'foo 4000', model: 'foo-model', stateful: true})
    const otherHead = await headOf(other)
    const oldFollower = await stream(old, asker, {action: 'resume', ...otherHead, last_seq: 0})
    await headOf(oldFollower)
    expect((await call(old, asker, '/aichat/conversations', {action: 'stop', id: otherHead.id})).status).toBe(200)
    for (const each of [other, oldFollower])
      expect((await each.rest()).at(-1)?.data).toMatchObject({outcome: 'stopped'})

    // a task that the old node began goes on at the new one
    const made = await call(old, asker, '/kling/videos', {prompt: 'owl', async: true})
    const {task_id: task} = (await made.json()) as {task_id: string}
    await expect.poll(() => nodes.upstream.followed).toEqual(['/kling/videos'])
    await old.process.signal('SIGKILL')
    nodes.upstream.finish()
    await expect
      .poll(async () => (await nodes.query('select state from tasks where id = $1', [task]))[0]?.['state'], {
        timeout: 60_000,
      })
      .toBe('succeeded')
    expect(nodes.upstream.submitted).toEqual(['/kling/videos'])
  })

  test('a node of 0.1.0 does not start again on what was expanded, and says what to do', async () => {
    await expect(nodes.start({}, entry)).rejects.toThrow(/written by a newer Atrium .*Start that version/)
  })
})
