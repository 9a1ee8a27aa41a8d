import {once} from 'node:events'
import {createServer} from 'node:http'
import sharp from 'sharp'

/*
 * A server that makes images and videos, in a process of its own. An image is an address at once; a video is a job that
 * is made for so many seconds. Both are files of 3 MB; what is an image is noise, which no compression makes smaller.
 */

const videoSeconds = 12
const edge = 1_000
const image = await sharp({
  create: {
    width: edge,
    height: edge,
    channels: 3,
    background: '#000',
    noise: {type: 'gaussian', mean: 128, sigma: 60},
  },
})
  .png()
  .toBuffer()
const video = Buffer.alloc(image.length)
Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1').copy(video)

/** When each job was asked for. @type {Map<string, number>} */
const jobs = new Map()

const server = createServer(async (request, response) => {
  request.resume()
  await once(request, 'end')
  const {method, url = ''} = request
  const json = (/** @type {object} */ body) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }
  if (url === '/image.png') return response.end(image)
  if (url.endsWith('/content')) return response.end(video)
  if (url === '/v1/images/generations') return json({data: [{url: '/image.png'}]})
  if (url === '/v1/videos' && method === 'POST') {
    const id = `video_${jobs.size}`
    jobs.set(id, performance.now())
    return json({id, status: 'queued'})
  }
  const askedAt = jobs.get(url.slice('/v1/videos/'.length))
  if (askedAt === undefined) return json({object: 'list', data: [{id: 'gpt-5', object: 'model'}]})
  const isDone = performance.now() - askedAt > videoSeconds * 1_000
  return json({id: url.slice('/v1/videos/'.length), status: isDone ? 'completed' : 'in_progress', seconds: '5'})
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('The maker does not listen')
process.stdout.write(`http://127.0.0.1:${address.port}\n`)
