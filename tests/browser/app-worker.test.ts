import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {startAppWorker} from '#browser/app-worker.ts'
import type {WorkerRequest} from '#contract/app-worker.ts'

const requests: WorkerRequest[] = []
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A browser whose service worker notes its requests. */
const stubBrowser = ({saveData = false, isFirst = false} = {}) => {
  const createWorker = () => ({postMessage: (request: WorkerRequest) => requests.push(request)})
  const worker = createWorker()
  const workers = Object.assign(new EventTarget(), {
    controller: isFirst ? null : worker,
    register: async () => ({}),
    ready: Promise.resolve({active: worker}),
  })
  vi.stubGlobal('navigator', {connection: {saveData}, serviceWorker: workers})
  const listeners: (() => void)[] = []
  vi.stubGlobal('addEventListener', (_: 'online', listen: () => void) => void listeners.push(listen))
  const takeOver = (next: typeof worker) => {
    workers.controller = next
    workers.dispatchEvent(new Event('controllerchange'))
  }
  return {worker, createWorker, takeOver, comeBack: () => listeners.forEach((listen) => listen())}
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
  stubBrowser({saveData: true})
  await startAppWorker(ports(async () => undefined))
  await settle()
  expect(requests).toEqual([])
})

test('a worker is asked once to keep the build, though it takes the page over meanwhile; the next one too', async () => {
  const {worker, createWorker, takeOver} = stubBrowser({isFirst: true})
  await startAppWorker(ports(async () => undefined))
  takeOver(worker)
  await settle()
  expect(requests).toHaveLength(1)
  takeOver(createWorker())
  await settle()
  expect(requests).toHaveLength(2)
})

test('a build whose files were cut off is asked for again when the network is back', async () => {
  const {comeBack} = stubBrowser()
  await startAppWorker(ports(async () => undefined))
  await settle()
  comeBack()
  await settle()
  expect(requests).toEqual([
    {type: 'keep', locale: 'el'},
    {type: 'keep', locale: 'el'},
  ])
})

test('a browser that saves data keeps no build when the network is back either', async () => {
  const {comeBack} = stubBrowser({saveData: true})
  await startAppWorker(ports(async () => undefined))
  comeBack()
  await settle()
  expect(requests).toEqual([])
})
