import {afterAll, beforeAll, beforeEach} from 'vitest'
import type {Config} from '#server/config.ts'
import {createAsker, createTwoProcesses, type Asker} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'

/**
 * Two processes of one installation for the tests of a file, with their model, and a new user with credits for each
 * test.
 */
export function twoProcesses(config: Partial<Config> = {}) {
  const model = createScriptedProvider()
  let processes: Awaited<ReturnType<typeof createTwoProcesses>>
  let asker: Asker

  beforeAll(async () => {
    processes = await createTwoProcesses(model.provider, config)
    await processes.a.server.createUser() // the operator
  })
  beforeEach(async () => {
    asker = await createAsker(processes.a, '1000')
  })
  afterAll(() => processes.close())

  return {
    model,
    get a() {
      return processes.a
    },
    get b() {
      return processes.b
    },
    get clockA() {
      return processes.clockA
    },
    get clockB() {
      return processes.clockB
    },
    get asker() {
      return asker
    },
  }
}
