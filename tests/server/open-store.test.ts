import {once} from 'node:events'
import {createServer, type AddressInfo, type Socket} from 'node:net'
import {expect, test} from 'vitest'
import {createLog, silentLog} from '#server/log.ts'
import {readConfig} from '#server/read-config.ts'
import {createSecrets} from '#server/secrets.ts'
import {PassingStartFailure} from '#server/start-failure.ts'
import {openStore} from '#server/store/open-store.ts'
import {freePort} from './free-port.ts'

/** How PostgreSQL refuses a password, or a connection. */
const refusal = (code = '28P01', message = 'foo') => {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`)
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

test('a stop does not wait for a database that does not answer yet', async () => {
  // takes the connection and says nothing
  const database = createServer((socket) => socket.on('error', () => undefined))
  database.listen(0, '127.0.0.1')
  await once(database, 'listening')
  const {port} = database.address() as AddressInfo // as: it listens on a port
  const config = readConfig({DATABASE_URL: `postgresql://foo:bar@127.0.0.1:${port}/foo`, SECRET: 'x'.repeat(64)})
  const stopping = new AbortController()
  const opening = openStore(config, silentLog, createSecrets(Buffer.from('test')), stopping.signal)
  const [socket] = (await once(database, 'connection')) as [Socket] // as: what a server tells of a connection
  const reason = new Error('foo')
  stopping.abort(reason)
  await expect(opening).rejects.toBe(reason)
  expect(socket.destroyed).toBe(false)
  socket.destroy()
  database.close()
  await once(database, 'close')
})

test.each<[string, (socket: Socket) => void]>([
  ['breaks it at once', (socket) => socket.destroy()],
  ['resets it', (socket) => socket.resetAndDestroy()],
  ['says that nothing is behind it', (socket) => socket.once('data', () => socket.end(refusal('08P01')))],
])('a pooler or balancer that takes the connection and %s has no database yet', async (_what, answer) => {
  let asked = 0
  const database = createServer((socket) => {
    asked += 1
    socket.on('error', () => undefined)
    if (asked < 3) answer(socket)
    else socket.once('data', () => socket.end(refusal()))
  })
  database.listen(0, '127.0.0.1')
  await once(database, 'listening')
  const {port} = database.address() as AddressInfo // as: it listens on a port
  const config = readConfig({DATABASE_URL: `postgresql://foo:bar@127.0.0.1:${port}/foo`, SECRET: 'x'.repeat(64)})
  const failed = await openStore(config, silentLog, createSecrets(Buffer.from('test'))).catch((error: unknown) => error)
  // the password is refused for good: another start would not mend it
  expect(failed).toHaveProperty('message', 'DATABASE_URL: the server refuses this user or password.')
  expect(failed).not.toBeInstanceOf(PassingStartFailure)
  expect(asked).toBe(3)
  database.close()
  await once(database, 'close')
})

test.each([
  [
    'no pg_hba.conf entry for host "10.0.0.1", user "foo", database "foo", no encryption',
    'no rule (pg_hba.conf) for this address and user without encryption. Add ?sslmode=verify-full',
  ],
  [
    'no pg_hba.conf entry for host "10.0.0.1", user "foo", database "foo", SSL encryption',
    'no rule (pg_hba.conf) for this address, user and database. Add one',
  ],
  ['role "foo" is not permitted to log in', 'this user or password'],
])('a server that says "%s" is understood', async (message, sentence) => {
  const database = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(refusal('28000', message)))
  })
  database.listen(0, '127.0.0.1')
  await once(database, 'listening')
  const {port} = database.address() as AddressInfo // as: it listens on a port
  const config = readConfig({DATABASE_URL: `postgresql://foo:bar@127.0.0.1:${port}/foo`, SECRET: 'x'.repeat(64)})
  await expect(openStore(config, silentLog, createSecrets(Buffer.from('test')))).rejects.toThrow(sentence)
  database.close()
  await once(database, 'close')
})

test.each([
  ['sslrootcert', '/nowhere/authority.pem'],
  // there, but no file
  ['sslkey', '/'],
])('a file of the address that cannot be read is said: %s %s', async (setting, path) => {
  const config = readConfig({
    DATABASE_URL: `postgresql://foo:bar@127.0.0.1:1/foo?sslmode=verify-full&${setting}=${path}`,
    SECRET: 'x'.repeat(64),
  })
  const failed = await openStore(config, silentLog, createSecrets(Buffer.from('test'))).catch((error: unknown) => error)
  expect(failed).toHaveProperty('message', `DATABASE_URL: ${setting} ${path} cannot be read.`)
  expect(failed).not.toBeInstanceOf(PassingStartFailure)
})
