import {join} from 'node:path'
import {root} from '../paths.mjs'
import {median} from './figures.mjs'
import {runUntilReady} from './installation.mjs'

const rounds = 5

/** `npm start` with packages, build and data ready, up to the printed address. @type {import('./figures.mjs').Part} */
export const start = async (bench) => {
  await bench.stopServer()
  const times = []
  for (let round = 0; round < rounds; round += 1) {
    const server = await runUntilReady([join(root, 'src/tools/start.mjs')], bench.environment)
    times.push(server.milliseconds)
    await server.stop()
  }
  return [
    {name: 'to the printed address, median', kind: 'time', value: median(times), unit: 'ms', budget: 2_000},
    {name: 'fastest', kind: 'time', value: Math.min(...times), unit: 'ms'},
  ]
}
