import manifest from '../../package.json' with {type: 'json'}

/** The version of this server, as the database and other nodes get it. */
export const ownVersion: string = manifest.version

/** Servers of this version and before do not write their version into their row of `workers`. */
export const unnamedVersion = '0.1.0'

const parts = (version: string) => version.split(/[.-]/, 3).map(Number)

/** Whether a server of `version` is of `least` or newer, by the three numbers. */
export function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [parts(version), parts(least)]
  const at = own.findIndex((number, index) => number !== other[index])
  return at === -1 || (own[at] ?? 0) > (other[at] ?? 0)
}
