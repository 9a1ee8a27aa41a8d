import {readFileSync} from 'node:fs'

const lookMilliseconds = 250

/**
 * @param {number} pid
 * @returns {string | undefined} its parent; `undefined` where the system does not tell
 */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name before it may itself hold spaces and parentheses
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
  } catch {
    return undefined
  }
}

/** @param {number} pid */
function isShellOfCommand(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === '-c'
  } catch {
    return false
  }
}

/**
 * Calls `ended` when the npm that runs this script is gone. npm waits for its script, so it was killed, and the server
 * would run on unseen. A shell between npm and this script may outlive npm. Without npm as a parent it is never
 * called.
 * @param {() => void} onEnd
 */
export function whenNpmEnds(onEnd) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const npm = isShellOfCommand(parent) ? parentOf(parent) : undefined
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
    clearInterval(timer)
    onEnd()
  }, lookMilliseconds)
  timer.unref()
}
