import {createHash} from 'node:crypto'
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {root} from './paths.mjs'
import {refuse, explainFileError} from './refuse.mjs'

const stampFile = join(root, 'node_modules', '.atrium-installed')
/** npm writes it last, with all that it installed. */
const installedFile = join(root, 'node_modules', '.package-lock.json')

/** npm warns of each of thousands of files on a full disk. In bytes; the last characters of it are shown. */
const longestOutput = 64_000_000
const longestShown = 8_000

/** An installation depends on the lock file, the platform and the major version of Node. */
const fingerprint = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch} ${process.versions.modules}`)
    .digest('hex')

const isNodeSupported = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22
}

/** @param {string} stamp @param {boolean} development */
const satisfies = (stamp, development) => stamp === 'development' || (stamp === 'production' && !development)

/**
 * @typedef {{version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean}} Package
 */

/** @param {string} file @returns {Record<string, Package>} */
const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {}

/**
 * `npm ci` by hand leaves no stamp: whether it installed all that is locked. Without this, a build in the midst of a
 * test run would install anew, under the feet of the run.
 * @param {boolean} development
 */
function isInstalledByHand(development) {
  if (!existsSync(installedFile)) return false
  const installedPackages = packagesOf(installedFile)
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, {version, integrity, dev, optional, devOptional}]) =>
      path === '' ||
      optional ||
      devOptional ||
      (dev && !development) ||
      (installedPackages[path]?.version === version && installedPackages[path]?.integrity === integrity),
  )
}

/**
 * Installs the locked packages when `node_modules` is missing or belongs to another lock file.
 * @param {{development: boolean}} options development: with the packages that only tests need
 */
export function ensureInstalled({development}) {
  if (!isNodeSupported()) {
    refuse(`Atrium needs Node 20.19 or newer (22 from 22.12 on); this is Node ${process.versions.node}.`)
  }
  const wantedPrint = fingerprint()
  const [have = '', kind = ''] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : []
  if (have === wantedPrint && satisfies(kind, development)) return
  if (have === '' && isInstalledByHand(development)) return

  process.stderr.write('Installing packages (once after a clone or an update) …\n')
  const scope = development ? '--include=dev' : process.env.NODE_ENV === 'production' ? '--omit=dev' : '--include=dev'
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', scope], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: longestOutput,
    shell: process.platform === 'win32',
  })
  // an npm that says more than can be kept is ended: what it said tells why
  if (result.error && !('code' in result.error && result.error.code === 'ENOBUFS'))
    refuse(`npm could not be started (${result.error.message}). Install npm 10 or newer and try again.`)
  if (result.status !== 0) {
    const output = result.stdout + result.stderr
    process.stderr.write(output.slice(-longestShown))
    refuse(
      /ENOSPC/.test(output)
        ? 'The disk is full: packages could not be installed. Free about 600 MB and try again.'
        : /EROFS|EACCES|EPERM/.test(output)
          ? `Packages cannot be written to ${join(root, 'node_modules')}. Make the folder writable for this user and try again.`
          : 'Packages could not be installed; npm said why above. Check the network and the registry setting, then try again.',
    )
  }
  try {
    mkdirSync(join(root, 'node_modules'), {recursive: true})
    writeFileSync(stampFile, `${wantedPrint} ${scope === '--omit=dev' ? 'production' : 'development'}`)
  } catch (error) {
    refuse(explainFileError(error, join(root, 'node_modules')))
  }
}
