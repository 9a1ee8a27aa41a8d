import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {readVerificationCode} from '#server/admin/accounts.ts'
import {withCluster, withDatabase} from '#server/admin/open-installation.ts'
import {runAdmin} from '#server/admin/run-admin.ts'
import {checkPassword, createUser} from '#server/auth/users.ts'
import {readConfig} from '#server/read-config.ts'
import {createSecrets, readMasterSecret} from '#server/secrets.ts'
import {StartFailure} from '#server/start-failure.ts'
import {users} from '#server/store/schema/people.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-admin-'))
})
afterAll(() => rmSync(folder, {recursive: true, force: true}))

const now = () => new Date()
const dataDir = (name: string) => join(folder, name)
const configOf = (name: string) => readConfig({DATA_DIR: dataDir(name)})

/** Runs a command as the operator does; what it printed. */
async function admin(name: string, ...parameters: string[]): Promise<string> {
  let output = ''
  const code = await runAdmin(parameters, {environment: {DATA_DIR: dataDir(name)}, write: (text) => (output += text)})
  expect(code).toBe(0)
  return output
}

const roleOf = (name: string, email: string) =>
  withDatabase(configOf(name), async (database) => {
    const [user] = await database.asSystem((transaction) =>
      transaction.select().from(users).where(eq(users.email, email)),
    )
    return user?.role
  })

describe('commands on a data folder without a server', {timeout: 180_000}, () => {
  beforeAll(async () => {
    await withDatabase(configOf('first'), async (database) => {
      await createUser({database, now}, {email: 'one@example.com', password: 'correct horse'})
      await createUser({database, now}, {email: 'two@example.com', password: 'battery staple'})
    })
    mkdirSync(join(dataDir('first'), 'files'))
    writeFileSync(join(dataDir('first'), 'files', 'foo'), 'bar')
    writeFileSync(join(dataDir('first'), 'secret'), 'x'.repeat(40))
  }, 120_000)

  test('make-account shows a password once, which works; a second account of the address is refused', async () => {
    const output = await admin('first', 'make-account', ' Three@Example.com ')
    expect(output).toMatch(/^Account: three@example\.com\nPassword: \S{20,}\n$/)
    const password = /Password: (\S+)/.exec(output)?.[1] ?? ''
    await withDatabase(configOf('first'), async (database) => {
      expect(await checkPassword({database}, 'three@example.com', password)).toHaveProperty('role', 'member')
    })
    await expect(admin('first', 'make-account', 'three@example.com')).rejects.toThrow('has an account already')
    await expect(admin('first', 'make-account', 'three')).rejects.toThrow('is no e-mail address')
  })

  test('make-admin lets an account run the installation', async () => {
    expect(await roleOf('first', 'two@example.com')).toBe('member')
    expect(await admin('first', 'make-admin', ' Two@Example.com ')).toContain('runs this installation now')
    expect(await roleOf('first', 'two@example.com')).toBe('operator')
  })

  test('verification-code shows the code by which an account confirms its address', async () => {
    await withCluster(configOf('first'), async () => {
      const output = await admin('first', 'verification-code', 'one@example.com')
      const secrets = createSecrets(readMasterSecret(undefined, dataDir('first')))
      const code = await withDatabase(configOf('first'), (database) =>
        readVerificationCode(database, secrets, 'one@example.com'),
      )
      expect(output).toBe(`Verification code of one@example.com: ${code}\n`)
    })
  })

  test('reset-password shows a new password once, and only that one works', async () => {
    const output = await admin('first', 'reset-password', 'one@example.com')
    const password = /: (\S+)\n$/.exec(output)?.[1] ?? ''
    expect(password.length).toBeGreaterThanOrEqual(20)
    await withDatabase(configOf('first'), async (database) => {
      expect(await checkPassword({database}, 'one@example.com', 'correct horse')).toBeUndefined()
      expect(await checkPassword({database}, 'one@example.com', password)).toHaveProperty('email', 'one@example.com')
    })
  })

  test('a backup made while the database is written restores whole into an empty folder (R64)', async () => {
    const backup = join(folder, 'backup')
    let written = 0
    let writtenBefore = 0
    await withCluster(configOf('first'), () =>
      withDatabase(configOf('first'), async (database) => {
        const writeRow = async () => {
          await database.pool.query(`insert into installation (name, value) values ($1, repeat('x', 1000))`, [
            `row ${written}`,
          ])
          written += 1
        }
        // a busy machine may take long to connect: the backup begins when rows are written already
        await writeRow()
        writtenBefore = written
        let isDone = false
        const writing = (async () => {
          while (!isDone) await writeRow()
        })()
        expect(await admin('first', 'backup', backup)).toBe(`Backed up to ${backup}\n`)
        isDone = true
        await writing
        expect(written).toBeGreaterThan(writtenBefore)
      }),
    )
    expect(await admin('second', 'restore', backup)).toBe(`Restored into ${dataDir('second')}\n`)
    expect(await roleOf('second', 'two@example.com')).toBe('operator')
    expect(readFileSync(join(dataDir('second'), 'files', 'foo'), 'utf8')).toBe('bar')
    expect(readFileSync(join(dataDir('second'), 'secret'), 'utf8')).toBe('x'.repeat(40))
    await withDatabase(configOf('second'), async (database) => {
      const {rows} = await database.pool.query<{count: number; torn: number}>(
        `select count(*)::int as count, count(*) filter (where length(value) <> 1000)::int as torn from installation where name like 'row %'`,
      )
      expect(rows[0]?.torn).toBe(0)
      expect(rows[0]?.count).toBeGreaterThanOrEqual(writtenBefore)
      expect(rows[0]?.count).toBeLessThanOrEqual(written)
    })
  })

  test.each([
    ['backup', 'backup', /is not empty\. Name a new folder/],
    ['restore', 'none', /is not a backup/],
    ['restore', 'backup', /is not empty \(postgres, files, secret\)/],
  ])('%s %s is refused with a sentence', async (command, target, sentence) => {
    const refused = admin('first', command, join(folder, target))
    await expect(refused).rejects.toThrow(sentence)
    await expect(refused).rejects.toBeInstanceOf(StartFailure)
  })

  test('a folder without an installation stays without one', async () => {
    await expect(admin('third', 'make-admin', 'one@example.com')).rejects.toThrow(
      /^There is no installation in DATA_DIR/,
    )
    expect(existsSync(dataDir('third'))).toBe(false)
  })

  test('nothing half made is left beside a refused backup', () => {
    expect(existsSync(join(folder, `.backup.partial-${process.pid}`))).toBe(false)
  })

  test('an own PostgreSQL is backed up with its own tools', async () => {
    const environment = {DATABASE_URL: 'postgresql://foo@bar/baz', SECRET: 'x'.repeat(32)}
    await expect(runAdmin(['backup', join(folder, 'other')], {environment})).rejects.toThrow(/pg_dump/)
  })
})
