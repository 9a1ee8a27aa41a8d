export const megabyte = 1_048_576

/**
 * The part of Playwright's session that is used, and of one without Playwright. @typedef {{send: (method:
 * 'HeapProfiler.collectGarbage' | 'Performance.getMetrics') => Promise<any>}} Session
 */

/**
 * Measures the page's heap after two forced collections: the second collects what a finaliser releases. `heap` is in
 * bytes.
 * @param {Session} session of the page, with the domain Performance enabled
 */
export const measureHeap = async (session) => {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const {metrics} = await session.send('Performance.getMetrics')
  const value = (/** @type {string} */ name) =>
    metrics.find((/** @type {{name: string, value: number}} */ metric) => metric.name === name)?.value ?? Number.NaN
  return {heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners')}
}

/** @typedef {Awaited<ReturnType<typeof measureHeap>>} HeapSize */

/**
 * @param {string} changes that lie between the two @param {HeapSize} before @param {HeapSize} after
 * @returns {import('./figures.mjs').Figure[]}
 */
export const growthFigures = (changes, before, after) => [
  {
    name: `heap growth after ${changes}`,
    kind: 'bytes',
    value: (after.heap - before.heap) / megabyte,
    unit: 'MiB',
    budget: 5,
  },
  {name: 'growth of DOM nodes', kind: 'count', value: after.nodes - before.nodes, unit: '', budget: 50},
  {name: 'growth of listeners', kind: 'count', value: after.listeners - before.listeners, unit: '', budget: 10},
]
