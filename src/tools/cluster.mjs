import {spawn} from 'node:child_process'
import {join} from 'node:path'
import {ensureBuilt} from './build.mjs'
import {ensureInstalled} from './install.mjs'
import {root} from './paths.mjs'

/*
 * `npm run test:cluster`: nodes, PostgreSQL, PgBouncer, an S3 server and a proxy on this machine, and people who use
 * them while they are killed, stopped and cut off (`tests/cluster/`). Builds what changed before.
 */

ensureInstalled({development: true})
ensureBuilt()
const run = spawn(process.execPath, ['--import', 'tsx', join(root, 'tests/cluster/run.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: {...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true'},
})
// it ends what it has started, then itself; a terminal tells it too
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => run.kill('SIGTERM'))
run.on('exit', (code) => process.exit(code ?? 1))
