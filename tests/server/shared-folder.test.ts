import {cpSync, existsSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {runFileCommand, type FileCommand} from '#server/admin/files.ts'
import {checkFileStores} from '#server/files/check-stores.ts'
import {openFileStores} from '#server/files/file-stores.ts'
import {createTestServer, type TestServer} from './harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** A machine whose nodes are on the database of all. */
function machineOf(name: string) {
  const {config: common, database, now} = server.deps
  const config = {...common, dataDir: join(common.dataDir, name), databaseUrl: 'postgresql://db.lan/atrium'}
  return {
    config,
    start: async () => checkFileStores({...server.deps, config, fileStores: await openFileStores(config)}),
    run: (command: FileCommand) => runFileCommand(command, {config, database, now, write: () => undefined}),
  }
}

test('nodes on one database share one folder of files; another is refused until the operator adopts it', async () => {
  const [first, second, copy] = [machineOf('first'), machineOf('second'), machineOf('copy')]
  await Promise.all([first.start(), first.start()])
  await first.start()
  const refusal = /second\/files is not the folder of files that the other nodes .* npm run admin -- files adopt$/
  await expect(second.start()).rejects.toThrow(refusal)
  await expect(second.run('sweep')).rejects.toThrow(refusal)
  // who copies the files takes it along
  cpSync(first.config.dataDir, copy.config.dataDir, {recursive: true})
  await copy.start()
  expect(await second.run('adopt')).toBe(0)
  await second.start()
  await expect(first.start()).rejects.toThrow('is not the folder of files')
})

test('alone with the embedded database a folder has nobody to be shared with', async () => {
  const {config, start} = machineOf('alone')
  await checkFileStores({...server.deps, config: {...config, databaseUrl: undefined}})
  expect(existsSync(join(config.dataDir, 'files', '.folder'))).toBe(false)
  await expect(start()).rejects.toThrow('is not the folder of files')
})
