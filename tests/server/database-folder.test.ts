import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, inject, test} from 'vitest'
import {lockFolder} from '#server/store/folder-lock.ts'
import {databaseFolder, removeAbandoned} from './database-folder.ts'

const memory = mkdtempSync(join(tmpdir(), 'atrium-memory-'))
afterAll(() => rmSync(memory, {recursive: true, force: true}))

test('databases lie in memory where there is plenty of it, else with temporary files', () => {
  expect(databaseFolder(memory, 1)).toBe(memory)
  expect(databaseFolder(memory, Number.MAX_SAFE_INTEGER)).toBe(tmpdir())
  expect(databaseFolder(join(memory, 'none'), 1)).toBe(tmpdir())
})

test.skipIf(process.env['DATABASE_URL'] !== undefined)('the cluster of this run lies there', () => {
  expect(inject('database').folder).toMatch(new RegExp(`^${databaseFolder()}/atrium-test-`))
})

test('what a killed run has left is removed, and neither what is in use nor what another reason keeps', async () => {
  const prefix = `atrium-left-${process.pid}-`
  const folders = ['killed', 'kept', 'used'].map((name) => mkdtempSync(join(databaseFolder(), `${prefix}${name}-`)))
  const [killed = '', kept = '', used = ''] = folders
  // no process has this number
  for (const folder of [killed, kept]) writeFileSync(join(folder, 'atrium.lock'), '{"pid":4194305,"startTime":"1"}')
  const unlock = lockFolder(used)
  try {
    await removeAbandoned(prefix, (name) => !name.includes('kept'))
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true])
  } finally {
    unlock()
    for (const folder of folders) rmSync(folder, {recursive: true, force: true})
  }
})
