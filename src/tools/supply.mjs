import {spawnSync} from 'node:child_process'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {faultsOfLock} from './lock-file.mjs'
import {cacheFolder, root} from './paths.mjs'
import {explainFileError, refuse} from './refuse.mjs'

/*
 * `npm run supply`: the supply chain (security R74). The lock file is checked here; the bill of materials, known
 * advisories and signatures are npm's, and the last two ask the registry, so this is no part of `npm test`.
 *
 *   0 all is well   1 something is wrong   2 nothing is wrong, but the registry could not be asked
 */

const bill = join(cacheFolder, 'sbom.cdx.json')
const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'))

const npm = (/** @type {string[]} */ ...args) => {
  const result = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 64_000_000,
  })
  if (result.error) refuse(`npm could not be started (${result.error.message}). Install npm 10 or newer and try again.`)
  return result
}

/** @type {{name: string, verdict: 'ok' | 'wrong' | 'not asked', detail: string}[]} */
const checks = []

const faults = faultsOfLock(read('package-lock.json'), read('package.json'))
checks.push({name: 'lock file', verdict: faults.length === 0 ? 'ok' : 'wrong', detail: faults.join('\n  ')})

const listing = npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only')
if (listing.status === 0) {
  try {
    mkdirSync(cacheFolder, {recursive: true})
    writeFileSync(bill, listing.stdout)
  } catch (error) {
    refuse(explainFileError(error, bill))
  }
  checks.push({
    name: 'bill of materials',
    verdict: 'ok',
    detail: `${JSON.parse(listing.stdout).components.length} packages in ${bill}`,
  })
} else checks.push({name: 'bill of materials', verdict: 'wrong', detail: listing.stderr.trim()})

/** npm ends with 1 for an advisory and for a registry that does not answer; only the first comes with a report. */
const advisories = npm('audit', '--omit', 'dev', '--audit-level', 'high', '--json')
const report = (() => {
  try {
    return JSON.parse(advisories.stdout)
  } catch {
    return {} // no JSON: the registry gave no answer that npm could read
  }
})()
if (report.metadata?.vulnerabilities === undefined)
  checks.push({name: 'advisories', verdict: 'not asked', detail: String(report.message ?? advisories.stderr).trim()})
else {
  const {high = 0, critical = 0, total = 0} = report.metadata.vulnerabilities
  const names = Object.keys(report.vulnerabilities ?? {}).join(', ')
  checks.push({
    name: 'advisories',
    verdict: high + critical > 0 ? 'wrong' : 'ok',
    detail: total === 0 ? 'none' : `${total}, of them ${high + critical} high or critical: ${names}`,
  })
}

const signatures = npm('audit', 'signatures')
const words = (signatures.stdout + signatures.stderr).trim()
const isInvalid = /invalid|missing/i.test(signatures.stdout)
checks.push({
  name: 'signatures',
  verdict: signatures.status === 0 ? 'ok' : isInvalid ? 'wrong' : 'not asked',
  detail: words
    .split('\n')
    .slice(0, isInvalid ? 40 : 4)
    .join('\n  '),
})

const marks = {ok: '✓', wrong: '✗', 'not asked': '?'}
for (const {name, verdict, detail} of checks)
  process.stdout.write(`${marks[verdict]} ${name}: ${verdict}${detail && `\n  ${detail}`}\n`)
process.exitCode = checks.some(({verdict}) => verdict === 'wrong')
  ? 1
  : checks.some(({verdict}) => verdict === 'not asked')
    ? 2
    : 0
