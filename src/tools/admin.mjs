import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import {ensureBuilt} from './build.mjs'
import {ensureInstalled} from './install.mjs'
import {distFolder, root} from './paths.mjs'

// The operator's commands run in the built server, so that they share its settings and its database.
ensureInstalled({development: false})
ensureBuilt()
const result = spawnSync(process.execPath, [join(distFolder, 'server/main.js'), 'admin', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(result.status ?? 1)
