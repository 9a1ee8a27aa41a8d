import {availableParallelism} from 'node:os'
import {configDefaults, defineConfig} from 'vitest/config'
import {BaseSequencer, type TestSpecification} from 'vitest/node'
import {localesPlugin} from './src/tools/locales-plugin.mjs'
import {mediaToolsPlugin} from './src/tools/media-tools.mjs'
import {inOrder} from './src/tools/test-order.mjs'
import {workerThreadsPlugin} from './src/tools/worker-threads.mjs'

/** The full run takes tests that take minutes, as does a run that names such a file. */
const isFull = process.env['ATRIUM_TESTS'] === 'full' || process.argv.some((argument) => argument.includes('.full'))
const exclude = [...configDefaults.exclude, ...(isFull ? [] : ['**/*.full.test.ts'])]

const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'))
class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return inOrder(await super.sort(files))
  }
}

/** Units run in Node, `*.test.tsx` (views) in happy-dom; server tests share a database. */
export default defineConfig({
  plugins: [localesPlugin(), mediaToolsPlugin(), workerThreadsPlugin()],
  test: {
    // a run has the machine for itself, and half of the tests wait for a database or another process
    maxWorkers: availableParallelism() + 1,
    // Test files share the modules of a worker (docs/decisions/0042-test-files-share-a-worker.md).
    isolate: false,
    // by chance when asked for (`--sequence.shuffle`)
    sequence: isShuffled ? {} : {sequencer: TestOrder},
    unstubGlobals: true,
    unstubEnvs: true,
    // `src/tools/test.mjs` leaves them out of `npm test`
    tags: [{name: 'long', description: 'Repeats a shorter test in more variants, sizes or faults.'}],
    // bounds against a hang, not measurements: a busy machine may take long
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: {poll: {timeout: 20_000}},
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            'tests/{machines,domain,contract,api,architecture,features,locales,tools}/**/*.test.ts',
            'tests/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          environment: 'happy-dom',
          // a followed link leads nowhere: the address of the page would be another one in the next test file
          environmentOptions: {
            happyDOM: {settings: {navigation: {disableMainFrameNavigation: true, disableFallbackToSetURL: true}}},
          },
          include: ['tests/**/*.test.tsx', 'tests/browser/**/*.test.ts'],
          setupFiles: ['tests/setup-dom.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['tests/{server,sandbox}/**/*.test.ts'],
          exclude,
          globalSetup: ['tests/server/database.setup.ts'],
        },
      },
    ],
  },
})
