import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import {cacheFolder, root} from './paths.mjs'

/**
 * Each folder is checked with the library it may use: machines have no DOM, the server has no window. The native
 * compiler does it (`docs/decisions/0016-native-types.md`). What it knows of unchanged files is kept in the cache
 * folder: a second run takes a tenth of the processor time. One checker: several check what their files have in common
 * once each, which takes twice the processor time (`docs/decisions/0134-tests-do-less-work.md`).
 */
const projects = [
  'tsconfig.json',
  'machines/tsconfig.json',
  'src/server/tsconfig.json',
  'src/sandbox/tsconfig.json',
  'src/service-worker/tsconfig.json',
  'src/tools/tsconfig.json',
  // and the journeys, which have the same library and share most files with the tests
  'tests/tsconfig.json',
]

let hasFailed = false
for (const project of projects) {
  const buildInfo = join(cacheFolder, 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`)
  const result = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      project,
      '--checkers',
      '1',
      '--incremental',
      '--tsBuildInfoFile',
      buildInfo,
    ],
    {cwd: root, stdio: 'inherit'},
  )
  if (result.status !== 0) hasFailed = true
}
process.exit(hasFailed ? 1 : 0)
