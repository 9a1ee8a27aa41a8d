import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {builtServer, ServerProcess} from './built-server.ts'
import {freePort} from './free-port.ts'

test('a start without its database ends with a code after which it is started again', {timeout: 120_000}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-start-'))
  const server = new ServerProcess(builtServer(), {
    PORT: String(await freePort()),
    DATA_DIR: folder,
    DATABASE_URL: `postgresql://foo:bar@127.0.0.1:${await freePort()}/foo`,
    SECRET: 'x'.repeat(64),
  })
  try {
    expect(await server.ended()).toBe(75)
    expect(server.log).toContain('\natrium: DATABASE_URL: no PostgreSQL answers there.')
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
})
