import {readFileSync} from 'node:fs'

/*
 * Holds a process to a share of one core, as a smaller machine would: it stands still whenever its first thread has had
 * more. `node hold-back.mjs <process id> <share>`; ends when the process does. Linux alone says how much a thread has
 * had to the nanosecond.
 */

const processId = Number(process.argv[2])
const share = Number(process.argv[3])
const stepMilliseconds = 2
/** The most that it may save up while it has nothing to do. */
const most = 5

const had = () => Number(readFileSync(`/proc/${processId}/schedstat`, 'utf8').split(' ')[0]) / 1e6
let [allowance, usedAt, lookedAt] = [0, had(), performance.now()]
let isHeld = false
const hold = (/** @type {boolean} */ next) => {
  if (next !== isHeld) process.kill(processId, next ? 'SIGSTOP' : 'SIGCONT')
  isHeld = next
}

const look = setInterval(() => {
  try {
    const [use, now] = [had(), performance.now()]
    allowance = Math.min(most, allowance + (now - lookedAt) * share - (use - usedAt))
    ;[usedAt, lookedAt] = [use, now]
    hold(allowance <= 0)
  } catch {
    clearInterval(look) // it has ended
  }
}, stepMilliseconds)
process.on('SIGTERM', () => {
  clearInterval(look)
  hold(false)
})
