import {fileURLToPath} from 'node:url'
import {loadConfigFromFile} from 'vite'
import {expect, test} from 'vitest'

const config = fileURLToPath(new URL('../../vite.config.ts', import.meta.url))

test.each([
  {part: 'client', isSsrBuild: false},
  {part: 'server', isSsrBuild: true},
])('the build of the $part replaces no part of a dependency (decision 30)', async ({isSsrBuild}) => {
  const built = await loadConfigFromFile({command: 'build', mode: 'production', isSsrBuild}, config)
  expect(built?.config.resolve?.alias).toBeUndefined()
})
