import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {startAppWorker} from '#browser/app-worker.ts'
import type {WorkerRequest} from '#contract/app-worker.ts'

const requests: WorkerRequest[] = []
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A browser whose service worker notes its requests. */
const stubBrowser = (saveData = false) => {
  const worker = {postMessage: (request: WorkerRequest) => requests.push(request)}
  vi.stubGlobal('navigator', {
    connection: {saveData},
    locks: {request: () => new Promise(() => undefined)},
    serviceWorker: Object.assign(new EventTarget(), {
      controller: worker,
      register: async () => ({}),
      ready: Promise.resolve({active: worker}),
    }),
  })
}

const ports = (untilQuiet: () => Promise<void>) => ({
  entry: '/assets/app-1234567.js',
  scriptUrl: (url: string) => url,
  locale: () => 'el',
  untilQuiet,
  onNewBuild: () => undefined,
  onOpen: () => undefined,
  onFailure: (error: unknown) => {
    throw error
  },
})

beforeEach(() => void requests.splice(0))
afterEach(() => vi.unstubAllGlobals())

test('a build is kept once the page has nothing else to do', async () => {
  stubBrowser()
  let becomeQuiet: () => void = () => undefined
  const silence = new Promise<void>((resolve) => {
    becomeQuiet = resolve
  })
  await startAppWorker(ports(() => silence))
  await settle()
  expect(requests).toEqual([])
  becomeQuiet()
  await settle()
  expect(requests).toEqual([{type: 'keep', locale: 'el'}])
})

test('a browser that saves data keeps no build', async () => {
  stubBrowser(true)
  await startAppWorker(ports(async () => undefined))
  await settle()
  expect(requests).toEqual([])
})
