import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {median} from './figures.mjs'

const ticksPerSecond = existsSync('/proc/self/stat')
  ? Number(execFileSync('getconf', ['CLK_TCK'], {encoding: 'utf8'}))
  : undefined

/**
 * Processor time in milliseconds of a process, or of its first thread alone; `undefined` where the system does not say.
 * Unlike time by the clock it stays what it is on a busy machine.
 * @param {number} processId
 * @param {{mainThread?: boolean}} [options]
 */
export const processorTime = (processId, {mainThread = false} = {}) => {
  if (ticksPerSecond === undefined) return undefined
  const text = readFileSync(
    mainThread ? `/proc/${processId}/task/${processId}/stat` : `/proc/${processId}/stat`,
    'utf8',
  )
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th field behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000
}

/** How much longer than its processor time a computation takes here and now; 1 on an idle machine. */
export const slowdown = () => {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let time = 0
  while (time < 200_000) {
    const {user, system} = process.cpuUsage(before)
    time = user + system
  }
  return ((performance.now() - startedAt) * 1_000) / time
}

const sample = Array.from({length: 20_000}, (_, index) => ({
  id: `row ${index}`,
  at: index / 3,
  tags: ['foo', 'bar', index],
}))

/**
 * Processor time in milliseconds of a fixed piece of work, the median of nine: a machine that shares its processors
 * with others is a quarter slower in one hour than in the next, and so are all times measured in it.
 */
export const fixedWork = () => {
  const times = Array.from({length: 9}, () => {
    const before = process.cpuUsage()
    JSON.parse(JSON.stringify(sample)).sort((/** @type {{id: string}} */ a, /** @type {{id: string}} */ b) =>
      a.id < b.id ? -1 : 1,
    )
    const {user, system} = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return median(times)
}
