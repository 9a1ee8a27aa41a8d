import {composer} from './installation.mjs'

/**
 * Cold, signed in, on an empty new chat: everything over the wire as the browser counted it, headers included. @type
 * {import('./figures.mjs').Part}
 */
export const pageBytes = async (bench) => {
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  /** @type {Map<string, {url: string, bytes: number}>} */
  const requests = new Map()
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({requestId, request}) => {
    if (/^https?:/.test(request.url)) requests.set(requestId, {url: request.url, bytes: 0})
  })
  session.on('Network.loadingFinished', ({requestId, encodedDataLength}) => {
    const request = requests.get(requestId)
    if (request) request.bytes = encodedDataLength
  })
  await page.goto(`${bench.url}/chatgpt/conversations`)
  await composer(page).waitFor()
  await page.waitForLoadState('networkidle')
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  await context.close()

  const all = [...requests.values()]
  const own = all.filter(({url}) => new URL(url).origin === bench.url)
  const services = own.filter(({url}) => new URL(url).pathname.startsWith('/services/'))
  const client = own.filter((request) => !services.includes(request))
  const sum = (/** @type {typeof all} */ some) => some.reduce((total, {bytes}) => total + bytes, 0)
  const largest = client.toSorted((a, b) => b.bytes - a.bytes).slice(0, 4)
  return [
    {name: 'everything on the wire', kind: 'bytes', value: sum(all), unit: 'B', budget: 200_000},
    {name: 'requests', kind: 'count', value: all.length, unit: '', budget: 15},
    {name: 'requests to other origins', kind: 'count', value: all.length - own.length, unit: '', budget: 0},
    ...largest.map(({url, bytes}) => ({
      name: `of it ${new URL(url).pathname.replace(/-[\w-]{8}(?=\.)/, '')}`,
      kind: /** @type {const} */ ('bytes'),
      value: bytes,
      unit: 'B',
    })),
    {name: 'of it calls of the services', kind: 'count', value: services.length, unit: ''},
    {name: 'bytes of those calls', kind: 'bytes', value: sum(services), unit: 'B'},
    {name: 'elements in the page', kind: 'count', value: nodes, unit: ''},
  ]
}
