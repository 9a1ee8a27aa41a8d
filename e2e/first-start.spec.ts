import {expect, test as base} from '@playwright/test'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {freePort} from './support/installation.ts'
import {ServerRun} from './support/server-run.ts'

/* The built server as a person runs it: what it says, and what it leaves behind. */

type Run = (environment?: Record<string, string>) => ServerRun
const test = base.extend<{folder: string; run: Run}>({
  folder: async ({}, give) => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-start-'))
    await give(folder)
    rmSync(folder, {recursive: true, force: true})
  },
  run: async ({folder}, give) => {
    const runs: ServerRun[] = []
    const port = String(await freePort())
    await give((environment) => {
      const run = new ServerRun({PORT: port, DATA_DIR: folder, ...environment})
      runs.push(run)
      return run
    })
    for (const run of runs) await run.end('SIGTERM')
  },
})

const pageStatus = async (address: string) => (await fetch(address)).status

test('prints its address, answers there, refuses a second one, stops cleanly, starts again twice', async ({
  run,
  folder,
}) => {
  test.setTimeout(120_000)
  const first = run()
  const address = await first.address()
  expect(first.output).toBe(`Atrium is ready: ${address}\n`)
  expect(await pageStatus(address)).toBe(200)

  const second = run({PORT: String(await freePort())})
  expect(await second.ended()).toBe(78)
  expect(second.output).toBe('')
  expect(second.log).toContain(`The data folder ${folder} is in use by process`)
  expect(await pageStatus(address)).toBe(200)

  expect(await first.end('SIGTERM')).toBe(0)
  for (const next of [run, run]) {
    const again = next()
    expect(await pageStatus(await again.address())).toBe(200)
    expect(await again.end('SIGTERM')).toBe(0)
  }
})

test('killed in the middle of its work it starts again', async ({run}) => {
  test.setTimeout(120_000)
  const killed = run()
  await killed.address()
  expect(await killed.end('SIGKILL')).toBe('SIGKILL')
  const next = run()
  expect(await pageStatus(await next.address())).toBe(200)
  expect(await next.end('SIGTERM')).toBe(0)
})

test('a wrong setting stops the start with a sentence that names it', async ({run, folder}) => {
  writeFileSync(join(folder, 'file'), '')
  const wrong: [Record<string, string>, string][] = [
    [{PORT: 'eighty'}, 'PORT must be a whole number from 1 to 65535, not "eighty".'],
    [{PORT: '70000'}, 'PORT must be a whole number from 1 to 65535, not "70000".'],
    [{HOST: '0.0.0.0'}, 'PUBLIC_ORIGINS'],
    [{DATA_DIR: join(folder, 'file')}, 'DATA_DIR'],
    [{DATA_DIR: join(folder, 'file', 'below')}, 'DATA_DIR'],
    [{AUTH_ORIGIN: 'ftp://foo'}, 'AUTH_ORIGIN'],
  ]
  for (const [environment, sentence] of wrong) {
    const refused = run(environment)
    expect([environment, await refused.ended()]).toEqual([environment, 78])
    expect(refused.log).toContain(sentence)
    expect(refused.log).not.toMatch(/\n\s+at /)
    expect(refused.output).toBe('')
  }
})
