import {afterEach, expect, test, vi} from 'vitest'
import {keepBuild} from '../../src/service-worker/kept-builds.ts'

const build = {
  id: 'foo',
  entry: '/assets/app-1234567.js',
  files: ['/assets/app-1234567.js', ...Array.from({length: 20}, (_, index) => `/assets/part-${index}.js`)],
  messages: {el: ['/assets/el.js']},
}

afterEach(() => vi.unstubAllGlobals())

test('a build is kept a few files at a time, its page and its script last', async () => {
  const kept: string[] = []
  let running = 0
  let most = 0
  vi.stubGlobal('caches', {
    open: async () => ({
      keys: async () => [],
      put: async (path: string) => void kept.push(path),
      addAll: async (paths: readonly string[]) => {
        running += paths.length
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= paths.length
        kept.push(...paths)
      },
    }),
  })
  vi.stubGlobal('fetch', async () => new Response(`<script src="${build.entry}"></script>`))
  await keepBuild(build, 'el')
  expect(kept).toEqual([...build.files.slice(1), '/assets/el.js', '/', build.entry])
  expect(most).toBe(4)
})
