import {once} from 'node:events'
import {createServer} from 'node:net'
import {expect, test} from 'vitest'
import {createLog} from '#server/log.ts'
import {readConfig} from '#server/read-config.ts'
import {createSecrets} from '#server/secrets.ts'
import {openStore} from '#server/store/open-store.ts'
import {freePort} from './free-port.ts'

/** How PostgreSQL refuses a password. */
const refusal = () => {
  const fields = Buffer.from('SFATAL\0C28P01\0Mfoo\0\0')
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from('E'), length, fields])
}

test('a database that does not answer yet is said once, at once, without its password, and asked again', async () => {
  const port = await freePort()
  const lines: string[] = []
  const database = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(refusal()))
  })
  const log = createLog((line) => {
    lines.push(line)
    database.listen(port, '127.0.0.1')
  })
  const config = readConfig({
    DATABASE_URL: `postgresql://foo:canary-password@127.0.0.1:${port}/foo`,
    SECRET: 'x'.repeat(64),
  })
  await expect(openStore(config, log, createSecrets(Buffer.from('test')))).rejects.toThrow(
    'DATABASE_URL: the server refuses this user or password.',
  )
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 'warn',
      message: 'DATABASE_URL: no PostgreSQL answers there yet; trying on',
      code: 'ECONNREFUSED',
      seconds: 15,
    }),
  ])
  expect(lines.join('')).not.toContain('canary')
  database.close()
  await once(database, 'close')
})
