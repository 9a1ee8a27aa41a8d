import {once} from 'node:events'
import {createServer} from 'node:http'

/*
 * A model server in a process of its own, so that who reads the answers does not delay who writes them. Every answer is
 * one word, and from `POST /begin` on 20 words a second, evenly spread over all answers; each is the time of its
 * sending in milliseconds since 1970. `POST /end` ends all.
 */

const [slotMilliseconds, slotCount] = [2, 25]
/** @type {Set<import('node:http').ServerResponse>[]} */
const slots = Array.from({length: slotCount}, () => new Set())
let questionCount = 0
let isBegun = false

const [before = '', after = ''] = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{index: 0, delta: {content: '|'}, finish_reason: null}],
}).split('|')
const end = `data: ${JSON.stringify({choices: [{index: 0, delta: {}, finish_reason: 'stop'}]})}\n\ndata: [DONE]\n\n`
/** One chunk of the body, as `write` makes it, but in one piece: the models share the measured node's machine. */
const say = (/** @type {import('node:http').ServerResponse} */ response) => {
  const event = `data: ${before}${Date.now()} ${after}\n\n`
  response.socket?.write(`${event.length.toString(16)}\r\n${event}\r\n`, 'latin1')
}

const startedAt = performance.now()
let slot = 0
setInterval(() => {
  const due = Math.floor((performance.now() - startedAt) / slotMilliseconds)
  // one that comes late makes up for it: the rate is kept
  for (; slot < due; slot += 1) if (isBegun) for (const response of slots[slot % slotCount] ?? []) say(response)
}, slotMilliseconds)

const server = createServer((request, response) => {
  request.resume()
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({object: 'list', data: [{id: 'gpt-5', object: 'model'}]}))
  } else if (request.url === '/begin') {
    isBegun = true
    response.end()
  } else if (request.url === '/end') {
    isBegun = false
    for (const each of slots) for (const open of each) open.end(end)
    response.end()
  } else {
    const own = slots[questionCount % slotCount]
    questionCount += 1
    own?.add(response)
    response.on('close', () => own?.delete(response))
    response.writeHead(200, {'content-type': 'text/event-stream'})
    response.flushHeaders()
    say(response)
  }
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('The model server does not listen')
process.stdout.write(`http://127.0.0.1:${address.port}\n`)
