import sharp from 'sharp'
import {listen} from './http-server.ts'

type Asked = {path: string; headers: Record<string, string | string[] | undefined>}

/** Another server on this device, with images that a model may name. */
export async function openImageHost() {
  const wide = await sharp({create: {width: 1_600, height: 800, channels: 3, background: '#2a9d8f'}})
    .png()
    .toBuffer()
  const asked: Asked[] = []
  let answer: 'image' | 'nothing' | 'silence' = 'image'
  const held: (() => void)[] = []
  const server = await listen(async (request, response) => {
    asked.push({path: request.url ?? '', headers: request.headers})
    if (answer === 'silence') await new Promise<void>((resolve) => held.push(resolve))
    const isThere = answer === 'image'
    response.writeHead(isThere ? 200 : 404, {'content-type': 'image/png', 'cache-control': 'no-store'})
    response.end(isThere ? wide : undefined)
  })
  return {
    ...server,
    asked,
    answers: (next: typeof answer) => {
      answer = next
      if (next !== 'silence') held.splice(0).forEach((release) => release())
    },
  }
}
