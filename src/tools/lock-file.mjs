/*
 * The rules of a lock file whose supply chain can be checked (security R74). Pure functions, so that every test run
 * applies them.
 */

/** Below these a known fault of the package reaches us. */
export const leastVersions = {xstate: '5.33.3', 'eventsource-parser': '3.1.0', katex: '0.16.21'}

const numbers = (/** @type {string} */ version) => version.split(/[.+-]/, 3).map(Number)

/** @param {string} version @param {string} least */
const isBelow = (version, least) => {
  const [have, leastNumbers] = [numbers(version), numbers(least)]
  const index = leastNumbers.findIndex((value, at) => value !== have[at])
  return index >= 0 && (have[index] ?? 0) < (leastNumbers[index] ?? 0)
}

/**
 * Every fault of a lock file, as sentences.
 * @param {{packages: Record<string, {version?: string, integrity?: string, resolved?: string, link?: boolean}>}} lock
 * @param {{dependencies?: Record<string, string>, devDependencies?: Record<string, string>}} manifest
 * @returns {string[]}
 */
export function faultsOfLock({packages}, manifest) {
  const faults = []
  for (const [path, {version = '', integrity, resolved, link}] of Object.entries(packages)) {
    if (path === '') continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (link) faults.push(`${path} is a link, so nobody knows what it holds`)
    else if (!/^sha512-/.test(integrity ?? '')) faults.push(`${path} has no sha512 integrity`)
    if (resolved !== undefined && !resolved.startsWith('https://'))
      faults.push(`${path} comes from ${resolved}, not by https`)
    const least = Object.entries(leastVersions).find(([dependency]) => dependency === name)?.[1]
    if (least !== undefined && isBelow(version, least))
      faults.push(`${path} is ${version}; at least ${least} is needed`)
  }
  for (const [name, range] of Object.entries({...manifest.dependencies, ...manifest.devDependencies}))
    if (!/^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+([-+][\w.-]+)?$/.test(range))
      faults.push(`package.json asks for ${name} ${range}, not for one version`)
  return faults
}
